/** Exits: the network routes that a conversion may use. */
import { isIP } from "node:net";

/** An upstream proxy, or an address of this machine. Neither: the machine's default route. */
export interface Exit {
  /** Shown in metrics and logs; contains no credentials. */
  readonly name: string;
  /** `http://[user:password@]host:port` */
  readonly proxyUrl?: string;
  /** IPv4 or IPv6 address of this machine that connections are made from. */
  readonly localAddress?: string;
  /** For media of a video that was read by the default route: hosts with addresses of this family are reached by it. */
  readonly preferredFamily?: 4 | 6;
}

/** The machine's default route. */
export const DIRECT_EXIT: Exit = { name: "direct" };

/**
 * @param text an `http:` URL of a proxy, an IP address of this machine, or `direct`
 * @throws RangeError when it is none of them
 */
export function parseExit(text: string): Exit {
  if (text === DIRECT_EXIT.name) return DIRECT_EXIT;
  if (isIP(text) !== 0) return { name: text, localAddress: text };
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || url.pathname !== "/" || url.search !== "")
    throw new RangeError("an exit is an IP address of this machine, a proxy such as http://proxy:3128, or direct");
  return { name: url.host, proxyUrl: text.replace(/\/$/, "") };
}

function familyOfAddress(address: string | undefined): 4 | 6 | undefined {
  const family = address === undefined ? 0 : isIP(address);
  return family === 0 ? undefined : (family as 4 | 6);
}

/** @returns 4 or 6: the family of connections from a local address; undefined: any */
export function familyOf({ localAddress }: Exit): 4 | 6 | undefined {
  return familyOfAddress(localAddress);
}

/**
 * A machine has an address of each family, and a site gives media only to the address that asked for it.
 * @param seenAddress the address that the site saw, if it says so
 */
export function exitForMedia(exit: Exit, seenAddress: string | undefined): Exit {
  const preferredFamily = familyOfAddress(seenAddress);
  const hasOneAddress = exit.proxyUrl !== undefined || exit.localAddress !== undefined;
  return hasOneAddress || preferredFamily === undefined ? exit : { ...exit, preferredFamily };
}

/**
 * Numbers exits of the same name: users of one proxy have different addresses at some providers. Processes that share
 * what they know of their exits have to list them in the same order.
 */
export function withUniqueNames(exits: readonly Exit[]): Exit[] {
  const counts = new Map<string, number>();
  return exits.map((exit) => {
    const count = (counts.get(exit.name) ?? 0) + 1;
    counts.set(exit.name, count);
    return count === 1 ? exit : { ...exit, name: `${exit.name}#${count}` };
  });
}
