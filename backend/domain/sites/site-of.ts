/** @returns the host of a visitor's link: links of one take turns together, and it is all that operators see of a link */
export function siteOf(link: string): string {
  return URL.parse(link)?.hostname.replace(/^www\./, "") ?? "";
}
