/** @returns the site of a link: its host. Links of one site wait for each other, and operators see no more of a link. */
export function siteOf(link: string): string {
  return URL.parse(link)?.hostname.replace(/^www\./, "") ?? "";
}
