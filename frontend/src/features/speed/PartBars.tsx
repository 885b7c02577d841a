import { Box, chakra } from "@chakra-ui/react";

export interface PartBar {
  readonly name: string;
  /** In words: "52%", "3 seconds". */
  readonly value: string;
  /** Of the whole, from 0 to 1. */
  readonly fraction: number;
}

const Bar = chakra("div", {
  base: { h: "1.5", borderRadius: "full", bg: "track", overflow: "hidden", mt: "1" },
});

/** Parts of a whole, one below the other, each with its name, its value and a bar. */
export function PartBars({ parts }: { readonly parts: readonly PartBar[] }) {
  return (
    <Box as="dl" display="grid" gap="3">
      {parts.map(({ name, value, fraction }) => (
        <Box key={name}>
          <Box display="flex" justifyContent="space-between" gap="3">
            <Box as="dt">{name}</Box>
            <Box as="dd" fontWeight={600} whiteSpace="nowrap">
              {value}
            </Box>
          </Box>
          <Bar aria-hidden>
            <Box h="full" bg="accent" borderRadius="full" style={{ width: `${100 * fraction}%` }} />
          </Bar>
        </Box>
      ))}
    </Box>
  );
}
