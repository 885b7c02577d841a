/** Reads the links out of a text, however it was written, copied, shared or sent. The page and the server use it alike. */
import { findAddresses } from "./find-addresses.ts";
import { legibleText } from "./legible-text.ts";
import { isRefusal, type Found, type HostRule, type Link, type Reading, type RefusedAddress } from "./link.ts";
import { isPlainLink } from "./plain-link.ts";
import { withoutEnd } from "./page-address.ts";
import { readAddress } from "./read-address.ts";

/** Channels and start pages: a text often names one beside the link that it is about. */
function isWeak({ kind, url }: Link): boolean {
  return kind === "channel" || (kind === "page" && new URL(url).pathname === "/" && !url.includes("?"));
}

function readFound(address: string, accepts: HostRule): Found {
  const found = readAddress(address, accepts);
  if (isRefusal(found)) return found;
  const ended = withoutEnd(address);
  const [link] = found;
  if (link.kind !== "video") return readAddress(ended, accepts);
  return isPlainLink(ended) ? [{ ...link, text: ended }] : found;
}

/** @returns one with a moment, or one without where the moments differ: a text may tell about several of a video */
function asOne(same: readonly Link[]): Link[] {
  const moments = same.filter(({ startSeconds }) => startSeconds !== undefined);
  const [link] = moments.length > 0 ? moments : same;
  if (link === undefined) return [];
  const isOne = moments.every(({ startSeconds }) => startSeconds === link.startSeconds);
  return [isOne ? link : { ...link, text: link.url, startSeconds: undefined }];
}

/**
 * @param text one link, or any text with links in it
 * @param accepts whether the operator's list has a host
 * @returns links to accepted hosts only
 */
export function readLinks(text: string, accepts: HostRule): Reading {
  const addresses = isPlainLink(text) ? [text] : findAddresses(legibleText(text), accepts);
  const all: Link[] = [];
  const refusals: RefusedAddress[] = [];
  for (const address of addresses) {
    const found = readFound(address, accepts);
    if (isRefusal(found)) refusals.push({ ...found, text: withoutEnd(address) });
    else all.push(...found);
  }
  const links = [...Map.groupBy(all, ({ url }) => url).values()].flatMap(asOne);
  const strong = links.filter((link) => !isWeak(link));
  return { links: strong.length > 0 ? strong : links, refusals };
}
