/** Build and test step: an import of Markdown gives the text as data, so that no page has to parse it. */
import type { Plugin } from "vite";
import { readProse } from "./read-prose.ts";

export function prose(): Plugin {
  return {
    name: "tapedeck-prose",
    enforce: "pre",
    transform: {
      filter: { id: /\/frontend\/src\/texts\/[^?]+\.md$/ },
      handler(source) {
        return { code: `export default ${JSON.stringify(readProse(source))};`, map: null, moduleType: "js" };
      },
    },
  };
}
