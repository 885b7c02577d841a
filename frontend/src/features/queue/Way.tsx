import { chakra } from "@chakra-ui/react";

/** Looks like a link in a line of text, but is 44 px high for fingers. */
export const Way = chakra("span", {
  base: {
    display: "inline-flex",
    alignItems: "center",
    minH: "11",
    borderRadius: "sm",
    fontWeight: 600,
    color: "accent.text",
    textDecoration: "underline",
    textUnderlineOffset: "3px",
    cursor: "pointer",
  },
});
