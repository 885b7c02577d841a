/**
 * Builds the browser extension for Chrome and Firefox: `npm run build:extension`, or with another folder than
 * frontend/dist-extension. Both have the same scripts, and manifests of their own.
 */
import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "vite";
import { z } from "zod";
import { BROWSERS, ICONS, manifestFor } from "../extension/manifest.ts";
import { CATALOGUES } from "../extension/texts/catalogues.ts";
import { smallZod } from "./small-zod.ts";

const FRONTEND = path.resolve(import.meta.dirname, "..");
const SOURCE = path.join(FRONTEND, "extension");

const outDir = path.resolve(process.argv[2] ?? path.join(FRONTEND, "dist-extension"));
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(await readFile(path.join(FRONTEND, "../package.json"), "utf8")));

/** Scripts and pages, which both browsers share. */
async function buildShared(folder: string): Promise<void> {
  await build({
    root: SOURCE,
    base: "./",
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    plugins: [smallZod()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: ["chrome120", "firefox128"],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: ["background.ts", "options.html", "problem.html"].map((file) => path.join(SOURCE, file)),
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name].js",
          assetFileNames: "[name][extname]",
        },
      },
    },
  });
  for (const icon of ICONS) await copyFile(path.join(FRONTEND, "public", icon), path.join(folder, icon));
  for (const [language, { about, convert }] of Object.entries(CATALOGUES)) {
    const locale = path.join(folder, "_locales", language);
    await mkdir(locale, { recursive: true });
    const messages = { about: { message: about }, convert: { message: convert } };
    await writeFile(path.join(locale, "messages.json"), JSON.stringify(messages, null, 2));
  }
}

const [first, ...others] = BROWSERS;
await buildShared(path.join(outDir, first));
for (const browser of others) {
  await rm(path.join(outDir, browser), { recursive: true, force: true });
  await cp(path.join(outDir, first), path.join(outDir, browser), { recursive: true });
}
for (const browser of BROWSERS) {
  const manifest = manifestFor(browser, version);
  await writeFile(path.join(outDir, browser, "manifest.json"), JSON.stringify(manifest, null, 2));
  process.stdout.write(`${path.join(outDir, browser)}\n`);
}
