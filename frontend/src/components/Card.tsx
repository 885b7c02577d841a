import { chakra } from "@chakra-ui/react";

/** A raised surface for the main content. */
export const Card = chakra("section", {
  base: { bg: "surface", border: "1px solid {colors.border}", borderRadius: "xl", boxShadow: "card" },
});

/** A label of one or two words for a state. */
export const Pill = chakra("span", {
  base: {
    display: "inline-block",
    flexShrink: 0,
    maxW: "full",
    borderRadius: "full",
    px: "2",
    // Not higher than the text beside it.
    py: "1px",
    fontSize: "xs",
    lineHeight: 1.4,
    fontWeight: 600,
    bg: "track",
    color: "fg.muted",
    "&[data-tone=bad]": { bg: "bad.soft", color: "bad" },
    "&[data-tone=ok]": { bg: "ok.soft", color: "ok" },
  },
});
