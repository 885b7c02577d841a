/**
 * Which links are taken, and the one form each video's link is brought to, so that one video has
 * one key however its link was copied.
 */
import { MAX_LINK_LENGTH } from "../../../common/api.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { HostEntry } from "../../../common/hosts.ts";

/** Parameters that say who shared a link, never what it shows. */
const TRACKING_PARAMETER =
  /^(?:utm_.+|fbclid|gclid|dclid|msclkid|igsh|igshid|mc_cid|mc_eid|si|feature|pp|ref_src|ref_url)$/i;
const YOUTUBE_ID = /^[\w-]{11}$/;
/** Forms of a YouTube address whose second path segment is the video. */
const YOUTUBE_ID_PATHS = new Set(["shorts", "live", "embed", "v", "e"]);

/**
 * @param text what the visitor sent
 * @param hosts the operator's list; a link must be at one of them, or below it
 * @returns the canonical link
 * @throws ConversionError invalid_link, unsupported_host or playlist
 */
export function judgeLink(text: string, hosts: readonly HostEntry[]): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new ConversionError("invalid_link", { message: "Please enter a YouTube URL" });
  const url = parse(trimmed);
  // Control characters would be dropped silently by the URL parser, and two links become one.
  // eslint-disable-next-line no-control-regex
  if (url === null || trimmed.length > MAX_LINK_LENGTH || /[\u0000-\u0020\u007f\\]/.test(trimmed))
    throw new ConversionError("invalid_link");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new ConversionError("invalid_link");
  if (url.username !== "" || url.password !== "") throw new ConversionError("invalid_link");
  url.hostname = url.hostname.replace(/\.$/, "");
  if (!hosts.some((entry) => isAtOrBelow(url, entry))) throw new ConversionError("unsupported_host");
  return isYouTube(url.hostname) ? canonicalYouTube(url) : withoutNoise(url);
}

function parse(text: string): URL | null {
  // People copy links without their scheme; a word without a dot or a path is not such a link.
  const withScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)
    ? text
    : /^[\w-]+(?:\.[\w-]+)*(?::\d+)?\//.test(text)
      ? `https://${text}`
      : text;
  return URL.canParse(withScheme) ? new URL(withScheme) : null;
}

function isAtOrBelow(url: URL, entry: HostEntry): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHost = host === entry.host || (!isAddress(entry.host) && host.endsWith(`.${entry.host}`));
  return isHost && url.port === (entry.port === undefined ? "" : effectivePort(entry.port, url.protocol));
}

/** As `URL.port` writes it: empty for the scheme's own. */
function effectivePort(port: number, protocol: string): string {
  return (protocol === "https:" && port === 443) || (protocol === "http:" && port === 80) ? "" : String(port);
}

/** Nothing lies below an address. */
function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(?:\.\d+){3}$/.test(host);
}

function isYouTube(host: string): boolean {
  return host === "youtu.be" || host.endsWith(".youtu.be") || host === "youtube.com" || host.endsWith(".youtube.com");
}

function canonicalYouTube(url: URL): string {
  const [first = "", second = ""] = url.pathname.split("/").filter((segment) => segment !== "");
  const isShort = url.hostname.endsWith("youtu.be");
  const id = isShort
    ? first
    : YOUTUBE_ID_PATHS.has(first)
      ? second
      : first === "watch"
        ? (url.searchParams.get("v") ?? second)
        : "";
  if (YOUTUBE_ID.test(id) && id !== "videoseries") return `https://www.youtube.com/watch?v=${id}`;
  if (first === "playlist" || url.searchParams.has("list")) throw new ConversionError("playlist");
  // Channels, searches, clips: whether there is one video behind them is for the extractor to say.
  if (id !== "" || first === "watch" || first === "") throw new ConversionError("invalid_link");
  return withoutNoise(url);
}

function withoutNoise(url: URL): string {
  url.hash = "";
  for (const name of new Set(url.searchParams.keys())) if (TRACKING_PARAMETER.test(name)) url.searchParams.delete(name);
  // A query of question marks alone says nothing either.
  return url.href.replace(/\?+$/, "");
}
