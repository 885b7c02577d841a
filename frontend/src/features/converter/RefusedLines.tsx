import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useBatch } from "../../app.ts";

/** What was not started of a batch, line by line, with the reason. */
export function RefusedLines() {
  const { refused, editRefused } = useBatch((state) => state);
  if (refused.length === 0) return null;
  return (
    <Box as="section" aria-label="Refused lines" mt="3" pt="2" ps="4" pe="2" pb="3" bg="bad.soft" borderRadius="md" fontSize="sm">
      <Flex align="center" justify="space-between" gap="3">
        <Box fontWeight={600}>{refused.length === 1 ? "One line was not started" : `${refused.length} lines were not started`}</Box>
        <Button variant="ghost" size="sm" color="fg" onClick={editRefused}>
          Edit them
        </Button>
      </Flex>
      <chakra.ul listStyleType="none" display="grid" gap="1.5">
        {refused.map(({ line, url, message }) => (
          <li key={line}>
            <chakra.span fontVariantNumeric="tabular-nums">{`Line ${line}: `}</chakra.span>
            <chakra.span overflowWrap="anywhere">{url}</chakra.span>
            <Box color="bad">{message}</Box>
          </li>
        ))}
      </chakra.ul>
    </Box>
  );
}
