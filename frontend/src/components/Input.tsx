import { chakra } from "@chakra-ui/react";

/** The box of a field: an input, a select or a text area. */
export const Input = chakra("input", {
  base: {
    display: "block",
    w: "full",
    minH: "12",
    px: "4",
    bg: "bg.sunken",
    color: "fg",
    border: "1.5px solid {colors.edge}",
    borderRadius: "md",
    font: "inherit",
    transition: "border-color 120ms",
    "&[aria-invalid=true]": { borderColor: "bad" },
    "&:is(textarea)": { py: "3", minH: "9rem", resize: "vertical" },
    "& option": { color: "fg", bg: "surface" },
  },
});
