/**
 * Pages that lead on to an address that stands in their own. It is read there and checked like any other; none of these
 * pages is asked.
 */
const GOOGLE = /^(?:[\w-]+\.)?google(?:\.[a-z]{2,3}){1,2}$/;
const YOUTUBE = /^(?:[\w-]+\.)*youtube\.com$/;
const PARAMETERS = ["continue", "next", "next_url", "q", "url", "u", "to", "uddg", "z", "imgrefurl"];

/** Host and path of known redirectors. */
const REDIRECTORS: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^consent\.(?:youtube|google)\.[a-z.]+$/, /^/],
  [/^accounts\.(?:youtube|google)\.com$/, /^/],
  [YOUTUBE, /^\/(?:redirect|attribution_link|signin|oembed|verify_age|verify_controversy|logout)\b/],
  [GOOGLE, /^\/(?:url|imgres)\b/],
  [/^(?:[\w-]+\.)*(?:facebook|instagram|messenger|threads)\.(?:com|net)$/, /^\/(?:l\.php|flx\/warn\/)?$/],
  [/^l\.wl\.co$/, /^\/l\b/],
  [/^(?:[\w-]+\.)*safelinks\.protection\.outlook\.com$/, /^/],
  [/^(?:www\.)?duckduckgo\.com$/, /^\/l\//],
  [/^out\.reddit\.com$/, /^/],
  [/^(?:www\.|m\.)?vk\.com$/, /^\/away\.php/],
  [/^steamcommunity\.com$/, /^\/linkfilter\b/],
  [/^(?:www\.)?slack-redir\.net$/, /^\/link\b/],
  [/^t\.umblr\.com$/, /^\/redirect\b/],
  [/^(?:www\.)?linkedin\.com$/, /^\/(?:redir|safety)\//],
  [/^t\.me$/, /^\/(?:share\/url|iv)\b/],
];

/**
 * @returns the address that a known redirector leads to, unchecked; empty when one of YouTube names none; undefined for
 *   another page
 */
export function targetOf({ hostname, pathname, searchParams }: URL): string | undefined {
  if (!REDIRECTORS.some(([host, path]) => host.test(hostname) && path.test(pathname))) return undefined;
  const target = PARAMETERS.map((name) => searchParams.get(name) ?? "").find((value) => value !== "");
  // A path is one of YouTube, also where Google asks visitors to sign in.
  if (target === undefined) return YOUTUBE.test(hostname) ? "" : undefined;
  return /^\/(?!\/)/.test(target) ? `https://www.youtube.com${target}` : target;
}
