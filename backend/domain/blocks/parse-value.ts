/** Checks the values of block entries, and brings them to the one form in which they are stored and compared. */
import ipaddr from "ipaddr.js";
import type { HostEntry } from "../../../common/hosts.ts";
import { subnetOf } from "../accounts/network.ts";
import { readLinks } from "../../../common/links/read-links.ts";
import type { Link } from "../../../common/links/link.ts";
import type { BlockKind } from "../../../common/block-kinds.ts";
import { hostOf, videoOfLink } from "./subjects.ts";
import { UUID } from "../uuid.ts";

/** A value that cannot be blocked. The message tells the operator what to write instead. */
export class BlockValueError extends Error {}

export interface ParseContext {
  /** The host of PUBLIC_URL. */
  readonly siteHost: string;
  readonly videoHosts: readonly HostEntry[];
}

/** Shorter prefixes cover so many visitors that they are likely to be mistakes. */
const SHORTEST_PREFIX = { ipv4: 8, ipv6: 16 } as const;
const LOOPBACK = ["127.0.0.1", "::1"];
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** The name of a site as yt-dlp has it, a colon, and the site's own id. */
const SITE_ID = /^([a-z][\w.+-]{0,40}):(\S{1,200})$/i;
const YOUTUBE_VIDEO = /^[\w-]{11}$/;
const YOUTUBE_CHANNEL = /^UC[\w-]{22}$/;
const YOUTUBE_HANDLE = /^@[^\s/]{1,60}$/;
/** Extractors of yt-dlp that make up an id from the address of a page. */
const WITHOUT_IDS: ReadonlySet<string> = new Set(["generic", "html5"]);

const PARSERS: Readonly<Record<BlockKind, (text: string, context: ParseContext) => string>> = {
  host: parseHost,
  video: parseVideo,
  channel: parseChannel,
  network: parseNetwork,
  device: parseDevice,
  user: parseUser,
};

/**
 * @param text as the operator wrote it
 * @returns the value in its stored form
 * @throws BlockValueError for a value that is not one of its kind, or that would block the site itself
 */
export function parseBlockValue(kind: BlockKind, text: string, context: ParseContext): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new BlockValueError(`Say which ${kind} to block.`);
  return PARSERS[kind](trimmed, context);
}

