/**
 * Pages that lead on to an address that stands in their own. It is read there and checked like any other; none of these
 * pages is asked.
 */
const GOOGLE = /^(?:[\w-]+\.)?google(?:\.[a-z]{2,3}){1,2}$/;
const YOUTUBE = /^(?:[\w-]+\.)*youtube\.com$/;
const PARAMETERS = "continue next next_url q url u to uddg z imgrefurl target pfurl a".split(" ");

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
  [/^links?\.(?:zhihu\.com|csdn\.net|juejin\.cn|jianshu\.com)$/, /^/],
  [/^(?:weixin110|c\.pc)\.qq\.com$/, /^/],
  [/^statics\.teams\.cdn\.office\.net$/, /^\/evergreen-assets\/safelinks\//],
  [/^linkprotect\.cudasvc\.com$/, /^\/url\b/],
  [/^getpocket\.com$/, /^\/redirect\b/],
  [/^(?:social-plugins\.)?line\.me$/, /^\/(?:R|lineit)\//],
  [/^(?:www\.)?reddit\.com$/, /^\/submit\b/],
  [/^(?:wa\.me|api\.whatsapp\.com)$/, /^/],
];

/** Base64 with the letters of addresses. @returns empty for anything else */
function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** Of Proofpoint: `_` is `/`, and `-3A` is `%3A`. */
const decodeDashes = (text: string): string => text.replaceAll("_", "/").replaceAll(/-(?=[\dA-F]{2})/g, "%");

/** Hosts, where the address stands in the path and what follows it, and how it is encoded. */
const CARRIERS: readonly (readonly [host: RegExp, address: RegExp, decode?: (text: string) => string])[] = [
  [GOOGLE, /^\/amp\/(?:s\/)?(.+)$/],
  [GOOGLE, /^\/search\b.*#.*\bvid:([\w-]{11})/, (id) => `https://youtu.be/${id}`],
  [/^(?:www\.)?bing\.com$/, /^\/ck\/a\?.*&u=a1([\w-]+)/, decodeBase64],
  [/^urldefense\.proofpoint\.com$/, /^\/v2\/url\?(?:.*&)?u=([^&]+)/, decodeDashes],
  [/\.cdn\.ampproject\.org$/, /^\/[cv]\/(?:s\/)?(.+)$/],
  [/^web\.archive\.org$/, /^\/web\/[^/]+\/(.+)$/],
  [/^(?:[a-z]{2}\.)?r\.search\.yahoo\.com$/, /\/RU=([^/]+)\//],
  [/^(?:www\.)?href\.li$/, /^\/\?(.+)$/],
];

function carriedBy({ hostname, pathname, search, hash }: URL): string | undefined {
  for (const [host, address, decode = String] of CARRIERS) {
    const carried = host.test(hostname) ? address.exec(pathname + search + hash)?.[1] : undefined;
    if (carried !== undefined) return decode(carried);
  }
  return undefined;
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
