/** Bundles the script that runs before the app; see src/first-use/first-use.ts. */
import path from "node:path";
import { build } from "vite";
import { z } from "zod";

const Bundle = z.tuple([z.object({ output: z.tuple([z.object({ code: z.string().min(1) })]) })]);

/**
 * @param root the frontend folder
 * @returns the script for a page. It is classic and inline: it must listen before the visitor sees anything
 */
export async function bundleFirstUse(root: string, appScripts: readonly string[]): Promise<string> {
  const bundle = await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    define: { APP_SCRIPTS: JSON.stringify(appScripts) },
    build: {
      write: false,
      target: "es2022",
      minify: true,
      lib: { entry: path.join(root, "src/first-use/first-use.ts"), formats: ["iife"], name: "firstUse" },
    },
  });
  const [{ output }] = Bundle.parse(bundle);
  return output[0].code.trim();
}
