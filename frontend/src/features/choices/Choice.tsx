import { chakra } from "@chakra-ui/react";

/** Label of a radio button or a check box with a name and a remark. */
export const Choice = chakra("label", {
  base: {
    display: "grid",
    gridTemplateColumns: "auto minmax(0, 1fr)",
    columnGap: "3",
    alignItems: "start",
    minH: "11",
    px: "3",
    py: "2",
    borderRadius: "md",
    cursor: "pointer",
    "&:has(input:checked)": { bg: "surface.raised", outline: "1.5px solid {colors.edge}", outlineOffset: "-1.5px" },
    "&:has(input:focus-visible)": { outline: "2px solid {colors.accent.text}", outlineOffset: "1px" },
    "&:has(input:disabled)": { cursor: "default" },
    "& input": { mt: "1", w: "4", h: "4", accentColor: "{colors.accent.text}", outline: "none" },
  },
});
