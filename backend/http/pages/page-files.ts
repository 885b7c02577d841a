/** The built pages, with what an operator has to say in them put in when they are handed out. */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { CONTACTS_AS_BUILT, type Contacts } from "../../../common/contacts.ts";

/** How a page was compressed when it was built. */
const ENDINGS = { br: ".br", gzip: ".gz", identity: "" } as const;
export type Encoding = keyof typeof ENDINGS;

/** As well as they can: each page once, not for each visitor. */
const COMPRESS = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: (text: Buffer) => Promise.resolve(text),
} as const;

export interface PageFiles {
  has(name: string): boolean;
  /**
   * Null where the page was not compressed so when it was built. Looked for anew each time: pages may be built under a
   * running server.
   */
  read(name: string, encoding: Encoding): Promise<Buffer | null>;
}

export function openPageFiles(distFolder: string, contacts: Contacts): PageFiles {
  const isAsBuilt =
    contacts.supportEmail === CONTACTS_AS_BUILT.supportEmail &&
    contacts.takedownEmail === CONTACTS_AS_BUILT.takedownEmail;
  const filled = new Map<string, { readonly builtMs: number; readonly body: Promise<Buffer> }>();

  async function fill(file: string, encoding: Encoding): Promise<Buffer> {
    return COMPRESS[encoding](Buffer.from(putIn(contacts, await readFile(file, "utf8"))));
  }

  return {
    has: (name) => existsSync(join(distFolder, name)),
    async read(name, encoding) {
      const file = join(distFolder, name);
      const built = file + ENDINGS[encoding];
      if (encoding !== "identity" && !existsSync(built)) return null;
      if (isAsBuilt) return readFile(built);
      const { mtimeMs: builtMs } = await stat(built);
      const known = filled.get(built);
      if (known?.builtMs === builtMs) return known.body;
      const body = fill(file, encoding);
      filled.set(built, { builtMs, body });
      body.catch(() => filled.delete(built));
      return body;
    },
  };
}

/** Where pages name them, in their text and in the head for their script. */
function putIn(contacts: Contacts, html: string): string {
  return html
    .replaceAll(CONTACTS_AS_BUILT.supportEmail, () => escape(contacts.supportEmail))
    .replaceAll(CONTACTS_AS_BUILT.takedownEmail, () => escape(contacts.takedownEmail));
}

/** All that an address may hold of what means something in a page. */
function escape(address: string): string {
  return address.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
}
