import { chakra } from "@chakra-ui/react";

/** As wide as a small button with its content, and hidden: it keeps the place of a button that comes later. */
export const ButtonWidth = chakra("span", {
  base: {
    display: "flex",
    gap: "2",
    h: "0",
    minW: "11",
    visibility: "hidden",
    border: "0 solid transparent",
    borderInlineWidth: "1px",
    // As in the recipe of small buttons.
    fontSize: "sm",
    fontWeight: 600,
    whiteSpace: "nowrap",
    // Not as text, which searches in the page would find.
    "& [data-text]::before": { content: "attr(data-text)" },
  },
});

/** Of a button's icon, which phones do not show. */
export const RoomForIcon = chakra("span", { base: { w: "1.125rem", display: { base: "none", sm: "block" } } });
