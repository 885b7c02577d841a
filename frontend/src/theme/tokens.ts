/**
 * Design tokens: colours, type, space and radius, and the animations. The build puts their values into base.css, and leaves
 * their names alone in the scripts: see build/token-names.ts.
 */
import { defineKeyframes } from "@chakra-ui/react";
import { colors } from "./colors.ts";

const rem = (px: number) => ({ value: `${px / 16}rem` });

/** Spacing steps, named as multiples of 4 px. They do not grow with the visitor's text size: the text needs the room. */
const steps = Object.fromEntries(
  [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16].map((step) => [
    String(step),
    { value: `${step * 4}px` },
  ]),
);

const HEADING = '"Bricolage Grotesque Variable", "Bricolage Grotesque", system-ui, sans-serif';
const BODY = '"Inter Variable", Inter, system-ui, sans-serif';

export const tokens = {
  fonts: { heading: { value: HEADING }, body: { value: BODY } },
  fontSizes: {
    "2xs": rem(11),
    xs: rem(12.5),
    sm: rem(14),
    md: rem(15),
    lg: rem(17),
    xl: rem(22),
    "2xl": rem(40),
    display: { value: "clamp(2.25rem, 6.2vw, 3.75rem)" },
  },
  spacing: steps,
  sizes: { ...steps, full: { value: "100%" }, page: rem(880) },
  radii: { xs: rem(5), sm: rem(10), md: rem(12), lg: rem(14), xl: rem(20), full: { value: "9999px" } },
};

export const semanticTokens = {
  colors,
  shadows: {
    card: {
      value:
        "0 1px 2px light-dark(rgb(40 30 0 / 5%), transparent), " +
        "0 16px 36px -20px light-dark(rgb(60 45 0 / 24%), #000)",
    },
    knob: { value: "0 1px 3px rgb(0 0 0 / 14%)" },
  },
};

export const keyframes = defineKeyframes({
  reel: { to: { transform: "rotate(360deg)" } },
  rowEnter: { from: { gridTemplateRows: "0fr", opacity: 0 }, to: { gridTemplateRows: "1fr", opacity: 1 } },
  rowLeave: { from: { gridTemplateRows: "1fr", opacity: 1 }, to: { gridTemplateRows: "0fr", opacity: 0 } },
  rowGlow: {
    from: { backgroundColor: "var(--chakra-colors-accent-soft)" },
    to: { backgroundColor: "transparent" },
  },
  untouched: { from: { pointerEvents: "none" }, to: { pointerEvents: "none" } },
  pop: {
    "0%": { transform: "scale(0.9)" },
    "55%": { transform: "scale(1.05)" },
    "100%": { transform: "scale(1)" },
  },
  breathe: { "50%": { opacity: 0.45 } },
  fadeIn: { from: { opacity: 0 } },
  toastEnter: { from: { opacity: 0, transform: "translateY(-1rem)" } },
  toastLeave: { to: { opacity: 0, transform: "translateX(calc(2rem * var(--toward-end, 1)))" } },
});
