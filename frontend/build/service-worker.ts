/** Build step: writes the service worker with the list of the pages' files and the hash of the build. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { transformWithOxc } from "vite";
import type { Plugin } from "vite";
import { afterBuild } from "./after-build.ts";

/** Files that the service worker caches when it is installed. */
const SHELL = /^(?:page\.html|manifest\.webmanifest|favicon\.svg|assets\/.+\.(?:js|css|woff2))$/;

/**
 * Writes the service worker, with the list of the files to cache, beside the pages.
 * @param source path of the worker's module, relative to the frontend folder; it has no imports
 */
export function serviceWorker({ source }: { readonly source: string }): Plugin {
  return afterBuild("tapedeck-service-worker", async ({ root, outDir }) => {
    const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(outDir, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
    const files = names.filter((name) => SHELL.test(name)).sort();
    const build = createHash("sha256");
    for (const name of files) build.update(name).update(await readFile(path.join(outDir, name)));
    const file = path.join(root, source);
    const { code } = await transformWithOxc(await readFile(file, "utf8"), file);
    const facts = { build: build.digest("base64url").slice(0, 12), files: files.map((name) => `/${name}`) };
    await writeFile(path.join(outDir, "service-worker.js"), `const PAGES = ${JSON.stringify(facts)};\n${code}`);
  });
}
