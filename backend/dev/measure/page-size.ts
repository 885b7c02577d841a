/**
 * `npm run size`: measures the compressed scripts that a browser needs before the home page works. Fails above the
 * limit.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import filePreset from "@size-limit/file";
import sizeLimit from "size-limit";
import { z } from "zod";
import { buildFrontend } from "../setup/frontend-build.ts";
import { REPOSITORY_ROOT } from "../repository.ts";

/** React, router, socket client and the base of the component library have 155 kB; the rest is our code. */
const MAX_BYTES = 185_000;
const Sizes = z.tuple([z.object({ size: z.number() })]);

/** @returns the scripts that a built page requests after its first paint, as paths below its folder */
export function scriptsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file))];
}

/**
 * @param outDir folder of the built pages
 * @returns the first scripts of `/` and their total size in brotli
 */
export async function measureFirstLoad(outDir: string): Promise<{ files: string[]; sizeBytes: number }> {
  const files = scriptsOf(await readFile(path.join(outDir, "index.html"), "utf8"));
  const [{ size }] = Sizes.parse(
    await sizeLimit(
      [filePreset],
      files.map((file) => path.join(outDir, file)),
    ),
  );
  return { files, sizeBytes: size };
}

if (import.meta.main) {
  const outDir = path.join(REPOSITORY_ROOT, "frontend", "dist");
  await buildFrontend({ root: REPOSITORY_ROOT, outDir, report: (line) => process.stdout.write(`${line}\n`) });
  const { files, sizeBytes } = await measureFirstLoad(outDir);
  const isWithin = sizeBytes <= MAX_BYTES && files.length > 0;
  const size = `${(sizeBytes / 1_000).toFixed(1)} kB in brotli, ${files.length} files`;
  process.stdout.write(`First scripts of /: ${size}; at most ${MAX_BYTES / 1_000} kB${isWithin ? "" : ": too much"}\n`);
  if (!isWithin) process.exitCode = 1;
}
