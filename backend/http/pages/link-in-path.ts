/**
 * Our name before an address: `/https://youtu.be/ID`, or `/watch?v=ID` where our host was typed over that of the site. The
 * home page opens with the link in its field, and nothing starts, so that a link spends nobody's limits.
 */
import type { Middleware } from "koa";
import type { HostEntry } from "../../../common/hosts.ts";
import { hostRule } from "../../../common/links/host-rule.ts";
import type { HostRule } from "../../../common/links/link.ts";
import { readLinks } from "../../../common/links/read-links.ts";
import { Format } from "../../../common/tiers.ts";
import { isForPage } from "./page.ts";

/** Addresses with a scheme, or with a host that has a path. A proxy may have made one slash of two. */
const ADDRESS = /^(?:https?(?::|%3a)|(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/)/i;
/** What is left of YouTube's addresses without their host. */
const WITHOUT_HOST = /^(?:watch\/?\?|playlist\/?\?|(?:shorts|live|embed|v|clip)\/[\w-])/i;
/** The reader of texts takes longer ones, but no link is that long. */
const MAX_LENGTH = 4_000;

/** `?f=mp4` behind the address chooses the format. */
const FORMAT = /([?&])f=(\w+)(?:&|$)/;

/** @returns what was meant by a path that begins with an address, as a text; undefined when it does not */
function addressIn(target: string): string | undefined {
  if (target.length > MAX_LENGTH) return undefined;
  if (WITHOUT_HOST.test(target)) return `https://www.youtube.com/${target}`;
  return ADDRESS.test(target) ? target.replace(/^(https?:)\/+/i, "$1//") : undefined;
}

/**
 * @param target path and query of a request
 * @returns path and query of the home page with the link; undefined when the path holds no link that is accepted
 */
export function homeWithLink(target: string, accepts: HostRule): string | undefined {
  const address = addressIn(target.replace(/^\/+/, ""));
  if (address === undefined) return undefined;
  const { data: format } = Format.safeParse(FORMAT.exec(address)?.[2]);
  const text = format ? address.replace(FORMAT, "$1").replace(/[?&]$/, "") : address;
  const [link] = readLinks(text, accepts).links;
  if (!link) return undefined;
  return `/?${String(new URLSearchParams({ url: link.text, ...(format && { format }) }))}`;
}

/** Redirects a path with a link in it to the home page. Must come before files are served: a link may end like a file. */
export function openLinkInPath(hosts: readonly HostEntry[]): Middleware {
  const accepts = hostRule(hosts);
  return async (ctx, next) => {
    const home = isForPage(ctx) ? homeWithLink(ctx.req.url ?? "", accepts) : undefined;
    if (home === undefined) return next();
    ctx.set("Cache-Control", "private, no-store");
    ctx.redirect(home);
  };
}
