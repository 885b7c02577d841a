/**
 * Build step: base.css has the values of the theme's tokens, so the pages need no more than the custom property of each
 * token. Chakra would compute them at every start, with code that is larger than the list of them.
 */
import type { Plugin } from "vite";

const DICTIONARY_CODE = "function createTokenDictionary(options) {";

/** What Chakra's `createSystem` takes from its dictionary of tokens, for tokens without conditions and opacities. */
const dictionaryOf = (properties: object): string => `
const properties = new Map(Object.entries(${JSON.stringify(properties)}));
const categories = {};
for (const [name, property] of properties) {
  const [category, ...path] = name.split(".");
  (categories[category] ??= {})[path.join(".")] = property;
}
export const createTokenDictionary = () => ({
  allTokens: [],
  categoryMap: new Map(),
  colorPaletteMap: new Map(),
  cssVarMap: new Map(),
  getByName: (name) => (properties.has(name) ? { name } : undefined),
  getVar: (name, fallback) => properties.get(name) ?? fallback,
  getCategoryValues: (category) => categories[category] ?? null,
  expandReferenceInValue: (value) => value.replace(/\\{([^{}]+)\\}/g, (_, name) => properties.get(name) ?? name),
});`;

export function tokenNames(): Plugin[] {
  return [
    {
      name: "tapedeck-token-names",
      apply: "build",
      transform: {
        filter: { id: /\/@chakra-ui\/react\/dist\/esm\/styled-system\/token-dictionary\.js$/ },
        async handler(code) {
          if (!code.includes(DICTIONARY_CODE)) this.error("Chakra's dictionary of tokens has changed");
          // Imported only here, because the component library takes seconds to load.
          const { system } = await import("../src/theme/theme.ts");
          return { code: dictionaryOf(Object.fromEntries(system.tokens.flatMap)), map: null };
        },
      },
    },
    {
      name: "tapedeck-without-token-values",
      apply: "build",
      transform: {
        filter: { id: /\/frontend\/src\/theme\/tokens\.ts$/ },
        handler: () => ({ code: "export const tokens = {}, semanticTokens = {}, keyframes = {};", map: null }),
      },
    },
  ];
}
