/** Finds addresses between words, brackets, quotes, marks and other addresses, in any script. */
import { parseUrl } from "../parse-url.ts";
import type { HostRule } from "./link.ts";

/** Spaces, quotes and angle brackets are in no address; `](` stands between the two halves of a Markdown link. */
const BETWEEN_WORDS = /[\s<>"`]+|\]\(/;
/** The URL parser drops them silently, so two different addresses would become one. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f]/;

/** What lists begin a line with, stuck to a link without a scheme. */
const BULLET = /^(?:\d{1,3}[-)]|[-+])(?=(?:[a-z]+\.)?youtu(?:be\.com|\.be)\/)/i;
/** Of `//youtu.be`, `ttps://youtu.be`, `https//youtu.be`, `https:youtu.be`, `https://https://youtu.be`. */
const BROKEN_SCHEME =
  /^((?:[^/]*?(?:[^\w/:.-]|:(?=[htpsx]{3})))?)((?:[htpsx]{0,8}[:;.：]{0,3}\/{1,4}|[htpsx]{2,8}[:;：]{1,3}){1,3})(?=[a-z0-9-]+\.[a-z0-9.-]+[/?#:])/i;

function mendScheme(word: string): string {
  return word.replace(
    BROKEN_SCHEME,
    (_, before: string, scheme: string) => `${before}${/^http:\/\/$/i.test(scheme) ? "http" : "https"}://`,
  );
}

/** The scheme of an app that plays YouTube. */
export const YOUTUBE_APP =
  /(?:vnd\.youtube(?:\.\w{1,20})?|com\.google\.ios\.youtube(?:music)?|youtubei?(?:-?music)?|ytdl|newpipe|freetube|yattee):\/{0,3}/i;
/** Addresses without a host. */
const APP = String.raw`(?:${YOUTUBE_APP.source}|(?:plugin|intent|googlechromes?|(?:android|ios)-app):(?:\/\/)?)(?!https?\b)[\w-]`;
const PATH = String.raw`\/?watch\?v=`;
/** Percent-encoded, also several times. */
const SLASH = "%(?:25){0,3}2F";
const HOST = String.raw`(?:[a-z0-9-]+\.)*[a-z0-9-]+\.?(?::\d{1,5})?(?:[/?#]|${SLASH})`;
/** Where an address may begin: with a scheme anywhere, otherwise behind something that is no part of another address. */
const BEGINNING = new RegExp(
  String.raw`(https?(?::\/\/|:${SLASH}|%(?:25){0,3}3A(?:\/|${SLASH})))|(^|[^a-z0-9.@/%\\?&#+-])(?:(${APP}|${PATH})|(${HOST}))`,
  "gi",
);
/** Before a scheme inside an address that is a parameter or a path of that address. */
const IS_PART = /(?:[=/:?&%#]|%[\da-f]{2}|\/__)$/i;
/** Between addresses without a scheme. */
const SEPARATOR = /^[,;|]$|[^\p{ASCII}]/u;
/** Schemes in front of an address that do not open it. */
const OTHER_VIEW = /(?:view-source|blob):$/i;

/** Enough for every address that is accepted; what is longer is cut, so that the work grows with the text only. */
const MAX_ADDRESS_LENGTH = 4_096;

interface Beginning {
  readonly at: number;
  readonly form: "scheme" | "app" | "host";
  readonly host: string;
  /** The character before it. */
  readonly before: string;
}

function beginningsIn(word: string): Beginning[] {
  return [...word.matchAll(BEGINNING)].map(({ 1: scheme, 2: before = "", 3: app, 4: host = "", index }) =>
    scheme === undefined
      ? {
          at: index + before.length,
          form: app === undefined ? "host" : "app",
          host: host.replace(/\.?(?:[/?#]|%\w+)$/, ""),
          before,
        }
      : { at: index, form: "scheme", host: "", before: word.slice(Math.max(0, index - 12), index) },
  );
}

function cut(word: string, from: number, to: number = word.length): string {
  return word.slice(from, Math.min(to, from + MAX_ADDRESS_LENGTH));
}

/** @returns the address without as many underscores at its end as are before it: an id may end with one, too */
function withoutMarkUp(address: string, before: string): string {
  if (!before.endsWith("_")) return address;
  return address.replace(before === "__" ? /_{1,2}(?=[^\w/]*$)/ : /_(?=[^\w/]*$)/, "");
}

/** @returns the addresses of a word, each with a scheme, and with what is stuck to its end */
function addressesInWord(word: string, accepts: HostRule): string[] {
  const isAccepted = ({ host }: Beginning): boolean => {
    const url = parseUrl(`https://${host}/`);
    // Without a dot, it is a word of a sentence even where every host is accepted.
    return url !== null && /[.:]|^localhost$/i.test(host) && accepts(url);
  };
  const starts: Beginning[] = [];
  const foreign: string[] = [];
  for (const beginning of beginningsIn(word)) {
    const { form, before, host, at } = beginning;
    const isFirst = starts.length === 0;
    if (form === "scheme" && OTHER_VIEW.test(before)) return [];
    if (form === "host" && !isAccepted(beginning)) {
      // A word with a slash, such as "and/or", is none.
      if (isFirst && foreign.length === 0 && /\.[a-z-]{2,}(?::\d+)?$/i.test(host))
        foreign.push(`https://${cut(word, at)}`);
    } else if (isFirst || (form === "scheme" ? !IS_PART.test(before) : SEPARATOR.test(before))) starts.push(beginning);
  }
  const found = starts.map(({ at, form }, index) => {
    const address = withoutMarkUp(cut(word, at, starts[index + 1]?.at), word.slice(Math.max(0, at - 2), at));
    return form === "host" ? `https://${address}` : address;
  });
  return [...foreign, ...found];
}

/**
 * @param text legible
 * @param accepts the hosts that are found without a scheme inside a word
 * @returns the addresses in the order of the text, none of them checked
 */
export function findAddresses(text: string, accepts: HostRule): string[] {
  const words = text.split(BETWEEN_WORDS).filter((word) => word !== "" && !CONTROL.test(word));
  return words.flatMap((word) => addressesInWord(mendScheme(word.replace(BULLET, "")), accepts));
}
