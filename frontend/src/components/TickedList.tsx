import { Box, Flex, chakra } from "@chakra-ui/react";
import type { HTMLChakraProps } from "@chakra-ui/react";
import { CheckIcon } from "./icons.tsx";

/** A list with check marks. */
export function TickedList({ items, ...props }: { readonly items: readonly string[] } & HTMLChakraProps<"ul">) {
  return (
    <chakra.ul listStyleType="none" display="grid" gap="2" fontSize="md" {...props}>
      {items.map((item) => (
        <Flex as="li" key={item} gap="2.5" textWrap="pretty">
          <Box color="accent.text" bg="accent.soft" borderRadius="full" boxSize="18px" flexShrink={0} mt="0.5">
            <CheckIcon />
          </Box>
          {item}
        </Flex>
      ))}
    </chakra.ul>
  );
}
