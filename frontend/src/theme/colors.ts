/** The colours of both schemes, as semantic tokens. Components use their names, never the values. */

/**
 * One value per colour scheme. The browser selects it by `color-scheme`, so the system's scheme applies
 * from the first paint, and a change sets one property of the root element.
 */
const lightDark = (light: string, dark: string) => ({ value: `light-dark(${light}, ${dark})` });

export const colors = {
  bg: { DEFAULT: lightDark("#faf8f3", "#131210"), sunken: lightDark("#f3efe6", "#171512") },
  surface: { DEFAULT: lightDark("#ffffff", "#1c1a17"), raised: lightDark("#ffffff", "#2c2822") },
  track: lightDark("#f3efe6", "#2c2822"),
  /** Lines that only divide. */
  border: lightDark("#e6e0d3", "#2f2b25"),
  /** Lines that show where a field is, or what is chosen: at least 3:1 (WCAG 1.4.11). */
  edge: lightDark("#8d8674", "#7d7566"),
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
};
