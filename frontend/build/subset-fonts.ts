/**
 * Writes the fonts of the pages: `node frontend/build/subset-fonts.ts`. Takes the Latin fonts of their packages and
 * leaves out weights that no text has, and alternative letter forms; every character remains.
 * Run it manually when a package is updated or another weight is used, and commit the files in frontend/src/theme/fonts.
 * Needs Python with `fonttools` and `brotli`; `PYTHON` names another Python than `python3`.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const PACKAGES = path.resolve(import.meta.dirname, "../../node_modules/@fontsource-variable");
const FONTS = path.resolve(import.meta.dirname, "../src/theme/fonts");

/** `weights` are also those of the `@font-face` rules in base.css. One weight of the headings takes 10 kB less than two. */
const SOURCES = [
  { name: "inter", weights: "400:700" },
  { name: "bricolage-grotesque", weights: "700" },
] as const;

/** Kerning, marks, ligatures, and figures of equal width. */
const FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "calt", "liga", "tnum"];

const python = async (module: string, ...args: string[]) =>
  await promisify(execFile)(process.env["PYTHON"] ?? "python3", ["-m", module, ...args]);

await mkdir(FONTS, { recursive: true });
const drafts = await mkdtemp(path.join(tmpdir(), "tapedeck-fonts-"));
try {
  for (const { name, weights } of SOURCES) {
    const draft = path.join(drafts, `${name}.woff2`);
    const font = path.join(FONTS, `${name}.woff2`);
    const source = path.join(PACKAGES, name, "files", `${name}-latin-wght-normal.woff2`);
    await python("fontTools.varLib.instancer", source, `wght=${weights}`, "--output", draft);
    await python(
      "fontTools.subset",
      draft,
      "--unicodes=*",
      `--layout-features=${FEATURES.join(",")}`,
      "--flavor=woff2",
      `--output-file=${font}`,
    );
    // The licence must accompany the font.
    await copyFile(path.join(PACKAGES, name, "LICENSE"), path.join(FONTS, `${name}-LICENSE.txt`));
    process.stdout.write(`${name}: ${((await stat(font)).size / 1_000).toFixed(1)} kB\n`);
  }
} finally {
  await rm(drafts, { recursive: true, force: true });
}
