/** An account at the YouTube-shaped site: its cookies, and whether requests that carry them are signed in. */
import { randomBytes } from "node:crypto";

const YEAR_SECONDS = 365 * 86_400;

export class SiteAccount {
  /** False: the site forgets the account's session and clears its cookies, as YouTube does when it is used elsewhere. */
  isSignedIn = true;
  /** Values of all cookies that the account ever got, renewed ones too. None may be found outside of yt-dlp. */
  readonly secrets: string[] = [];
  readonly #session = this.#secret();
  readonly #signature = this.#secret();

  /** The cookies as a browser's export has them. */
  get cookiesFile(): string {
    const expires = Math.floor(Date.now() / 1_000) + YEAR_SECONDS;
    const line = (name: string, value: string): string =>
      `${name === "LOGIN_INFO" ? "#HttpOnly_" : ""}.youtube.com\tTRUE\t/\tTRUE\t${expires}\t${name}\t${value}\n`;
    return `# Netscape HTTP Cookie File\n${line("LOGIN_INFO", this.#session)}${line("SAPISID", this.#signature)}`;
  }

  /** @returns whether the request is signed in, and the `Set-Cookie` of its answer */
  visit(cookies: string | undefined): { readonly isSignedIn: boolean; readonly setCookie?: string } {
    if (!cookies?.includes(`LOGIN_INFO=${this.#session}`)) return { isSignedIn: false };
    const attributes = "Domain=.youtube.com; Path=/; Secure; HttpOnly";
    if (!this.isSignedIn) return { isSignedIn: false, setCookie: `LOGIN_INFO=; Max-Age=0; ${attributes}` };
    return { isSignedIn: true, setCookie: `__Secure-1PSIDTS=${this.#secret()}; Max-Age=86400; ${attributes}` };
  }

  #secret(): string {
    const secret = `secret-${randomBytes(18).toString("base64url")}`;
    this.secrets.push(secret);
    return secret;
  }
}
