/** Build and development step: puts the theme's global rules into base.css, so that browsers need not generate them. */
import type { Plugin } from "vite";

/**
 * The part of Chakra's `createSystem` that generates the global rules. The build removes it, because base.css has the
 * rules already; it would take 6 ms at every start on a laptop and 25 ms on a phone.
 */
const GENERATION_CODE = "[getPreflightCss(), getGlobalCss(), getTokenCss()]";
/** The rules that the removed code reads. */
const PREFLIGHT_CODE = "function createPreflight(options) {";

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
      name: "tapedeck-without-style-generation",
      apply: "build",
      transform: {
        filter: { id: /\/@chakra-ui\/react\/dist\/esm\/styled-system\/system\.js$/ },
        handler(code) {
          if (!code.includes(GENERATION_CODE))
            this.error("Chakra's createSystem has changed: the code that generates the global rules is not found");
          return { code: code.replace(GENERATION_CODE, "[]"), map: null };
        },
      },
    },
    {
      name: "tapedeck-without-preflight",
      apply: "build",
      transform: {
        filter: { id: /\/@chakra-ui\/react\/dist\/esm\/styled-system\/preflight\.js$/ },
        handler(code) {
          if (!code.includes(PREFLIGHT_CODE))
            this.error("Chakra's preflight has changed: createPreflight is not found");
          return { code: "export const createPreflight = () => ({});", map: null };
        },
      },
    },
  ];
}
