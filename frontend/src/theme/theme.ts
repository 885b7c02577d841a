/**
 * Design tokens: colours, type, space and radius. Components use token names, never values.
 * Built on Chakra's base configuration: the default one would add 23 kB, compressed, for unused recipes and tokens.
 */
import { createSystem, defaultBaseConfig, defineConfig } from "@chakra-ui/react";
import type { SystemContext } from "@chakra-ui/react";
import { recipes, slotRecipes } from "./recipes.ts";

/**
 * One value per colour scheme. The browser selects it by `color-scheme`, so the system's scheme applies
 * from the first paint, and a change sets one property of the root element.
 */
const lightDark = (light: string, dark: string) => ({ value: `light-dark(${light}, ${dark})` });

const rem = (px: number) => ({ value: `${px / 16}rem` });

/** Spacing steps, named as multiples of 4 px. */
const steps = Object.fromEntries(
  [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16].map((step) => [String(step), rem(step * 4)]),
);

const HEADING = '"Bricolage Grotesque Variable", "Bricolage Grotesque", system-ui, sans-serif';
const BODY = '"Inter Variable", Inter, system-ui, sans-serif';

export const config = defineConfig({
  theme: {
    breakpoints: { sm: "40.0625em" },
    tokens: {
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
    },
    semanticTokens: {
      colors: {
        bg: { DEFAULT: lightDark("#faf8f3", "#131210"), sunken: lightDark("#f3efe6", "#171512") },
        surface: { DEFAULT: lightDark("#ffffff", "#1c1a17"), raised: lightDark("#ffffff", "#2c2822") },
        track: lightDark("#f3efe6", "#2c2822"),
        border: lightDark("#e6e0d3", "#2f2b25"),
        fg: { DEFAULT: lightDark("#1c1a15", "#f4f0e6"), muted: lightDark("#6a6456", "#aaa292") },
        accent: {
          DEFAULT: lightDark("#f5a81c", "#ffb938"),
          hover: lightDark("#ffb636", "#ffc75c"),
          ink: lightDark("#2a1d00", "#241900"),
          soft: lightDark("#fdf0d2", "#33280f"),
          text: lightDark("#8a5a00", "#ffcc6b"),
        },
        ok: { DEFAULT: lightDark("#17734a", "#63d29b"), soft: lightDark("#e0f3e8", "#12301f") },
        bad: { DEFAULT: lightDark("#b3261e", "#ff8f85"), soft: lightDark("#fbe6e3", "#3a1714") },
      },
      shadows: {
        card: {
          value:
            "0 1px 2px light-dark(rgb(40 30 0 / 5%), transparent), " +
            "0 16px 36px -20px light-dark(rgb(60 45 0 / 24%), #000)",
        },
        knob: { value: "0 1px 3px rgb(0 0 0 / 14%)" },
      },
    },
    textStyles: {
      display: {
        value: {
          fontFamily: "heading",
          fontWeight: 700,
          fontSize: "display",
          lineHeight: 1.02,
          letterSpacing: "-0.035em",
        },
      },
      heading: {
        value: { fontFamily: "heading", fontWeight: 650, fontSize: "xl", lineHeight: 1.2, letterSpacing: "-0.02em" },
      },
      price: {
        value: { fontFamily: "heading", fontWeight: 700, fontSize: "2xl", lineHeight: 1, letterSpacing: "-0.03em" },
      },
      lead: { value: { fontSize: "lg", lineHeight: 1.5 } },
      meta: { value: { fontSize: "sm", lineHeight: 1.45, color: "fg.muted", fontVariantNumeric: "tabular-nums" } },
    },
    keyframes: {
      reel: { to: { transform: "rotate(360deg)" } },
      rowEnter: { from: { gridTemplateRows: "0fr", opacity: 0 }, to: { gridTemplateRows: "1fr", opacity: 1 } },
      rowLeave: { from: { gridTemplateRows: "1fr", opacity: 1 }, to: { gridTemplateRows: "0fr", opacity: 0 } },
      rowGlow: {
        from: { backgroundColor: "var(--chakra-colors-accent-soft)" },
        to: { backgroundColor: "transparent" },
      },
      pop: {
        "0%": { transform: "scale(0.9)" },
        "55%": { transform: "scale(1.05)" },
        "100%": { transform: "scale(1)" },
      },
      breathe: { "50%": { opacity: 0.45 } },
      fadeIn: { from: { opacity: 0 } },
      toastEnter: { from: { opacity: 0, transform: "translateY(1rem)" } },
      toastLeave: { to: { opacity: 0, transform: "translateX(calc(2rem * var(--toward-end, 1)))" } },
    },
    recipes,
    slotRecipes,
  },
});

/**
 * Without Chakra's global rules, which the build writes into base.css. Otherwise each prerendered page would contain
 * them a second time: 5.5 kB more, 0.4 kB compressed.
 */
export const system: SystemContext = { ...createSystem(defaultBaseConfig, config), _global: [] };
