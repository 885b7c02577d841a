/** A step of the build: what is sent often is compressed once, as well as it can be. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin, ResolvedConfig } from "vite";

/** Fonts and pictures are compressed already. */
const TEXT = /\.(?:js|css|html|svg|webmanifest|json)$/;
/** Below this an answer fits one packet with its headers either way. */
const LEAST_BYTES = 1_000;

/** Beside each file lie its .br and .gz. */
export function compress(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "tapedeck-compress",
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    // The last of the build's steps; a build that fails never comes here.
    writeBundle: {
      sequential: true,
      order: "post",
      handler: () => compressFolder(path.resolve(config.root, config.build.outDir)),
    },
  };
}

/** Every file of text in the folder and below. */
export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file);
      if (text.length < LEAST_BYTES) return;
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
