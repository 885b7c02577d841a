/**
 * A step of the build, and of development: the rules that the theme has for the whole page become part of
 * its style sheet, and the browser no longer works them out.
 */
import type { Plugin } from "vite";

/**
 * How the component library makes them for each theme, whether they are used or not: 6 ms of a laptop, 25 of a phone.
 */
const MADE_EARLY = "[getPreflightCss(), getGlobalCss(), getTokenCss()]";

export function globalStyles(): Plugin[] {
  return [
    {
      name: "tapedeck-global-styles",
      enforce: "pre",
      transform: {
        filter: { id: /\/frontend\/src\/theme\/base\.css(?:\?|$)/ },
        async handler(code) {
          // When it is needed: the component library takes seconds to load.
          const theme = await import("../src/theme/global-styles.tsx");
          return { code: `${theme.globalStyles()}\n${code}`, map: null };
        },
      },
    },
    {
      name: "tapedeck-global-styles-once",
      apply: "build",
      transform: {
        filter: { id: /\/@chakra-ui\/react\/dist\/esm\/styled-system\/system\.js$/ },
        handler(code) {
          if (!code.includes(MADE_EARLY)) this.error("the component library makes its global styles elsewhere now");
          return { code: code.replace(MADE_EARLY, "[]"), map: null };
        },
      },
    },
  ];
}
