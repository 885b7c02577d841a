/**
 * Pages that lead on to an address that stands in their own. It is read there and checked like any other; none of these
 * pages is asked.
 */
const GOOGLE = /^(?:[\w-]+\.)?google(?:\.[a-z]{2,3}){1,2}$/;
const SEARCH =
  /^(?:[\w-]+\.)?(?:(?:bing|duckduckgo|baidu|naver|kagi|startpage|qwant|sogou|mojeek)\.com|search\.seznam\.cz|search\.(?:yahoo|brave)\.com|(?:ecosia|ya)\.(?:org|ru)|yandex\.[a-z.]{2,6})$/;
/** An address that a browser has searched for. */
const SEARCHED =
  /^\/(?:(?:do\/)?search\/?|s|web)?\?(?:.*&)?(?:q|p|text|wd|query)=((?:https?(?::|%3A)|(?:[\w-]+\.)*youtu(?:be\.com|\.be)(?:\/|%2F))[^&]+)/i;
const YOUTUBE = /^(?:[\w-]+\.)*youtube\.com$/;
const PARAMETERS = "continue next next_url q url u to uddg z imgrefurl target pfurl a o".split(" ");

/** With a scheme, of a page, or without its scheme. */
const ADDRESS = /^(?:[a-z][\w.+-]*(?::|%(?:25)*3A)|\/|(?:[\w-]+\.)+[a-z]{2,}\/|watch\?)/i;

