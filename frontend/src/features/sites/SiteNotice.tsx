import { Box } from "@chakra-ui/react";
import { useSiteStatus } from "../../client/client.ts";
import { useTexts } from "../../texts/store.ts";

/** Says that a video site fails for most visitors. Always in the page, so that screen readers announce a change. */
export function SiteNotice() {
  const failure = useSiteStatus((state) => state.failing[0] ?? null);
  const texts = useTexts().home.failing;
  return (
    <Box role="status" data-failing={failure?.reason}>
      {failure !== null && (
        <Box
          key={failure.reason}
          display="flex"
          gap="2"
          fontSize={{ base: "xs", sm: "sm" }}
          color="fg"
          animation="fadeIn 400ms"
        >
          <Box
            as="span"
            aria-hidden="true"
            flexShrink={0}
            boxSize="2"
            mt="1.5"
            borderRadius="full"
            bg="accent"
            animation="breathe 2.4s ease-in-out infinite"
            _motionReduce={{ animation: "none" }}
          />
          {texts[failure.site][failure.reason]}
        </Box>
      )}
    </Box>
  );
}
