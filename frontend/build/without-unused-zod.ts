/**
 * Build steps: remove parts of zod that every schema references and the pages never use. zod/mini has no such
 * references, but the schemas that server and pages share are written in the syntax of the full zod.
 */
import type { Plugin } from "vite";

const GENERATOR_FILES = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;
/** Functions that are called when a schema is created. */
const CALLED_BY_SCHEMAS = /^create\w+Method$/;
const MESSAGES_FILE = /\/zod\/v4\/locales\/en\.js$/;

export function withoutUnusedZod(): Plugin[] {
  return [
    {
      // 4.9 kB of the first scripts, compressed.
      name: "tapedeck-without-json-schemas",
      apply: "build",
      transform: {
        filter: { id: GENERATOR_FILES },
        handler(code) {
          const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = ""]) => name);
          const lines = names.map(
            (name) => `export const ${name} = ${CALLED_BY_SCHEMAS.test(name) ? "() => undefined" : "undefined"};`,
          );
          return { code: lines.join("\n"), map: null };
        },
      },
    },
    {
      // 0.9 kB. Pages word their errors themselves; zod then calls every issue "Invalid input", with its path and code.
      name: "tapedeck-without-zod-messages",
      apply: "build",
      transform: {
        filter: { id: MESSAGES_FILE },
        handler(code) {
          if (!code.includes("export default function () {\n    return {\n        localeError:"))
            this.error("zod's English messages have another form");
          return { code: "export default () => ({ localeError: () => undefined });", map: null };
        },
      },
    },
  ];
}
