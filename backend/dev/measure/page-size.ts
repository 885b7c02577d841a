/**
 * `npm run size`: measures, compressed, the scripts in the home page itself, which run before the visitor uses it, the
 * app's scripts, which run then, and the page's fonts. Fails above the limits.
 */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import filePreset from "@size-limit/file";
import sizeLimit from "size-limit";
import { z } from "zod";
import { buildFrontend } from "../setup/frontend-build.ts";
import { REPOSITORY_ROOT } from "../repository.ts";

/** React has 58 kB; router, schemas and the base of the component library 32 kB; the rest is our code. */
const MAX_APP_BYTES = 130_000;
/** Part of the page, so it delays the first paint. */
const MAX_OWN_BYTES = 4_000;
/** The subsets that frontend/build/subset-fonts.ts writes. */
const MAX_FONT_BYTES = 53_000;
const Sizes = z.tuple([z.object({ size: z.number() })]);

/** @returns the app's first scripts, which a built page names, as paths below its folder */
export function appScriptsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/(["`])\/(assets\/[^"`]+\.js)\1/g)].map(([, , file = ""]) => file))];
}

/** @returns the text of all scripts in a page */
export function ownScriptsOf(html: string): string {
  return [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script]) => script).join("\n");
}

/** @returns the fonts that a built page loads before its first paint, as paths below its folder */
export function fontsOf(html: string): string[] {
  return [...html.matchAll(/<link[^>]* href="\/(assets\/[^"]+\.woff2)"/g)].map(([, file = ""]) => file);
}

async function measureFonts(outDir: string): Promise<number> {
  const files = fontsOf(await readFile(path.join(outDir, "index.html"), "utf8"));
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(outDir, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function measureOwnScripts(outDir: string): Promise<number> {
  return brotliCompressSync(ownScriptsOf(await readFile(path.join(outDir, "index.html"), "utf8"))).length;
}

/**
 * @param outDir folder of the built pages
 * @returns the app's first scripts on `/` and their total size in brotli
 */
async function measureApp(outDir: string): Promise<{ files: string[]; sizeBytes: number }> {
  const files = appScriptsOf(await readFile(path.join(outDir, "index.html"), "utf8"));
  const [{ size }] = Sizes.parse(
    await sizeLimit(
      [filePreset],
      files.map((file) => path.join(outDir, file)),
    ),
  );
  return { files, sizeBytes: size };
}

/** Prints a measured size; sets the exit code of a failure when it is above its limit, or nothing was found. */
function judge(what: string, sizeBytes: number, maxBytes: number): void {
  const isWithin = sizeBytes > 0 && sizeBytes <= maxBytes;
  const size = `${(sizeBytes / 1_000).toFixed(1)} kB`;
  process.stdout.write(`${what}: ${size}; at most ${maxBytes / 1_000} kB${isWithin ? "" : ": too much"}\n`);
  if (!isWithin) process.exitCode = 1;
}

if (import.meta.main) {
  const outDir = path.join(REPOSITORY_ROOT, "frontend", "dist");
  await buildFrontend({ root: REPOSITORY_ROOT, outDir, report: (line) => process.stdout.write(`${line}\n`) });
  judge("Scripts of / before its first use, in brotli", await measureOwnScripts(outDir), MAX_OWN_BYTES);
  const { files, sizeBytes } = await measureApp(outDir);
  judge(`First scripts of the app, in brotli, ${files.length} files`, sizeBytes, MAX_APP_BYTES);
  judge("Fonts", await measureFonts(outDir), MAX_FONT_BYTES);
}
