/** Reads addresses of sites other than YouTube, of which nothing is known but how addresses end in texts. */
import { MAX_LINK_LENGTH } from "../api.ts";
import { startOfLink } from "../times.ts";
import { refusal, type Link, type LinkRefusal } from "./link.ts";
import { linkOfVideo, postOf } from "./video-of-post.ts";

/** Query parameters that track who shared a link and do not change what it shows. */
const TRACKING_PARAMETER =
  /^(?:utm_.+|fbclid|gclid|dclid|msclkid|igsh|igshid|mc_cid|mc_eid|si|feature|pp|ref_src|ref_url)$/i;

/** @returns the address without fragment, tracking and an empty query */
export function withoutTracking(url: URL): string {
  const kept = new URL(url);
  kept.hash = "";
  for (const name of new Set(kept.searchParams.keys()))
    if (TRACKING_PARAMETER.test(name)) kept.searchParams.delete(name);
  return kept.href.replace(/\?+$/, "");
}

/** Punctuation that ends a sentence and not a link. */
const END = /[.,;:!?'"*~|\\]+$/;
/** Percent-encoded: what cannot be seen, at the end. */
const INVISIBLE_END = /(?:%E2%80%[89A][0-9A-F]|%E2%81%A[0-9A-F]|%EF%BB%BF|%C2%AD)+$/i;
const OTHER_MARK = /[^\p{ASCII}\p{L}\p{N}\p{M}\p{Emoji}]/u;

/** @returns the address up to a closing bracket that it does not open */
function untilBracket(address: string): string {
  const open = { ")": 0, "]": 0, "}": 0 };
  for (let at = 0; at < address.length; at += 1) {
    const character = address[at];
    if (character === "(") open[")"] += 1;
    else if (character === "[") open["]"] += 1;
    else if (character === "{") open["}"] += 1;
    else if (character === ")" || character === "]" || character === "}") {
      open[character] -= 1;
      if (open[character] < 0) return address.slice(0, at);
    }
  }
  return address;
}

/** @returns an address as it was meant, without what a text has put behind it */
export function withoutEnd(address: string): string {
  // An address that has letters of other scripts may have their punctuation.
  const at = /[^\p{ASCII}]/u.exec(address)?.index ?? -1;
  const isMark = at >= 0 && OTHER_MARK.test(address.slice(at, at + 2));
  const ended = untilBracket(isMark ? address.slice(0, at) : address);
  const [scheme = ""] = /^https?:\/\/(?:\[[\da-f:.]+\])?/i.exec(address) ?? [];
  const whole = ended.length < scheme.length ? address : ended;
  return whole.replace(INVISIBLE_END, "").replace(END, "");
}

/** Escapes what would not be taken for a part of the link, so that the link is the same in a text. */
function keepEnd(link: string): string {
  let kept = link.replace(INVISIBLE_END, "");
  for (let end = withoutEnd(kept).length; end < kept.length; end = withoutEnd(kept).length) {
    const escaped = `%${kept.charCodeAt(end).toString(16).toUpperCase()}`;
    kept = kept.slice(0, end) + escaped + kept.slice(end + 1);
  }
  return kept;
}

/** @param url of an accepted host @param text as it is shown to the visitor */
export function readPage(url: URL, text: string): Link | LinkRefusal {
  if (text.includes("\\")) return refusal("invalid_link");
  if (text.length > MAX_LINK_LENGTH) return refusal("invalid_link");
  const post = keepEnd(withoutTracking(url));
  const { number } = postOf(url.href);
  const link = number === undefined ? post : linkOfVideo(post, number);
  if (link.length > MAX_LINK_LENGTH) return refusal("invalid_link");
  return { url: link, kind: "page", text, startSeconds: startOfLink(url.href), list: undefined };
}
