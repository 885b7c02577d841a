/** @returns the host of a visitor's link, which is all that operators see of it */
export function siteOf(link: string): string {
  return URL.parse(link)?.hostname.replace(/^www\./, "") ?? "";
}
