const APPLE = /iPhone|iPad|Macintosh/;

/**
 * @param address of a feed
 * @returns an address that opens it in a podcast app: Apple's own has one scheme, and most others know the older one
 */
export function podcastLink(address: string, { userAgent }: { readonly userAgent: string } = navigator): string {
  return address.replace(/^https?/, APPLE.test(userAgent) ? "podcast" : "pcast");
}
