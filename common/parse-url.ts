/** @returns null for what is no URL. `URL.parse` does the same, but not before Chrome 126, Firefox 126 and Safari 18. */
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
