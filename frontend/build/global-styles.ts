/** Build and development step: puts the theme's global rules into base.css, so that browsers need not generate them. */
import type { Plugin } from "vite";

/** Chakra's code that generates the global rules at every start: 6 ms on a laptop, 25 ms on a phone. */
const GENERATION_CODE = "[getPreflightCss(), getGlobalCss(), getTokenCss()]";

export function globalStyles(): Plugin[] {
  return [
    {
      name: "tapedeck-global-styles",
      enforce: "pre",
      transform: {
        filter: { id: /\/frontend\/src\/theme\/base\.css(?:\?|$)/ },
        async handler(code) {
          // Imported only here, because the component library takes seconds to load.
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
          if (!code.includes(GENERATION_CODE)) this.error("Chakra generates its global styles elsewhere now");
          return { code: code.replace(GENERATION_CODE, "[]"), map: null };
        },
      },
    },
  ];
}
