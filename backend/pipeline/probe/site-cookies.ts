/**
 * The operator's accounts at sites other than YouTube: a folder that may have one file of cookies for each site, such as
 * `vimeo.com.txt`. It is looked at for each link, so a file that is put there works at once.
 */
import { access, readdir } from "node:fs/promises";
import path from "node:path";
import { AccountCookies, CookiesFileError } from "./account-cookies.ts";

const END = ".txt";
const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

export class SiteCookies {
  readonly #folder: string;

  /** @param folder absolute; it need not be there */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns the account for a host: that of the nearest domain it is a part of; undefined when there is none */
  async of(host: string): Promise<AccountCookies | undefined> {
    const labels = host.toLowerCase().split(".");
    const domains = labels.map((_, index) => labels.slice(index).join("."));
    for (const site of domains.filter((name) => NAME.test(name))) {
      const file = path.join(this.#folder, `${site}${END}`);
      if (await isThere(file)) return new AccountCookies(file, site);
    }
    return undefined;
  }

  /** @returns sentences about what the operator should look at; none of them has a cookie */
  async check(): Promise<readonly string[]> {
    const names = (await isThere(this.#folder)) ? (await readdir(this.#folder)).toSorted() : [];
    const said = await Promise.all(names.map((name) => this.#checkFile(name)));
    return said.flat();
  }

  async #checkFile(name: string): Promise<readonly string[]> {
    const file = path.join(this.#folder, name);
    const site = name.endsWith(END) ? name.slice(0, -END.length) : "";
    if (!NAME.test(site)) return [`${file} is not used: its name must be that of a site, such as vimeo.com${END}`];
    try {
      return (await new AccountCookies(file, site).check()).map((sentence) => `${file}: ${sentence}`);
    } catch (error) {
      if (!(error instanceof CookiesFileError)) throw error;
      return [error.message];
    }
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
