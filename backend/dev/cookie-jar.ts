/** As much of a browser's cookie jar as one site's tests need: names, paths, and going stale. */
export class CookieJar {
  readonly #cookies = new Map<string, { name: string; value: string; path: string; endsAtMs: number }>();

  /** Takes what an answer sets. */
  keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const [name = "", value = ""] = split(pair);
      const given = new Map(attributes.map((attribute) => split(attribute)).map(([key = "", text = ""]) => [key.toLowerCase(), text]));
      const path = given.get("path") ?? "/";
      const maxAge = given.get("max-age");
      const expires = given.get("expires");
      const endsAtMs = maxAge !== undefined ? Date.now() + Number(maxAge) * 1_000 : expires !== undefined ? Date.parse(expires) : Infinity;
      this.#cookies.set(`${path} ${name}`, { name, value, path, endsAtMs });
    }
  }

  /** The `Cookie` header for a path. */
  header(path = "/"): string {
    return [...this.#cookies.values()]
      .filter((cookie) => cookie.endsAtMs > Date.now() && (path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, "/"))))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  }
}

function split(text: string): string[] {
  const at = text.indexOf("=");
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
