import { Box } from "@chakra-ui/react";
import { useAnnouncement } from "../../client/announcer.ts";
import { useSiteStatus } from "../../client/stores.ts";
import { useTexts } from "../../texts/store.ts";

/** Says that a video site fails for most visitors. */
export function SiteNotice() {
  const failure = useSiteStatus((state) => state.failing[0] ?? null);
  const texts = useTexts().home.failing;
  const text = failure === null ? "" : texts[failure.site][failure.reason];
  useAnnouncement("site", text);
  return (
    <Box data-failing={failure?.reason}>
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
          {text}
        </Box>
      )}
    </Box>
  );
}
