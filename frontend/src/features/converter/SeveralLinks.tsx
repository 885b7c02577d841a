import { Box, Button, Flex } from "@chakra-ui/react";
import { useAnnouncement } from "../../client/announcer.ts";
import { useIntake } from "../../client/converter.ts";
import { Link } from "../../components/Link.tsx";
import { MAX_BATCH_LINKS } from "../../stores/batch.ts";
import { useTexts } from "../../texts/store.ts";

export interface SeveralLinksProps {
  readonly text: string;
  readonly isBatch: boolean;
}

/** A hint about several links that arrived together, until their text is changed. */
export function SeveralLinks({ text, isBatch }: SeveralLinksProps) {
  const several = useIntake((state) => state.several);
  const texts = useTexts();
  const { pasted, isBatchNow, firstKept } = texts.converter;
  const isShown = several !== null && several.text === text;
  const count = several?.count ?? 0;
  const hint = isBatch ? `${pasted(count)} ${isBatchNow}` : firstKept(count, MAX_BATCH_LINKS);
  useAnnouncement("several", isShown ? hint : "");
  return (
    <Box>
      {isShown && (
        <Flex
          wrap="wrap"
          align="center"
          columnGap="2"
          mt="2"
          ps="4"
          pe="2"
          py="1"
          minH="11"
          bg="accent.soft"
          borderRadius="md"
          fontSize="sm"
        >
          <Box flex="1" minW="12rem">
            {hint}
          </Box>
          {!isBatch && (
            <Button variant="ghost" size="sm" color="fg" asChild>
              <Link to="/plans">{texts.nav.upgrade}</Link>
            </Button>
          )}
        </Flex>
      )}
    </Box>
  );
}
