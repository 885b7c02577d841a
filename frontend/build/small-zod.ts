/**
 * Build and test step: schemas that server and pages share are written in the syntax of the full zod, and the pages read
 * them with a smaller one.
 */
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const SMALL_ZOD = fileURLToPath(new URL("../src/platform/zod.ts", import.meta.url));

export function smallZod(): Plugin {
  return {
    name: "tapedeck-small-zod",
    enforce: "pre",
    resolveId: { filter: { id: /^zod$/ }, handler: () => SMALL_ZOD },
  };
}
