import { Box, Button, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import { useIntake } from "../../client/client.ts";
import { MAX_BATCH_LINKS } from "../../stores/batch.ts";
import { useTexts } from "../../texts/store.ts";

export interface SeveralLinksProps {
  readonly text: string;
  readonly isBatch: boolean;
}

/** Several links came at once: what became of them, for as long as they stand where they were put. */
export function SeveralLinks({ text, isBatch }: SeveralLinksProps) {
  const several = useIntake((state) => state.several);
  const texts = useTexts();
  const { pasted, isBatchNow, firstKept } = texts.converter;
  const isTold = several !== null && several.text === text;
  return (
    // There before it has something to say, or nobody who listens would hear it.
    <Box role="status">
      {isTold && (
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
            {isBatch ? `${pasted(several.count)} ${isBatchNow}` : firstKept(several.count, MAX_BATCH_LINKS)}
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
