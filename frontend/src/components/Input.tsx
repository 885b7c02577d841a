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
    // The browser's own arrow touches the edge.
    "&:is(select)": {
      appearance: "none",
      pe: "8",
      backgroundImage:
        "linear-gradient(45deg, transparent 50%, currentcolor 50%), linear-gradient(-45deg, transparent 50%, currentcolor 50%)",
      backgroundSize: "5px 5px",
      backgroundRepeat: "no-repeat",
      backgroundPosition: "right 17px center, right 12px center",
      _rtl: { backgroundPosition: "left 12px center, left 17px center" },
    },
    "& option": { color: "fg", bg: "surface" },
  },
});
