/**
 * Reads the built pages. If the operator has set email addresses, they replace the addresses of the build. If the
 * address of the site is known, previews of shared links have a picture. The contact page is built twice: where there is
 * a mail server, the one with a form is read. Pages of users are compressed here.
 */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { CONTACTS_AS_BUILT, type Contacts } from "../../../common/contacts.ts";
import { FORM_PAGE, NOT_FOUND_PAGE } from "../../../common/pages.ts";

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
   * @returns null if there is no file with this encoding
   */
  read(name: string, encoding: Encoding): Promise<Buffer | null>;
}

/**
 * @param distFolder the folder of the built pages
 * @param siteUrl as the operator has set it, without a slash at the end; null if it is not set
 */
export function openPageFiles(distFolder: string, contacts: Contacts, siteUrl: string | null): PageFiles {
  const isAsBuilt =
    contacts.supportEmail === CONTACTS_AS_BUILT.supportEmail &&
    contacts.takedownEmail === CONTACTS_AS_BUILT.takedownEmail &&
    contacts.hasForm === CONTACTS_AS_BUILT.hasForm &&
    siteUrl === null;
  /** Pages with the operator's addresses, and those that the build has not compressed, by the path of their file. */
  const cache = new Map<string, { readonly version: string; readonly body: Promise<Buffer> }>();

  const fileOf = (name: string) =>
    join(distFolder, contacts.hasForm ? name.replace(/\bcontact(?=\.)/, FORM_PAGE) : name);

  async function render(name: string, encoding: Encoding): Promise<Buffer> {
    const html = await readFile(fileOf(name), "utf8");
    if (isAsBuilt) return COMPRESS[encoding](Buffer.from(html));
    const metadata = siteUrl === null ? "" : siteMetadata(siteUrl, pathOf(name));
    return COMPRESS[encoding](Buffer.from(withAddresses(html, contacts, metadata)));
  }

  return {
    has: (name) => existsSync(fileOf(name)),
    async read(name, encoding) {
      const file = fileOf(name);
      const builtFile = file + EXTENSIONS[encoding];
      const isBuilt = encoding === "identity" || existsSync(builtFile);
      if (!isBuilt && !isOfUser(name)) return null;
      if (isBuilt && isAsBuilt) return readFile(builtFile);
      const { mtimeMs, size } = await stat(file);
      // The clock of most file systems ticks every 4 ms.
      const version = `${mtimeMs} ${size}`;
      const cached = cache.get(builtFile);
      if (cached?.version === version) return cached.body;
      const body = render(name, encoding);
      cache.set(builtFile, { version, body });
      body.catch(() => cache.delete(builtFile));
      return body;
    },
  };
}

/** The build leaves pages of signed-in users uncompressed: they are many. */
const isOfUser = (name: string) => name.includes("/");

const FORM_META = /("hasForm":)false/;

/** @returns the path of a prerendered page; null for a page that many paths may get */
function pathOf(name: string): string | null {
  const [page = ""] = basename(name).split(".");
  if (page === "page" || page === NOT_FOUND_PAGE) return null;
  return page === "index" ? "/" : `/${page}`;
}

/** Replaces the addresses in the text of a page, and what its meta elements say. */
function withAddresses(html: string, contacts: Contacts, metadata: string): string {
  return html
    .replace("</head>", () => `${metadata}</head>`)
    .replace(FORM_META, (_, start: string) => start + String(contacts.hasForm))
    .replaceAll(CONTACTS_AS_BUILT.supportEmail, () => escapeHtml(contacts.supportEmail))
    .replaceAll(CONTACTS_AS_BUILT.takedownEmail, () => escapeHtml(contacts.takedownEmail));
}

/**
 * The picture in previews of shared links, and the address of a prerendered page for search engines, which the page's
 * script adds to others. Both are whole addresses, which are not taken from the request: a page that is asked for under a
 * foreign host would name that host.
 */
function siteMetadata(siteUrl: string, path: string | null): string {
  const canonical = path === null ? "" : `<link rel="canonical" href='${escapeHtml(siteUrl + path)}' />`;
  return (
    `${canonical}<meta property="og:image" content='${escapeHtml(siteUrl)}/shared-link.png' />` +
    `<meta name="twitter:card" content="summary_large_image" />`
  );
}

/** Escapes the only special characters of HTML that a valid address may contain. */
function escapeHtml(address: string): string {
  return address.replaceAll("&", "&amp;").replaceAll("'", "&#39;");
}
