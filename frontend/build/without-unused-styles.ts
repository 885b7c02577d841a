/**
 * Build step: Chakra and Emotion have lists of all properties of CSS, attributes of HTML, and states such as `_hover`. The
 * pages use few of them. A name that stands in no source file is left out of the lists.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";

const FRONTEND = path.resolve(import.meta.dirname, "..");
const SOURCES = ["src/**/*.{ts,tsx}", "../node_modules/@chakra-ui/react/dist/esm/components/**/*.js"];

/** A part of a file that is one of a list of names. */
interface Entries {
  readonly file: RegExp;
  readonly entry: RegExp;
  /** @returns the names, of which one must be used */
  readonly names: (entry: RegExpExecArray) => readonly string[];
  /** Fewer mean that the library has another form. */
  readonly least: number;
}

const quoted = (text = ""): string[] => [...text.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);

const LISTS: readonly Entries[] = [
  {
    // `  hover: […],`
    file: /\/@chakra-ui\/react\/dist\/esm\/preset-base\.js$/,
    entry: /^ {2}(\w+): (?:".*"|\[\n[^]*?\n {2}\]),?$/gm,
    names: ([, name = ""]) => [`_${name}`],
    least: 90,
  },
  {
    // `    background: { …, shorthand: ["bg"], … },`
    file: /\/@chakra-ui\/react\/dist\/esm\/preset-base\.js$/,
    entry: /^ {4}(\w+): \{(?:\n[^]*?\n {4}\}|.*\}),?$/gm,
    names: ([text, name = ""]) => [name, ...quoted(/shorthand: (\[[^\]]*\]|"\w+")/.exec(text)?.[1])],
    least: 200,
  },
  {
    // `alignContent,`
    file: /\/@pandacss\/is-valid-prop\/dist\/index\.mjs$/,
    entry: /(?<=[",])(\w+)(?:,|(?="))/g,
    names: ([, name = ""]) => [name],
    least: 500,
  },
  {
    // `acceptCharset|`
    file: /\/@emotion\/is-prop-valid\/dist\/[\w.-]+\.js$/,
    entry: /(?<=[(|])(\w+)\|/g,
    names: ([, name = ""]) => [name],
    least: 300,
  },
];

/** Emotion's prefixes, which the supported browsers do not need; the one that Safari needs is written out. */
const PREFIXES_FILE = /\/@emotion\/cache\/dist\/emotion-cache\.browser\.esm\.js$/;
const PREFIXES_CODE = "var defaultStylisPlugins = [prefixer];";

export function withoutUnusedStyles(): Plugin[] {
  let used: ReadonlySet<string>;
  const lists: Plugin = {
    name: "tapedeck-without-unused-styles",
    apply: "build",
    buildStart() {
      const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: FRONTEND }));
      used = new Set(files.flatMap((file) => readFileSync(path.join(FRONTEND, file), "utf8").match(/\w+/g) ?? []));
    },
    transform: {
      filter: { id: LISTS.map(({ file }) => file) },
      handler(code, id) {
        let rest = code;
        for (const { entry, names, least } of LISTS.filter(({ file }) => file.test(id))) {
          const entries = [...rest.matchAll(entry)];
          if (entries.length < least) this.error(`${id} has another form: ${entries.length} names`);
          for (const match of entries.toReversed())
            if (!names(match).some((name) => used.has(name)))
              rest = rest.slice(0, match.index) + rest.slice(match.index + match[0].length);
        }
        return { code: rest, map: null };
      },
    },
  };
  const prefixes: Plugin = {
    name: "tapedeck-without-prefixes",
    apply: "build",
    transform: {
      filter: { id: PREFIXES_FILE },
      handler(code) {
        if (!code.includes(PREFIXES_CODE)) this.error("Emotion's cache has another form");
        return { code: code.replace(PREFIXES_CODE, "var defaultStylisPlugins = [];"), map: null };
      },
    },
  };
  return [lists, prefixes];
}
