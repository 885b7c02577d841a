/**
 * Pages that lead on to an address that stands in their own. It is read there and checked like any other; none of these
 * pages is asked.
 */
const GOOGLE = /^(?:[\w-]+\.)?google(?:\.[a-z]{2,3}){1,2}$/;
const YOUTUBE = /^(?:[\w-]+\.)*youtube\.com$/;
const PARAMETERS = ["continue", "next", "next_url", "q", "url", "u", "to", "uddg", "z", "imgrefurl", "target"];

/** Host and path of known redirectors. */
const REDIRECTORS: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^consent\.(?:youtube|google)\.[a-z.]+$/, /^/],
  [/^accounts\.(?:youtube|google)\.com$/, /^/],
  [YOUTUBE, /^\/(?:redirect|attribution_link|signin|oembed|verify_age|verify_controversy|supported_browsers|logout)\b/],
  [GOOGLE, /^\/(?:url|imgres|translate|sorry)\b/],
  [
    /^(?:[\w-]+\.)*(?:facebook|instagram|messenger|threads)\.(?:com|net)$/,
    /^\/(?:l\.php|flx\/warn\/|sharer\/sharer\.php)?$/,
  ],
  [/^l\.wl\.co$/, /^\/l\b/],
  [/^(?:[\w-]+\.)*safelinks\.protection\.outlook\.com$/, /^/],
  [/^(?:www\.)?duckduckgo\.com$/, /^\/l\//],
  [/^out\.reddit\.com$/, /^/],
  [/^(?:www\.|m\.)?vk\.com$/, /^\/away\.php/],
  [/^steamcommunity\.com$/, /^\/linkfilter\b/],
  [/^(?:www\.)?slack-redir\.net$/, /^\/link\b/],
  [/^t\.umblr\.com$/, /^\/redirect\b/],
  [/^(?:www\.)?linkedin\.com$/, /^\/(?:redir|safety)\//],
  [/^(?:t|telegram)\.me$/, /^\/(?:share\/url|iv)\b/],
  [/^(?:www\.)?(?:twitter|x)\.com$/, /^\/(?:intent|share)\b/],
  [/^(?:[\w-]+\.)?yandex\.(?:[a-z]{2,3}|com\.[a-z]{2})$/, /^\/clck\b/],
  [/^link\.zhihu\.com$/, /^/],
  [/^(?:www\.)?reddit\.com$/, /^\/submit\b/],
  [/^(?:wa\.me|api\.whatsapp\.com)$/, /^/],
];

/** Hosts, and where the address stands in path and query. */
const CARRIERS: readonly (readonly [host: RegExp, address: RegExp])[] = [
  [GOOGLE, /^\/amp\/(?:s\/)?(.+)$/],
  [/^web\.archive\.org$/, /^\/web\/[^/]+\/(.+)$/],
  [/^(?:[a-z]{2}\.)?r\.search\.yahoo\.com$/, /\/RU=([^/]+)\//],
  [/^(?:www\.)?href\.li$/, /^\/\?(.+)$/],
];

function carriedBy({ hostname, pathname, search }: URL): string | undefined {
  const carrier = CARRIERS.find(([host]) => host.test(hostname));
  return carrier?.[1].exec(pathname + search)?.[1];
}

/**
 * @returns the address that a known redirector leads to, unchecked; empty when one of YouTube names none; undefined for
 *   another page
 */
export function targetOf(url: URL): string | undefined {
  const carried = carriedBy(url);
  if (carried !== undefined) return carried;
  const { hostname, pathname, searchParams } = url;
  if (!REDIRECTORS.some(([host, path]) => host.test(hostname) && path.test(pathname))) return undefined;
  const words = /https?:\/\/\S+/.exec(searchParams.get("text") ?? "")?.[0];
  const target = PARAMETERS.map((name) => searchParams.get(name) ?? "").find((value) => value !== "") ?? words;
  // A path is one of YouTube, also where Google asks visitors to sign in.
  if (target === undefined) return YOUTUBE.test(hostname) ? "" : undefined;
  return /^\/(?!\/)/.test(target) ? `https://www.youtube.com${target}` : target;
}
