/** Build step: compresses text files once, with the highest level. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";
import { afterBuild } from "./after-build.ts";

/** Fonts and pictures are compressed already. */
const TEXT = /\.(?:js|css|html|svg|webmanifest|json)$/;
/** Smaller files fit into one packet without compression. */
const MIN_BYTES = 1_000;

/** Writes a .br and a .gz file beside each text file. Must be the last build step. */
export function compress(): Plugin {
  return afterBuild("tapedeck-compress", ({ outDir }) => compressFolder(outDir));
}

/** Two thirds of the pages. The server compresses each of them when it is asked for, so that the build takes no longer. */
const USER_PAGE = /[\\/](?:free|pro)[\\/][^\\/]+\.html$/;

/** Compresses every text file in the folder and its subfolders, apart from the pages of signed-in users. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !USER_PAGE.test(file));
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file);
      if (text.length < MIN_BYTES) return;
      const brotli = await promisify(brotliCompress)(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        },
      });
      await writeFile(`${file}.br`, brotli);
      await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