/** Host and path of known redirectors, and of pages that share or save an address. */
const REDIRECTORS: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^consent\.(?:youtube|google)\.[a-z.]+$/, /^/],
  [/^accounts\.(?:youtube|google)\.com$/, /^/],
  [YOUTUBE, /^\/(?:redirect|attribution_link|signin|oembed|verify_age|verify_controversy|supported_browsers|logout)\b/],
  [GOOGLE, /^\/(?:url|imgres|translate|website|sorry|share)\b/],
  [/^(?:mail|classroom)\.google\.com$/, /^\/(?:mail|share)\b/],
  [/^(?:outlook\.(?:live|office(?:365)?)\.com|compose\.mail\.yahoo\.com)$/, /^/],
  // Networks and messengers.
  [
    /^(?:[\w-]+\.)*(?:facebook|instagram|messenger|threads)\.(?:com|net)$/,
    /^\/(?:l\.php|flx\/warn\/|share(?:r(?:\/sharer)?)?\.php|dialog\/\w+|intent\/post)?$/,
  ],
  [/^l\.wl\.co$/, /^\/l\b/],
  [/^out\.reddit\.com$/, /^/],
  [/^(?:(?:www|old|new|sh)\.)?reddit\.com$/, /^\/(?:submit|media)\b/],
  [/^(?:www\.)?tiktok\.com$/, /^\/link\/v2\b/],
  [/^(?:www\.|m\.|away\.)?vk\.(?:com|ru)$/, /^\/(?:away|share)\.php/],
  [/^(?:www\.|m\.|connect\.)?ok\.ru$/, /^\/(?:dk|offer)$/],
  [/^(?:go|click|checklink)\.mail\.ru$/, /^/],
  [/^(?:t|telegram)\.me$/, /^\/(?:share\/url|iv)\b/],
  [/^(?:www\.)?(?:twitter|x|threads|bsky)\.(?:com|app)$/, /^\/(?:intent|share)\b/],
  [/^go\.bsky\.app$/, /^\/redirect\b/],
  [/^t\.umblr\.com$/, /^\/redirect\b/],
  [/^(?:www\.)?tumblr\.com$/, /^\/(?:widgets\/share|share)\b/],
  [/^(?:www\.)?linkedin\.com$/, /^\/(?:redir|safety|sharing|shareArticle)\b/],
  [/^(?:[a-z]+\.)?pinterest\.[a-z.]{2,6}$/, /^\/(?:pin\/create|offsite)\b/],
  [/^(?:wa\.me|(?:api|web)\.whatsapp\.com|web\.skype\.com)$/, /^/],
  [/^(?:(?:social-plugins|liff)\.)?line\.me$/, /^/],
  [/^(?:[\w-]+\.)*zalo\.me$/, /^/],
  [/^(?:sharer|story)\.kakao\.com$/, /^/],
  [/^(?:www\.)?band\.us$/, /^\/plugin\/share\b/],
  [/^(?:share|cr|link|papago)\.naver\.(?:com|net)$/, /^/],
  [/^(?:weixin110|c\.pc|docs|mail|connect|sns\.qzone)\.qq\.com$/, /^/],
  [/^(?:(?:service|passport)\.weibo\.com|weibo\.cn)$/, /^\/(?:share|visitor|sinaurl)\b/],
  [/^security\.(?:feishu\.cn|larksuite\.com)$/, /^\/link\b/],
  // Forums, shops and places to keep links.
  [/^links?\.(?:zhihu\.com|csdn\.net|juejin\.cn|jianshu\.com|ld246\.com|uisdc\.com)$/, /^/],
  [/^(?:www\.)?(?:gitee|sspai|coolapk|leetcode|afdian|douban)\.(?:com|cn|net)$/, /^\/(?:link2?|share)\b/],
  [/^(?:xie\.infoq\.cn|hd\.nowcoder\.com)$/, /^\/link\b/],
  [/^(?:www\.)?(?:oschina\.net|yuque\.com)$/, /^\/(?:action\/GoToLink|r\/goto)\b/],
  [/^(?:jump2?\.bdimg\.com|game\.bilibili\.com)$/, /^\/(?:safecheck|linkfilter)\b/],
  [/^steamcommunity\.com$/, /^\/linkfilter\b/],
  [/^(?:www\.)?(?:patreon|quora|medium|noembed)\.com$/, /^\/(?:redirect|_\/redirect|r\/|embed\b)/],
  [/^getpocket\.com$/, /^\/(?:redirect|save|edit)\b/],
  [/^(?:(?:www\.)?(?:snapchat|buffer|evernote)|share\.flipboard)\.com$/, /^\/(?:scan|add|clip\.action|bookmarklet)\b/],
  [/^(?:www\.)?instapaper\.com$/, /^\/(?:hello2|edit)\b/],
  [/^news\.ycombinator\.com$/, /^\/submitlink\b/],
  // Work, mail and its guards.
  [/^(?:[\w-]+\.)*safelinks\.protection\.(?:(?:partner\.)?outlook\.(?:com|cn)|office365\.us)$/, /^/],
  [/^statics\.teams\.cdn\.office\.net$/, /^\/evergreen-assets\/safelinks\//],
  [/^(?:www\.)?slack-redir\.net$/, /^\/link\b/],
  [/^urldefense\.proofpoint\.com$/, /^\/v1\/url\b/],
  [/^linkprotect\.cudasvc\.com$/, /^\/url\b/],
  [/^[\w-]+\.url-protection\.com$/, /^\/v1\/url\b/],
  [/^antiphishing\.vadesecure\.com$/, /^/],
  [/^link\.edgepilot\.com$/, /^\/s\//],
  [/^atpscan\.global\.hornetsecurity\.com$/, /^/],
  [/^deref-(?:gmx|web|mail)\.(?:net|de|com)$/, /^\/mail\/client\//],
  // FortiMail, at hosts of those who use it.
  [/^/, /^\/fmlurlsvc\//],
  [/^(?:clicktime\.symantec|protect2\.fireeye|(?:[a-z]{2}|[\w-]+-ctp)\.trendmicro)\.com$/, /^/],
  // Searches, translators and what shows pages and pictures of others.
  [/^(?:external-content\.)?(?:www\.)?duckduckgo\.com$/, /^\/(?:l\/|iu\/|$)/],
  [/^(?:[\w-]+\.)?yandex\.(?:[a-z]{2,3}|com\.[a-z]{2})$/, /^\/(?:clck|translate|turbo|video\/preview)\b/],
  [/^(?:www\.)?bing\.com$/, /^\/videos\//],
  [/^(?:www\.)?(?:translatetheweb|microsofttranslator)\.com$|^fanyi\.baidu\.com$/, /^/],
  [/^(?:cdn\.embedly\.com|cdn\.iframe\.ly|slack-imgs\.com)$/, /^/],
];

/** Base64 with the letters of addresses. @returns empty for anything else */
function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** An address in JSON in base64. */
const decodeJson = (text: string): string => /https?:[^"]+/.exec(decodeBase64(text))?.[0] ?? "";

/** Of Proofpoint: `_` is `/`, and `-3A` is `%3A`. */
const decodeDashes = (text: string): string => text.replaceAll("_", "/").replaceAll(/-(?=[\dA-F]{2})/g, "%");

/** Hosts, where the address stands in the path and what follows it, and how it is encoded. */
const CARRIERS: readonly (readonly [host: RegExp, address: RegExp, decode?: (text: string) => string])[] = [
  // A link that was pasted into another one.
  [/^(?:(?:www|m|music)\.)?youtube\.com$|^youtu\.be$/, /^\/(?:(?:watch\/?\?v=|shorts\/))?(https?:\/\/.+)$/i],
  [GOOGLE, /^\/amp\/(?:s\/)?(.+)$/],
  [GOOGLE, /^\/search\b.*#.*\bvid:([\w-]{11})/, (id) => `https://youtu.be/${id}`],
  [/^(?:www\.)?bing\.com$/, /^\/ck\/a\?.*&u=a1([\w-]+)/, decodeBase64],
  [/^urldefense\.proofpoint\.com$/, /^\/v2\/url\?(?:.*&)?u=([^&]+)/, decodeDashes],
  [/^eu\d\.proxy\.sophos\.com$|^(?:[\w-]+\.)?protection\.sophos\.com$/, /^\/\?(?:.*&)?u=([\w+/-]+)/, decodeBase64],
  // Of Proofpoint 3: `*` stands for what it has replaced.
  [/^urldefense\.(?:com|us)$/, /^\/v3\/__(https?:\/.+?)__;/, (address) => address.replace(":/*", "://")],
  // Of Disqus: a mark stands behind the address.
  [/^disq\.us$/, /^\/url\?(?:.*&)?url=([^&]+?)(?::|%3A)[\w-]+(?:&|$)/i],
  [/(?:^|\.)cdn\.ampproject\.org$/, /^\/[cv]\/(?:s\/)?(.+)$/],
  [/^web\.archive\.org$/, /^\/(?:web\/[^/]+|save)\/(.+)$/],
  [/^archive\.(?:ph|today|is|md|li|vn|fo)$/, /^\/(?:[\d.-]+|o\/\w+|newest|oldest)\/(.+)$/],
  [/^webcache\.googleusercontent\.com$/, /\bq=cache:(?:[^:]*:)?(https?:.+)$/],
  [/^translated\.turbopages\.org$/, /^\/proxy_u\/[^/]+\/(.+)$/],
  [/^i\d\.wp\.com$/, /^\/(.+)$/],
  [/^images-ext-\d\.discordapp\.net$/, /^\/external\/[^/]+\/(?:%3F[^/]+\/)?https?\/(.+)$/],
  [/^b\.hatena\.ne\.jp$/, /^\/entry\/(?:s\/)?(.+)$/],
  [/^(?:www\.)?notion\.so$/, /^\/image\/([^?]+)/],
  [/^substack\.com$/, /^\/redirect\/2\/([\w-]+)/, decodeJson],
  [/^secure-web\.cisco\.com$/, /^\/[^/]+\/(https?.+)$/],
  [GOOGLE, SEARCHED],
  [SEARCH, SEARCHED],
  [/^(?:[a-z]{2}\.)?r\.search\.yahoo\.com$/, /\/RU=([^/]+)\//],
  [/^(?:(?:www\.)?href\.li|jump\.5ch\.net)$/, /^\/\?(.+)$/],
  [/^(?:www\.)?deviantart\.com$/, /^\/users\/outgoing\?(.+)$/],
  [/^(?:www\.pixiv\.net|blog\.51cto\.com)$/, /^\/(?:jump\.php|transfer)\?(https?(?::|%3A).+)$/i],
];

/** Whether it is a page of results, of which none is named. */
export function isSearch({ hostname, pathname, searchParams }: URL): boolean {
  return (GOOGLE.test(hostname) && pathname === "/search") || (SEARCH.test(hostname) && searchParams.size > 0);
}

function carriedBy({ hostname, pathname, search, hash }: URL): string | undefined {
  for (const [host, address, decode = String] of CARRIERS) {
    const carried = host.test(hostname) ? address.exec(pathname + search + hash)?.[1] : undefined;
    if (carried !== undefined) return decode(carried);
  }
  return undefined;
}

/** Under another name, or among words. */
function addressIn({ searchParams }: URL): string | undefined {
  return /https?:\/\/\S+/i.exec([...searchParams].flat().join(" "))?.[0];
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
  const target =
    PARAMETERS.map((name) => searchParams.get(name) ?? "").find((value) => ADDRESS.test(value)) ?? addressIn(url);
  // A path is one of YouTube, also where Google asks visitors to sign in.
  if (target === undefined) return YOUTUBE.test(hostname) ? "" : undefined;
  return /^\/(?!\/)/.test(target) ? `https://www.youtube.com${target}` : target;
}
