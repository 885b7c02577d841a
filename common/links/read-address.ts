/** Reads one address: where it leads, and whether that is accepted. */
import { isYouTubeHost, showsVideosOfYouTube } from "../hosts.ts";
import { parseUrl } from "../parse-url.ts";
import { YOUTUBE_APP } from "./find-addresses.ts";
import { isRefusal, refusal, type Found, type HostRule, type LinkRefusal } from "./link.ts";
import { readPage } from "./page-address.ts";
import { isSearch, targetOf } from "./redirectors.ts";
import { readYouTube } from "./youtube-address.ts";

/** An address that leads to an address that leads to an address. */
const MAX_REDIRECTS = 4;
/** Also percent-encoded: soft hyphen, zero-width characters and marks of direction. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}]+|%C2%AD|%E2%80%(?:8[B-F]|A[A-E])|%E2%81%A[0-9A-F]|%EF%BB%BF/giu;
/** Hosts whose whole path is an id. */
const SHORT = /^(?:(?:[\w-]+\.)*(?:youtu|youtube|y2u|yewtu)\.be|redirect\.invidious\.io|youtu-be\.translate\.goog)$/;

/** Forms that apps hand to each other, to the address that they stand for. */
const APP_FORMS: readonly (readonly [form: RegExp, start: string])[] = [
  [/^plugin:\/\/plugin\.video\.youtube\/(?:play\/)?(?=\?)/i, "https://www.youtube.com/watch"],
  [/^intent:\/\//i, "https://"],
  [/^(?:android|ios)-app:\/\/[\w.]+\/https?\//i, "https://"],
  [/^googlechrome:\/\/navigate\?url=/i, ""],
  [/^googlechromes?:\/\//i, "https://"],
  [/^\/?(?=watch\?)/i, "https://www.youtube.com/"],
];

/** @param rest what follows the scheme of an app that plays YouTube */
function fromYouTubeApp(rest: string): string {
  if (/^(?:[\w-]+\.)+[a-z]+\//i.test(rest)) return `https://${rest}`;
  if (/^(?:watch\b|(?:playlist|shorts|live|embed|video)[/?])/i.test(rest)) return `https://www.youtube.com/${rest}`;
  return `https://www.youtube.com/watch?v=${rest}`;
}

/** Calls of YouTube's app by its scheme. */
const APP_CALL =
  /^(?:intent:(?:\/\/)?([^#]*)#Intent;(?:.*;)?scheme=(?:vnd\.)?youtube;.*|(?:android|ios)-app:\/\/[\w.]+\/(?:vnd\.)?youtube\/(.*))$/i;

function withScheme(address: string): string {
  const call = APP_CALL.exec(address);
  if (call) return fromYouTubeApp(call[1] ?? call[2] ?? "");
  const text = address.replace(/#Intent;.*$/i, "");
  const app = YOUTUBE_APP.exec(text);
  if (app?.index === 0) return fromYouTubeApp(text.slice(app[0].length));
  const [form, start = ""] = APP_FORMS.find(([pattern]) => pattern.test(text)) ?? [];
  if (form) return text.replace(form, start);
  return /^(?:https?%|[a-z][a-z0-9+.-]*:(?!\d))/i.test(text) ? text : `https://${text.replace(/^\/\//, "")}`;
}

/** Of an address that is percent-encoded as a whole, also several times. Lines behind it may have been encoded with it. */
function decodeWhole(text: string): string {
  let decoded = text;
  for (
    let turn = 0;
    turn < MAX_REDIRECTS && /^https?(?::?%|:\/\/[\w.-]+%(?:25)*2F\w[^/?#]*$)/i.test(decoded);
    turn += 1
  )
    // A broken escape at the end must not keep the rest encoded.
    decoded = decoded.replace(/(?:%[\da-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
  // eslint-disable-next-line no-control-regex
  return decoded === text ? text : (decoded.split(/[\u0000-\u001f\u007f]/, 1)[0] ?? "");
}

/** @param written with `://`; may have user name, port and anything behind the host */
function parseAddress(written: string): { url: URL; rest: string } | undefined {
  const [, authority = "", rest = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(written) ?? [];
  const url = parseUrl(written);
  // URL parsers drop and replace some characters, so that it leads elsewhere than it looks.
  // eslint-disable-next-line no-control-regex
  if (!url || authority === "" || /[\u0000-\u0020\u007f\\]/.test(authority)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  url.hostname = url.hostname.replace(/\.$/, "");
  return { url, rest };
}

/**
 * Reads an address whose end is known.
 * @param address with a scheme of the web or an app, or none
 */
export function readAddress(address: string, accepts: HostRule, depth = 0): Found {
  const text = decodeWhole(withScheme(address));
  const parsed = parseAddress(text);
  if (!parsed) return refusal("invalid_link");
  const { url, rest } = parsed;
  const target = targetOf(url);
  if (target !== undefined) return followed(target, accepts, depth);
  const isShort = SHORT.test(url.hostname);
  if (showsVideosOfYouTube(url.hostname) && !accepts(url)) url.hostname = "www.youtube.com";
  if (!accepts(url)) return refusalOfHost(url);
  if (isYouTubeHost(url.hostname)) return readYouTube(url, rest.replace(INVISIBLE, ""), isShort);
  const page = readPage(url, text);
  return isRefusal(page) ? page : [page];
}

function refusalOfHost(url: URL): LinkRefusal {
  if (isSearch(url)) return refusal("invalid_link", "search_page");
  return refusal(isBroken(url) ? "invalid_link" : "unsupported_host");
}

/** The start of an address that was broken inside its host. */
function isBroken({ hostname, port }: URL): boolean {
  return /^[a-z0-9-]+$/.test(hostname) && hostname !== "localhost" && port === "";
}

function followed(target: string, accepts: HostRule, depth: number): Found {
  // eslint-disable-next-line no-control-regex
  if (target === "" || depth >= MAX_REDIRECTS || /[\u0000-\u0020\u007f]/.test(target)) return refusal("invalid_link");
  return readAddress(target, accepts, depth + 1);
}
