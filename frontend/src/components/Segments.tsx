import { chakra } from "@chakra-ui/react";
import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";
import { NARROW } from "../theme/narrow.ts";

const Group = chakra("div", {
  base: { display: "inline-flex", bg: "bg.sunken", borderRadius: "lg", p: "0.5" },
});

const Segment = chakra("label", {
  base: {
    display: "flex",
    flex: 1,
    alignItems: "center",
    justifyContent: "center",
    minH: "11",
    px: "5",
    // Marks the chosen segment where its colour does not: for weak eyes, and in forced colours.
    "&:has(input:checked)": {
      bg: "surface.raised",
      color: "fg",
      boxShadow: "knob",
      outline: "1.5px solid {colors.edge}",
      outlineOffset: "-1.5px",
    },
    borderRadius: "md",
    fontSize: "md",
    fontWeight: 600,
    color: "fg.muted",
    cursor: "pointer",
    userSelect: "none",
    WebkitUserSelect: "none",
    whiteSpace: "nowrap",
    textAlign: "center",
    [NARROW]: { whiteSpace: "normal" },
    position: "relative",
    transition: "color 120ms",
    "&:has(input:focus-visible)": { outline: "2px solid {colors.accent.text}", outlineOffset: "1px" },
  },
});

export interface SegmentsProps<Value extends string> {
  /** Name of the group for screen readers. */
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Name of the form field, for a form that is submitted without a script. */
  readonly name?: string;
  readonly children: (value: Value) => ReactNode;
  readonly isWide?: boolean;
  /** Tooltip of each segment that shows an icon only. */
  readonly tipOf?: (value: Value) => string;
}

/**
 * A choice between a few values. Uses radio buttons, which support arrow keys and forms without a script.
 * Chakra's SegmentGroup would add 9 kB, compressed, to the home page's first scripts.
 */
export function Segments<Value extends string>({
  label,
  values,
  value,
  onChange,
  name,
  children,
  isWide = false,
  tipOf,
}: SegmentsProps<Value>) {
  const ownName = useId();
  const group = useRef<HTMLDivElement>(null);
  // The visitor may have chosen a prerendered radio button before hydration.
  useEffect(() => {
    const chosen = group.current?.querySelector<HTMLInputElement>("input:checked")?.value;
    const earlyChoice = values.find((option) => option === chosen);
    if (earlyChoice !== undefined && earlyChoice !== value) onChange(earlyChoice);
    // oxlint-disable-next-line react/exhaustive-deps -- at the start only
  }, []);
  return (
    <Group ref={group} role="radiogroup" aria-label={label} w={isWide ? { base: "full", sm: "auto" } : undefined}>
      {values.map((option) => (
        <Segment key={option} {...(tipOf && { px: "0", minW: "11", "data-tip": tipOf(option) })}>
          <chakra.input
            type="radio"
            srOnly
            name={name ?? ownName}
            autoComplete="off"
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {children(option)}
        </Segment>
      ))}
    </Group>
  );
}
