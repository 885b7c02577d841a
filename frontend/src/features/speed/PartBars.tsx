import { chakra } from "@chakra-ui/react";
import type { CSSProperties } from "react";

export interface PartBar {
  readonly name: string;
  /** In words: "52 %", "3 sec". */
  readonly value: string;
  /** Of the whole, from 0 to 1. */
  readonly fraction: number;
}

/** In reading direction. */
const filled = (side: "right" | "left") => `linear-gradient(to ${side}, {colors.accent} var(--part), transparent 0)`;

/** A name, its value, and a bar below them. */
const Part = chakra("div", {
  base: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) auto",
    columnGap: "3",
    rowGap: "1",
    "& dd": { fontWeight: 600, whiteSpace: "nowrap" },
    _after: {
      content: '""',
      gridColumn: "1 / -1",
      h: "1.5",
      borderRadius: "full",
      bgColor: "track",
      bgImage: { base: filled("right"), _rtl: filled("left") },
    },
  },
});

/** Parts of a whole, one below the other. */
export function PartBars({ parts }: { readonly parts: readonly PartBar[] }) {
  return (
    <chakra.dl display="grid" gap="3">
      {parts.map(({ name, value, fraction }) => (
        <Part key={name} style={{ "--part": `${100 * fraction}%` } as CSSProperties}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Part>
      ))}
    </chakra.dl>
  );
}
