/**
 * Which links are accepted, and the canonical form of each, so that all links to one video share one conversion key. What
 * a text means is read by common/links, as on the page.
 */
import { MAX_LINK_LENGTH } from "../../../common/api.ts";
import { ConversionError, PAGE_SENTENCES } from "../../../common/errors.ts";
import { acceptsAnyHost, type HostEntry } from "../../../common/hosts.ts";
import { hostRule } from "../../../common/links/host-rule.ts";
import { isRefusal, refusal, type Found, type LinkRefusal, type Reading } from "../../../common/links/link.ts";
import { readAddress } from "../../../common/links/read-address.ts";
import { readLinks } from "../../../common/links/read-links.ts";

/**
 * @param text what the visitor sent: a link, or a text with links in it
 * @param hosts the operator's list; a link's host must be one of these or a subdomain of one
 * @returns the canonical links of what can be converted, at least one
 * @throws ConversionError invalid_link, unsupported_host, playlist, private, live
 */
export function canonicalLinks(text: string, hosts: readonly HostEntry[]): [string, ...string[]] {
  const reading = readText(text, hosts);
  const [first, ...others] = reading.links.filter(({ kind }) => kind !== "list").map(({ url }) => url);
  if (first !== undefined) return [first, ...others];
  throw reading.links.length > 0 ? new ConversionError("playlist") : errorOf(mainRefusal(reading, hosts));
}

/** @returns the first of {@link canonicalLinks} @throws as it does */
export function canonicalLink(text: string, hosts: readonly HostEntry[]): string {
  return canonicalLinks(text, hosts)[0];
}

/**
 * @param link as its site gives it, which is no text that a person wrote
 * @returns the canonical link
 * @throws as {@link canonicalLinks}
 */
export function canonicalEntry(link: string, hosts: readonly HostEntry[]): string {
  if (link.length > MAX_LINK_LENGTH) throw new ConversionError("invalid_link");
  const [{ kind, url }] = accepted(readAddress(link, hostRule(hosts)));
  if (kind === "list") throw new ConversionError("playlist");
  return url;
}

/**
 * Checks a text with a link to a list.
 * @returns the canonical link of the list, also for a video inside it; whether there is a list behind it, the extractor
 *   finds out
 * @throws ConversionError invalid_link, unsupported_host, or private for a list that only its owner sees
 */
export function canonicalList(text: string, hosts: readonly HostEntry[]): string {
  const reading = readText(text, hosts);
  const link = reading.links.find(({ kind, list }) => kind === "channel" || list !== undefined) ?? reading.links[0];
  const list = link === undefined ? mainRefusal(reading, hosts) : (link.list ?? link.url);
  if (typeof list === "string") return list;
  throw errorOf(list);
}

/** In characters. Reading so many takes up to 60 ms of one core (measured); of a longer text the start is read. */
const MAX_TEXT_LENGTH = 20_000;

/** @throws ConversionError invalid_link for a text of spaces */
function readText(text: string, hosts: readonly HostEntry[]): Reading {
  if (text.trim() === "" && !acceptsAnyHost(hosts))
    throw new ConversionError("invalid_link", { message: "Please enter a YouTube URL" });
  return readLinks(text.slice(0, MAX_TEXT_LENGTH), hostRule(hosts));
}

function accepted(found: Found): Exclude<Found, LinkRefusal> {
  if (isRefusal(found)) throw errorOf(found);
  return found;
}

/** What says most about a text without an accepted link. */
function mainRefusal({ refusals }: Reading, hosts: readonly HostEntry[]): LinkRefusal {
  const said = refusals.find(({ reason }) => reason !== undefined) ?? refusals[0] ?? refusal("invalid_link");
  const isVague = said.code === "invalid_link" && said.reason === undefined;
  return isVague && acceptsAnyHost(hosts) ? refusal("invalid_link", "no_video_link") : said;
}

/** @returns the refusal with the sentence for the visitor, to be thrown */
function errorOf({ code, reason }: LinkRefusal): ConversionError {
  if (reason === undefined) return new ConversionError(code);
  return new ConversionError(code, { message: PAGE_SENTENCES[reason], reason: { name: reason } });
}
