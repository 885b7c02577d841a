/**
 * How much script a visitor's browser fetches before the home page works: `npm run size`. Compressed
 * as it is sent; above the limit the command fails.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import filePreset from "@size-limit/file";
import sizeLimit from "size-limit";
import { z } from "zod";
import { buildFrontend } from "../setup/frontend-build.ts";
import { REPOSITORY_ROOT } from "../repository.ts";

/** React, router, socket client and a component library's base weigh 155 kB on such a page; the rest is ours. */
const MAX_BYTES = 185_000;
const Sizes = z.tuple([z.object({ size: z.number() })]);

/** The scripts that a built page asks for once it is painted, as paths below its folder. */
export function scriptsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file))];
}

/** @param outDir where the pages were built @returns bytes in brotli, all first scripts of `/` together */
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
  process.stdout.write(
    `First scripts of /: ${(sizeBytes / 1_000).toFixed(1)} kB in brotli, ${files.length} files; at most ${MAX_BYTES / 1_000} kB${isWithin ? "" : ": too much"}\n`,
  );
  if (!isWithin) process.exitCode = 1;
}
