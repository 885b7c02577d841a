/**
 * Cookies of an account that the operator has at a site, from a file in Netscape format. The file is only read. Each call
 * of yt-dlp gets a copy that has nothing but valid cookies of the site: yt-dlp prints lines that it cannot read, and a
 * browser's export has cookies of other sites.
 */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { readFile as readToolFile, removeFile, sizeOrZero, writeFile } from "../../tool-files/tool-files.ts";

const HEADER = /^\uFEFF?#\s*(?:Netscape )?HTTP Cookie File/i;
const HTTP_ONLY = "#HttpOnly_";
const YOUTUBE = "youtube.com";
/** Without these, YouTube sees a guest: the first, and one of the others (yt-dlp, `_has_auth_cookies`). */
const SIGNED_IN = "LOGIN_INFO";
const SIGNATURES: ReadonlySet<string> = new Set(["SAPISID", "__Secure-1PAPISID", "__Secure-3PAPISID"]);
/** A browser's export of all sites has some hundred kB. */
const MAX_FILE_BYTES = 4_000_000;
/** Shorter values, such as those of preferences, are no secret and may stand in any text. */
const SECRET_LETTERS = 8;

/** The file cannot be used; the message is a sentence for the operator and has no content of the file. */
export class CookiesFileError extends Error {}

interface Cookie {
  readonly domain: string;
  readonly path: string;
  /** Seconds since 1970; 0 for the end of the browser's session. */
  readonly expiresSeconds: number;
  readonly name: string;
  readonly value: string;
}

/** Of the cookies of one site. */
interface ParsedFile {
  readonly valid: readonly Cookie[];
  /** Names. */
  readonly expired: readonly string[];
  readonly unreadableLines: number;
}

/** A copy for one call of yt-dlp, which writes renewed cookies back to it. Disposing of it removes it. */
export interface CookieCopy extends AsyncDisposable {
  /** Name of the file in the call's folder. */
  readonly file: string;
  /** @returns the values of cookies, which must not stay in what yt-dlp printed; also of those that it has renewed */
  secrets(): Promise<readonly string[]>;
}

export class AccountCookies {
  readonly #source: string;
  readonly #site: string;

  /**
   * @param source absolute path of the operator's file; it is read again for each copy
   * @param site domain in lower case
   */
  constructor(source: string, site = YOUTUBE) {
    this.#source = source;
    this.#site = site;
  }

  /**
   * Reads the file as a call would.
   * @returns sentences about what the operator should look at
   * @throws CookiesFileError when the file does not sign in
   */
  async check(): Promise<readonly string[]> {
    const { expired, unreadableLines } = await this.#read();
    const { mode } = await stat(this.#source);
    return [
      ...(expired.length > 0 ? [`expired cookies in it are left out: ${[...new Set(expired)].join(", ")}`] : []),
      ...(unreadableLines > 0 ? [`${unreadableLines} of its lines cannot be read and are left out`] : []),
      ...((mode & 0o077) === 0 ? [] : ["other users of this machine may read it; chmod 600 prevents that"]),
    ];
  }

  /**
   * @param folder of the call; the copy can be read by this process's user only
   * @throws CookiesFileError when the file has become unusable
   */
  async copyInto(folder: string): Promise<CookieCopy> {
    const { valid } = await this.#read();
    const site = this.#site;
    const file = `account-${crypto.randomUUID()}.txt`;
    const copy = path.join(folder, file);
    await writeFile(copy, `# Netscape HTTP Cookie File\n${valid.map(renderLine).join("")}`);
    return {
      file,
      async secrets() {
        const isThere = (await sizeOrZero(copy)) > 0;
        const renewed = isThere
          ? parseFile((await readToolFile(copy, MAX_FILE_BYTES)).toString("utf8"), site).valid
          : [];
        return [...valid, ...renewed].map(({ value }) => value).filter((text) => text.length >= SECRET_LETTERS);
      },
      [Symbol.asyncDispose]: () => removeFile(copy),
    };
  }

  async #read(): Promise<ParsedFile> {
    const parsed = parseFile(await this.#readText(), this.#site);
    const names = new Set(parsed.valid.map(({ name }) => name));
    if (names.size === 0) throw this.#unusable(`has no cookie of ${this.#site} that is still valid`);
    if (this.#site !== YOUTUBE) return parsed;
    if (!names.has(SIGNED_IN) || ![...SIGNATURES].some((name) => names.has(name)))
      throw this.#unusable(`has no valid cookies of an account: ${SIGNED_IN} or SAPISID is missing or expired`);
    return parsed;
  }

  async #readText(): Promise<string> {
    let text: string;
    try {
      if ((await stat(this.#source)).size > MAX_FILE_BYTES) throw this.#unusable("is too large for a file of cookies");
      text = await readFile(this.#source, "utf8");
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      throw this.#unusable(`cannot be read (${String(error.code)})`);
    }
    if (!HEADER.test(text))
      throw this.#unusable('is not in Netscape format: "# Netscape HTTP Cookie File" comes first');
    return text;
  }

  #unusable(reason: string): CookiesFileError {
    return new CookiesFileError(
      `the cookies file ${this.#source} ${reason}. Export the cookies of a signed-in browser again.`,
    );
  }
}

function parseFile(text: string, site: string): ParsedFile {
  const nowSeconds = Date.now() / 1_000;
  const valid: Cookie[] = [];
  const expired: string[] = [];
  let unreadableLines = 0;
  for (const line of text.split(/\r?\n/).map((whole) => whole.replace(HTTP_ONLY, ""))) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const cookie = parseLine(line);
    if (!cookie) unreadableLines += 1;
    else if (!isOfSite(cookie.domain, site)) continue;
    else if (cookie.expiresSeconds !== 0 && cookie.expiresSeconds <= nowSeconds) expired.push(cookie.name);
    else valid.push(cookie);
  }
  return { valid, expired, unreadableLines };
}

function isOfSite(domain: string, site: string): boolean {
  return `.${domain}`.toLowerCase().endsWith(`.${site}`);
}

function parseLine(line: string): Cookie | undefined {
  const [domain = "", , cookiePath = "", , expires = "", name = "", value = "", ...rest] = line.split("\t");
  const isReadable =
    /^[\w.-]+$/.test(domain) &&
    cookiePath.startsWith("/") &&
    /^(?:\d{1,12}(?:\.\d+)?)?$/.test(expires) &&
    /^[\x21-\x7e]+$/.test(name) &&
    /^[\x20-\x7e]*$/.test(value) &&
    rest.length === 0;
  return isReadable
    ? { domain, path: cookiePath, expiresSeconds: Math.floor(Number(expires)), name, value }
    : undefined;
}

/** `TRUE` for secure: a request without TLS must not carry the cookie. */
function renderLine({ domain, path: cookiePath, expiresSeconds, name, value }: Cookie): string {
  const includesSubdomains = domain.startsWith(".") ? "TRUE" : "FALSE";
  return `${[domain, includesSubdomains, cookiePath, "TRUE", expiresSeconds, name, value].join("\t")}\n`;
}
