import { chakra } from "@chakra-ui/react";

/** The raised sheet that everything of weight lies on. */
export const Card = chakra("section", {
  base: { bg: "surface", border: "1px solid {colors.border}", borderRadius: "xl", boxShadow: "card" },
});

/** A word or two on the state of a thing. */
export const Pill = chakra("span", {
  base: {
    display: "inline-block",
    flexShrink: 0,
    borderRadius: "full",
    px: "2",
    py: "0.5",
    fontSize: "xs",
    lineHeight: 1.45,
    fontWeight: 600,
    bg: "track",
    color: "fg.muted",
    "&[data-tone=bad]": { bg: "bad.soft", color: "bad" },
    "&[data-tone=ok]": { bg: "ok.soft", color: "ok" },
  },
});