function parseHost(text: string, { siteHost, videoHosts }: ParseContext): string {
  const example = 'Write a name such as "videos.example", without scheme, port and path.';
  const host = hostOf(`http://${text}`);
  if (host === undefined || /[/:@?#\s]/.test(text.replace(/^\[[0-9a-f:.]+\]$/i, "")))
    throw new BlockValueError(`"${text}" is not a host. ${example}`);
  const isOwnSample = videoHosts.some((entry) => entry.port !== undefined && entry.host === host);
  if (host === "localhost" || isOwnSample)
    throw new BlockValueError(
      `"${host}" is a host of your own: it is in VIDEO_HOSTS or of this machine. Remove it there.`,
    );
  if (host === siteHost || siteHost.endsWith(`.${host}`))
    throw new BlockValueError(`"${host}" is the host of this site, so blocking it would help nobody.`);
  if (!ipaddr.isValid(host) && !HOST.test(host))
    throw new BlockValueError(`"${text}" is not a host, or covers all hosts with this ending. ${example}`);
  return host;
}

function parseVideo(text: string): string {
  const link = linkIn(text);
  if (link?.kind === "list" || link?.kind === "channel")
    throw new BlockValueError(`"${text}" is not the link of a video.`);
  if (link) return videoOfLink(link.url);
  const { site, id } = parseSiteId(text, "youtube:dQw4w9WgXcQ, or the link of the video");
  if (site === "youtube" && !YOUTUBE_VIDEO.test(id))
    throw new BlockValueError(`"${id}" is not the id of a YouTube video, which has 11 letters, digits, - or _.`);
  return `${site}:${id}`;
}

/**
 * Links of any host, because its host may be opened to visitors later.
 * @returns undefined for a text without a link
 * @throws BlockValueError for a link that is refused
 */
function linkIn(text: string): Link | undefined {
  const { links, refusals } = readLinks(text, () => true);
  if (links.length === 0 && refusals.length > 0 && text.includes("/"))
    throw new BlockValueError(`"${text}" is not the link of a video.`);
  return links[0];
}

function parseChannel(text: string): string {
  const example = "youtube:UC… or youtube:@name";
  const link = linkIn(text)?.url ?? "";
  const [, linked] = /^https:\/\/[^/]*youtube\.com\/(?:channel\/)?((?:UC|@)[^/?#]+)/.exec(link) ?? [];
  const { site, id } = parseSiteId(linked === undefined ? text : `youtube:${linked}`, example);
  if (site !== "youtube") return `${site}:${id}`;
  if (YOUTUBE_HANDLE.test(id)) return `youtube:${decodeName(id).toLowerCase()}`;
  if (YOUTUBE_CHANNEL.test(id)) return `youtube:${id}`;
  throw new BlockValueError(
    `"${id}" is not a YouTube channel. Write ${example}: UC and 22 more letters, or the @name.`,
  );
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new BlockValueError(`"${name}" cannot be read. Write the @name as the channel's page shows it.`);
  }
}

function parseSiteId(text: string, example: string): { site: string; id: string } {
  const [, site = "", id = ""] = SITE_ID.exec(text) ?? [];
  if (id === "" || id.startsWith("//"))
    throw new BlockValueError(`"${text}" has no site or no id. Write it like ${example}.`);
  if (WITHOUT_IDS.has(site.toLowerCase()))
    throw new BlockValueError(`Videos of ${site} pages have no id of their own. Give the link, or block the host.`);
  return { site: site.toLowerCase(), id };
}

/** An address stands for its /24 or /64, as it does in the limits by network. */
function parseNetwork(text: string): string {
  const example = 'Write an address such as "203.0.113.7", or a network such as "203.0.113.0/24" or "2001:db8::/48".';
  const cidr = text.includes("/") ? text : addressToNetwork(text, example);
  if (!ipaddr.isValidCIDR(cidr)) throw new BlockValueError(`"${text}" is not a network. ${example}`);
  const [parsed, bits] = ipaddr.parseCIDR(cidr);
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress();
  if (isMapped) throw new BlockValueError(`"${text}" is IPv4 written as IPv6. Write it as IPv4.`);
  const shortest = SHORTEST_PREFIX[parsed.kind()];
  if (bits < shortest)
    throw new BlockValueError(`"${text}" covers too many visitors: a network has a prefix of at least /${shortest}.`);
  const network =
    parsed.kind() === "ipv4" ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  const isOwn = LOOPBACK.some((own) => {
    const address = ipaddr.parse(own);
    return address.kind() === network.kind() && address.match(network, bits);
  });
  if (isOwn) throw new BlockValueError(`"${text}" contains this machine itself.`);
  return `${network.toString()}/${bits}`;
}

function addressToNetwork(text: string, example: string): string {
  // Short forms such as "10.1" or "2130706433" are more likely to be mistakes.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text))
    throw new BlockValueError(`"${text}" is not an address. ${example}`);
  return subnetOf(text);
}

function parseDevice(text: string): string {
  const id = text.toLowerCase();
  if (!UUID.test(id))
    throw new BlockValueError(
      `"${text}" is not the id of a device, which looks like 1b4e28ba-2fa1-4d2a-883f-0016d3cca427: ` +
        "the field deviceId of a job in the database.",
    );
  return id;
}

function parseUser(text: string): string {
  const user = text.toLowerCase();
  if (!UUID.test(user) && !EMAIL.test(user))
    throw new BlockValueError(`"${text}" is neither an email address nor the id of a user.`);
  return user;
}
