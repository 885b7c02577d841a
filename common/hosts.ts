/**
 * The operator's list of video hosts, in the format of `VIDEO_HOSTS`: `youtube.com,youtu.be,localhost:8090`.
 * Used by the link policy to accept links, by the egress guard to allow private addresses, and by the
 * client to check links while the user types.
 */
import { parseUrl } from "./parse-url.ts";

export interface HostEntry {
  /** Lower case, without the brackets of an IPv6 address. */
  readonly host: string;
  /** Absent for the default port of the scheme. */
  readonly port?: number;
}

/** The entry that stands for every public host. */
export const ANY_HOST = "any";

/** YouTube's hosts: the list when the operator has none. */
export const DEFAULT_VIDEO_HOSTS = "youtube.com,youtu.be";

const YOUTUBE_HOST = /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be)$/;

/** Hosts that show YouTube's videos under the same ids: embedded players, the children's site, pictures, mirrors, translations. */
const SAME_VIDEOS =
  /^(?:(?:www\.)?youtube(?:-nocookie|kids|education)\.com|(?:i\d*|img)\.ytimg\.com|(?:youtube|ytimg)\.google(?:apis|usercontent)\.com|(?:www\.)?youtube\.be|(?:www\.)?(?:y2u\.be|yewtu\.be|piped\.video|(?:hooktube|yout-ube|ssyoutube|youtubepp)\.com)|(?:redirect\.)?(?:inv(?:idious)?|piped)\.[a-z0-9.-]+|(?:(?:www|m|music)-youtube-com|youtu-be)\.translate\.goog)$/;

/** @param hostname in lower case, as a `URL` has it */
export const showsVideosOfYouTube = (hostname: string): boolean => SAME_VIDEOS.test(hostname);

/** @param hostname in lower case, as a `URL` has it */
export function isYouTubeHost(hostname: string): boolean {
  return YOUTUBE_HOST.test(hostname);
}

/** @param link whole, with its scheme; any other text is none */
export function isYouTubeLink(link: string): boolean {
  return isYouTubeHost(parseUrl(link)?.hostname ?? "");
}

/**
 * Parses one host with an optional port.
 * @throws RangeError with the entry in its message
 */
export function parseHostEntry(text: string): HostEntry {
  const entry = text.trim().toLowerCase();
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?))(?::(\d{1,5}))?$/.exec(entry);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? undefined : Number(match[3]);
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535)))
    throw new RangeError(`"${text}" is not a host such as youtube.com or localhost:8090`);
  return { host, port };
}

/**
 * Parses a comma-separated list; empty entries are ignored.
 * @throws RangeError as {@link parseHostEntry} does
 */
export function parseHostList(text: string): HostEntry[] {
  return text
    .split(",")
    .filter((entry) => entry.trim() !== "")
    .map(parseHostEntry);
}

/** @param hosts as entries, or as {@link formatHostEntry} gives them */
export function acceptsAnyHost(hosts: readonly (HostEntry | string)[]): boolean {
  return hosts.some((entry) => (typeof entry === "string" ? entry : formatHostEntry(entry)) === ANY_HOST);
}

/** @returns `host` or `host:port`, with brackets around an IPv6 address */
export function formatHostEntry(entry: HostEntry): string {
  const host = entry.host.includes(":") ? `[${entry.host}]` : entry.host;
  return entry.port === undefined ? host : `${host}:${entry.port}`;
}
