import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useBatch } from "../../client/converter.ts";
import { sentenceOf, useTexts } from "../../texts/store.ts";

/** On a phone they come below the end of the window. */
const bringIntoView = (place: HTMLElement | null) => {
  place?.scrollIntoView({ block: "nearest", behavior: "instant" });
};

/** The rejected lines of a batch, or videos of a list, with their reasons, which a toast has said. */
export default function RefusedLines() {
  const texts = useTexts().converter;
  const { refused, editRefused } = useBatch((state) => state);
  return (
    <chakra.section
      ref={bringIntoView}
      aria-label={texts.refusedLines}
      mt="6"
      scrollMarginBottom="4"
      pt="2"
      ps="4"
      pe="2"
      pb="3"
      bg="bad.soft"
      borderRadius="md"
      fontSize="sm"
    >
      <Flex align="center" justify="space-between" gap="3">
        <Box fontWeight={600}>{texts.refused(refused.length)}</Box>
        <Button variant="ghost" size="sm" color="fg" whiteSpace="nowrap" flexShrink={0} onClick={editRefused}>
          {texts.editRefused}
        </Button>
      </Flex>
      <chakra.ul listStyleType="none" display="grid" gap="1.5">
        {refused.map(({ line, url, title, ...error }) => (
          <li key={line}>
            {title === undefined ? (
              <>
                <chakra.span fontVariantNumeric="tabular-nums">{texts.line(line)}</chakra.span>
                <chakra.span overflowWrap="anywhere" dir="ltr" unicodeBidi="isolate">
                  {url}
                </chakra.span>
              </>
            ) : (
              <chakra.bdi overflowWrap="anywhere">{title}</chakra.bdi>
            )}
            <Box color="bad" fontWeight={600}>
              {sentenceOf(error)}
            </Box>
          </li>
        ))}
      </chakra.ul>
    </chakra.section>
  );
}
