/** Styles of the Chakra components in use. Variants keep Chakra's names. */
import { defineRecipe, defineSlotRecipe } from "@chakra-ui/react";
import { NARROW } from "./narrow.ts";

const button = defineRecipe({
  className: "button",
  base: {
    display: "inline-flex",
    alignItems: "center",
    justifyContent: "center",
    gap: "2",
    flexShrink: 0,
    borderRadius: "md",
    border: "1px solid transparent",
    fontWeight: 600,
    whiteSpace: "nowrap",
    // A long label has several lines, and its button is higher.
    [NARROW]: { whiteSpace: "normal", flexShrink: 1 },
    cursor: "pointer",
    userSelect: "none",
    WebkitUserSelect: "none",
    transition: "background-color 120ms, border-color 120ms, transform 120ms",
    _active: { transform: "translateY(1px)" },
    _disabled: { opacity: 0.55, cursor: "not-allowed", transform: "none" },
  },
  variants: {
    variant: {
      solid: { bg: "accent", color: "accent.ink", _hover: { bg: "accent.hover" } },
      /** What may be pressed, where another button of the screen is what one came for. */
      subtle: { bg: "accent.soft", color: "accent.text", _hover: { borderColor: "accent.text" } },
      outline: { bg: "surface", borderColor: "border", color: "fg", _hover: { bg: "bg.sunken" } },
      ghost: { color: "fg.muted", _hover: { bg: "bg.sunken", color: "fg" } },
    },
    // 44 px is the smallest touch target that users hit reliably; no button is lower.
    size: {
      sm: { h: "11", [NARROW]: { h: "auto", minH: "11" }, minW: "11", px: "3.5", fontSize: "sm" },
      md: { h: "11", [NARROW]: { h: "auto", minH: "11" }, minW: "11", px: "5", fontSize: "md" },
      lg: { h: "12", [NARROW]: { h: "auto", minH: "12" }, px: "6", fontSize: "md" },
    },
  },
  defaultVariants: { variant: "solid", size: "md" },
});

const menu = defineSlotRecipe({
  slots: ["content", "item"],
  className: "menu",
  base: {
    content: {
      bg: "surface",
      border: "1px solid {colors.border}",
      borderRadius: "lg",
      boxShadow: "card",
      p: "1",
      minW: "14rem",
      maxH: "min(60vh, var(--available-height))",
      overflowY: "auto",
      outline: "none",
      zIndex: 10,
      _open: { animation: "fadeIn 120ms" },
    },
    item: {
      display: "flex",
      alignItems: "center",
      minH: "11",
      px: "3",
      borderRadius: "sm",
      fontSize: "sm",
      cursor: "pointer",
      outline: "none",
      _highlighted: { bg: "bg.sunken" },
    },
  },
});

export const recipes = { button };
export const slotRecipes = { menu };
