/**
 * Which links are accepted, and the canonical form of each, so that all links to one video share one conversion key.
 */
import { MAX_LINK_LENGTH } from "../../../common/api.ts";
import { ConversionError } from "../../../common/errors.ts";
import { type HostEntry, isYouTubeHost } from "../../../common/hosts.ts";

/** Query parameters that track who shared a link and do not change what it shows. */
const TRACKING_PARAMETER =
  /^(?:utm_.+|fbclid|gclid|dclid|msclkid|igsh|igshid|mc_cid|mc_eid|si|feature|pp|ref_src|ref_url)$/i;
const YOUTUBE_ID = /^[\w-]{11}$/;
/** The host of embedded players, which shows the same videos under the same ids. */
const YOUTUBE_WITHOUT_COOKIES = /^(?:www\.)?youtube-nocookie\.com$/;
/** Asks visitors for their consent to cookies, and leads to the address in its parameter `continue`. */
const YOUTUBE_CONSENT_HOST = "consent.youtube.com";
/** First path segments of YouTube addresses whose second segment is the video id. */
const YOUTUBE_ID_PATHS = new Set(["shorts", "live", "embed", "v", "e"]);

/**
 * Checks a link and brings it to its canonical form.
 * @param text what the visitor sent
 * @param hosts the operator's list; the link's host must be one of these or a subdomain of one
 * @returns the canonical link
 * @throws ConversionError invalid_link, unsupported_host or playlist
 */
export function canonicalLink(text: string, hosts: readonly HostEntry[]): string {
  const url = acceptedUrl(text, hosts);
  return isYouTubeHost(url.hostname) ? canonicalYouTube(url) : withoutTracking(url);
}

const YOUTUBE_LIST_ID = /^[\w-]{2,100}$/;
/** Lists that belong to whoever is signed in. */
const OWN_LISTS: ReadonlySet<string> = new Set(["WL", "LL", "LM", "HL"]);

/**
 * Checks a link to a list and brings it to its canonical form: that of the list, also for a video inside it.
 * @returns the canonical link; whether there is a list behind it, the extractor finds out
 * @throws ConversionError invalid_link, unsupported_host, or private for a list that only its owner sees
 */
export function canonicalList(text: string, hosts: readonly HostEntry[]): string {
  const url = acceptedUrl(text, hosts);
  if (!isYouTubeHost(url.hostname)) return withoutTracking(url);
  const list = url.searchParams.get("list");
  if (list === null) return otherYouTubeLink(url);
  if (OWN_LISTS.has(list)) throw new ConversionError("private");
  if (!YOUTUBE_LIST_ID.test(list)) throw new ConversionError("invalid_link");
  return `https://www.youtube.com/playlist?list=${list}`;
}

/** @throws ConversionError invalid_link, unsupported_host */
function acceptedUrl(text: string, hosts: readonly HostEntry[]): URL {
  const trimmed = text.trim();
  if (trimmed === "") throw new ConversionError("invalid_link", { message: "Please enter a YouTube URL" });
  const url = parse(trimmed);
  // The URL parser drops control characters silently, so two different links would become one.
  // eslint-disable-next-line no-control-regex
  if (url === null || trimmed.length > MAX_LINK_LENGTH || /[\u0000-\u0020\u007f\\]/.test(trimmed))
    throw new ConversionError("invalid_link");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new ConversionError("invalid_link");
  if (url.username !== "" || url.password !== "") throw new ConversionError("invalid_link");
  url.hostname = url.hostname.replace(/\.$/, "").replace(YOUTUBE_WITHOUT_COOKIES, "www.youtube.com");
  if (!hosts.some((entry) => matchesHost(url, entry))) throw new ConversionError("unsupported_host");
  // The extractor would follow it to any host.
  if (url.hostname === YOUTUBE_CONSENT_HOST) return acceptedUrl(url.searchParams.get("continue") ?? "-", hosts);
  return url;
}

function parse(text: string): URL | null {
  // People paste links without a scheme. A text without a path is not taken for such a link.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  const startsWithHost = /^[\w-]+(?:\.[\w-]+)*(?::\d+)?\//.test(text);
  const withScheme = !hasScheme && startsWithHost ? `https://${text}` : text;
  return URL.canParse(withScheme) ? new URL(withScheme) : null;
}

function matchesHost(url: URL, entry: HostEntry): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHost = host === entry.host || (!isAddress(entry.host) && host.endsWith(`.${entry.host}`));
  return isHost && url.port === (entry.port === undefined ? "" : effectivePort(entry.port, url.protocol));
}

/** The port as `URL.port` gives it: empty for the default port of the scheme. */
function effectivePort(port: number, protocol: string): string {
  return (protocol === "https:" && port === 443) || (protocol === "http:" && port === 80) ? "" : String(port);
}

/** IP addresses have no subdomains. */
function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(?:\.\d+){3}$/.test(host);
}

function canonicalYouTube(url: URL): string {
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const first = segments[0] ?? "";
  const second = segments[1] ?? "";
  const id = youTubeId(url, first, second);
  if (YOUTUBE_ID.test(id) && id !== "videoseries") return `https://www.youtube.com/watch?v=${id}`;
  if (first === "playlist" || url.searchParams.has("list")) throw new ConversionError("playlist");
  // Channels, searches and clips pass: the extractor finds out whether there is one video behind them.
  if (id !== "" || first === "watch" || first === "") throw new ConversionError("invalid_link");
  return otherYouTubeLink(url);
}

/** @returns a link that keeps its query */
function otherYouTubeLink(url: URL): string {
  const link = withoutTracking(url);
  // The extractor decodes what is searched for, and prints it in its messages, where it must not begin a line.
  if (/%0[ad]/i.test(link)) throw new ConversionError("invalid_link");
  return link;
}

/** @returns the part of the address where a video id is expected, unchecked; empty when there is none */
function youTubeId(url: URL, first: string, second: string): string {
  if (url.hostname.endsWith("youtu.be")) return first;
  if (YOUTUBE_ID_PATHS.has(first)) return second;
  return first === "watch" ? (url.searchParams.get("v") ?? second) : "";
}

function withoutTracking(url: URL): string {
  url.hash = "";
  for (const name of new Set(url.searchParams.keys())) if (TRACKING_PARAMETER.test(name)) url.searchParams.delete(name);
  // Removes a query that is empty or has only question marks.
  return url.href.replace(/\?+$/, "");
}
