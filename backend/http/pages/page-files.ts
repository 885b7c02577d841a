/** Reads the built pages. If the operator has set email addresses, they replace the addresses of the build. */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { CONTACTS_AS_BUILT, type Contacts } from "../../../common/contacts.ts";

/** The file extension of each encoding in the build. */
const EXTENSIONS = { br: ".br", gzip: ".gz", identity: "" } as const;
export type Encoding = keyof typeof EXTENSIONS;

/** A page is compressed once, not for each visitor. */
const COMPRESS = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
  identity: (text: Buffer) => Promise.resolve(text),
} as const;

export interface PageFiles {
  has(name: string): boolean;
  /**
   * Looks for the file each time, because pages may be built again while the server runs.
   * @returns null if the build has no file with this encoding
   */
  read(name: string, encoding: Encoding): Promise<Buffer | null>;
}

/** @param distFolder the folder of the built pages */
export function openPageFiles(distFolder: string, contacts: Contacts): PageFiles {
  const isAsBuilt =
    contacts.supportEmail === CONTACTS_AS_BUILT.supportEmail &&
    contacts.takedownEmail === CONTACTS_AS_BUILT.takedownEmail;
  /** Pages with the operator's addresses, by the path of the built file. */
  const cache = new Map<string, { readonly builtMs: number; readonly body: Promise<Buffer> }>();

  async function render(file: string, encoding: Encoding): Promise<Buffer> {
    return COMPRESS[encoding](Buffer.from(withContacts(await readFile(file, "utf8"), contacts)));
  }

  return {
    has: (name) => existsSync(join(distFolder, name)),
    async read(name, encoding) {
      const file = join(distFolder, name);
      const builtFile = file + EXTENSIONS[encoding];
      if (encoding !== "identity" && !existsSync(builtFile)) return null;
      if (isAsBuilt) return readFile(builtFile);
      const { mtimeMs: builtMs } = await stat(builtFile);
      const cached = cache.get(builtFile);
      if (cached?.builtMs === builtMs) return cached.body;
      const body = render(file, encoding);
      cache.set(builtFile, { builtMs, body });
      body.catch(() => cache.delete(builtFile));
      return body;
    },
  };
}

/** Replaces the addresses in the text of a page and in the meta element that its script reads. */
function withContacts(html: string, contacts: Contacts): string {
  return html
    .replaceAll(CONTACTS_AS_BUILT.supportEmail, () => escapeHtml(contacts.supportEmail))
    .replaceAll(CONTACTS_AS_BUILT.takedownEmail, () => escapeHtml(contacts.takedownEmail));
}

/** Escapes the only special characters of HTML that a valid address may contain. */
function escapeHtml(address: string): string {
  return address.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
}
