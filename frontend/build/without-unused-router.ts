/**
 * Build step: lets bundlers leave out the components of React Router that the pages do not use. It names each of them for
 * its developer tools, which bundlers take for a use.
 */
import type { Plugin } from "vite";

const ROUTER_FILES = /\/react-router\/dist\/production\/lib\/(?:components|dom\/lib)\.js$/;

export function withoutUnusedRouter(): Plugin {
  return {
    name: "tapedeck-without-unused-router",
    apply: "build",
    transform: {
      filter: { id: ROUTER_FILES },
      handler: (code) => ({
        code: code
          .replaceAll(/^\w+\.displayName = ".*";$/gm, "")
          .replaceAll(/^(const \w+ = )(React\$1\.(?:forwardRef|memo)\()/gm, "$1/* @__PURE__ */ $2"),
        map: null,
      }),
    },
  };
}
