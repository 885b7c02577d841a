/** Undoes what copying and sending do to a text as a whole. Each step takes time in proportion to the text. */
import { isWholeId } from "./list-ids.ts";
import { addressesOfIds } from "./lone-ids.ts";

/** What cannot be seen: marks of direction, zero-width characters, and the place of an object that was not copied. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffc]+/gu;
const BETWEEN_OTHER_LETTERS = /[^\p{ASCII}\s]/u;

/** Joiners inside words and emoji of other scripts are part of these. */
function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, (run: string, at: number) => {
    const before = text[at - 1] ?? "";
    const after = text[at + run.length] ?? "";
    return BETWEEN_OTHER_LETTERS.test(before) && BETWEEN_OTHER_LETTERS.test(after) ? run : "";
  });
}

/** @returns a space for controls, and for what is no character: both end a link */
function characterOf(code: number): string {
  return code <= 0x20 || code === 0x7f || code > 0x10ffff ? " " : String.fromCodePoint(code);
}

/** `&amp;` also where it was escaped several times. */
const AMPERSAND = /&(?:(?:amp|#0{0,5}38|#x0{0,5}26);)+/gi;
const NUMBERED_ENTITY = /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi;
const NAMED_ENTITY = /&(?:lt|gt|quot|apos|nbsp|lrm|rlm|zwj|zwnj|shy);/gi;
const MARKS = {
  colon: ":",
  sol: "/",
  period: ".",
  quest: "?",
  equals: "=",
  num: "#",
  lowbar: "_",
  percnt: "%",
} as const;
const MARK_ENTITY = /&(colon|sol|period|quest|equals|num|lowbar|percnt);/g;

function decodeEntities(text: string): string {
  return text
    .replace(AMPERSAND, "&")
    .replace(NUMBERED_ENTITY, (_, hex: string | undefined, decimal: string | undefined) =>
      characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(NAMED_ENTITY, " ")
    .replace(MARK_ENTITY, (_, name: keyof typeof MARKS) => MARKS[name]);
}

/** What colours a terminal's output, also in the middle of an address, and the beginning and end of a link in it. */
// eslint-disable-next-line no-control-regex
const TERMINAL_STYLE = /\u001b\[[\d;]{0,20}[A-Za-z]/g;
// eslint-disable-next-line no-control-regex
const TERMINAL_LINK = /\u001b\]8;[^;\s\u001b]{0,60};|\u001b\\|\u0007/g;

function withoutStyles(text: string): string {
  return text.replace(TERMINAL_STYLE, "").replace(TERMINAL_LINK, " ");
}

/** Of JSON and JavaScript: `\u0026`. */
const ESCAPED_CODE = /\\(?:u00|x)([2-7][\da-f])/gi;
/** Of rich text: `\'3d`. Only for marks: a quote that a shell escapes may stand before any two digits. */
const ESCAPED_RICH_MARK = /\\'(2[356f]|3[adf]|5f)/gi;
/** Of shells, Markdown, BibTeX and JSON: `\?`, `\_`, `{\_}`, `\/`. Backslashes before anything else stay, and are refused. */
const ESCAPED_MARK = /\{\\(_)\}|\\([?=&/:_#~%+*()[\]!,;|<>'"$-])/g;
/** Of Markdown and regular expressions. Other backslashes in a host stay: browsers read them as slashes. */
const ESCAPED_HOST = /\b(?:(?:www|m|music)\\\.)?(?:youtu\\\.be|youtube\\\.com)(?=\\?\/)/gi;
/** Of the shells of Windows: `^&`, `` `& ``. */
const WINDOWS_MARK = /[\^`]([?=&])/g;

function unescapeMarks(text: string): string {
  return text
    .replace(ESCAPED_CODE, (_, hex: string) => characterOf(Number.parseInt(hex, 16)))
    .replace(ESCAPED_RICH_MARK, (_, hex: string) => characterOf(Number.parseInt(hex, 16)))
    .replace(ESCAPED_HOST, (host) => host.replaceAll("\\", ""))
    .replace(ESCAPED_MARK, "$1$2")
    .replace(WINDOWS_MARK, "$1");
}

/** Inside an address of YouTube. The `=` of a parameter is its own, and a line with a scheme is another address. */
const SOFT_BREAK = /(\bhttps?:\/\/(?:\w{1,9}\.)?youtu[^\s=]{0,80}(?<![?&][\w]{1,20}))=\r?\n(?![a-z]{2,9}:)(?=\S)/gi;

/**
 * Quoted-printable mail breaks lines after a `=`, and writes `=` as `=3D`. Calendars and contacts begin the rest of a line
 * with a space (RFC 5545, section 3.1).
 */
function joinSoftBreaks(text: string): string {
  const joined = /=3d/i.test(text) ? text.replace(/=\r?\n/g, "") : text.replace(SOFT_BREAK, "$1");
  return /^BEGIN:V[A-Z]/m.test(joined) ? joined.replace(/\r?\n[ \t]/g, "") : joined;
}

const WIDE_SCHEME = /[hｈ][tｔ]{2}[pｐ][sｓ]?[:：][/／]{2}(\S*)/giu;

/** Full-width characters of ASCII. */
export function toHalfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/** Only of an address whose scheme is full-width: in another address such a character may be meant. */
function narrowAddresses(text: string): string {
  return text.replace(WIDE_SCHEME, (address: string, rest: string) =>
    /^\p{ASCII}*$/u.test(address.slice(0, address.length - rest.length)) ? address : toHalfWidth(address),
  );
}

const BEFORE_HOST = /(https?:\/\/)[ \t\u00a0]{1,9}(?=\S)/gi;
/** Phone keyboards put a space behind a full stop, or a comma in its place. Some write spaces everywhere on purpose. */
const INSIDE_HOST = /\b(youtu|youtube)(?:[ \t]{1,2}|[ \t]{0,2}[.,。．]\s{0,2})(be|com)[ \t]{0,2}(?=\/)/gi;
const INSIDE_QUERY = /\bwatch[ \t]{0,2}(?:\?[ \t]{0,2}v?[ \t]{0,2}=?|v=)[ \t]{0,2}(?=[\w-]{11}(?![\w=-]))/gi;
const INSTEAD_OF_QUERY = /\b(youtube\.com|youtu\.be)\/v=(?=[\w-]{11}(?![\w-]))/gi;
/** A slash that got lost. */
const BEHIND_HOST =
  /\b(?:youtube\.com|youtu\.be)(?=(?:watch(?:_videos)?|playlist)\?|(?:shorts|live|embed)\/)|\byoutu\.be(?=[\w-]{11}(?![\w.:@-]))/gi;
/** Mail that is answered begins its lines with `>`. */
const BEFORE_ID = /([?&]v=|youtu\.be\/|\/(?:shorts|embed|live)\/)\s[\s>]{0,9}(?=[\w-]{11}(?![\w-]))/gi;
const BEFORE_PARAMETER = /([?&])\s[\s>]{0,9}(?=v=[\w-]{11})/gi;

/** Mail breaks lines here, also inside an id. A shorter line was cut off. */
const SHORTEST_BROKEN_LINE = 60;
const INSIDE_ID =
  /([?&](?:v|list)=|youtu\.be\/|\/(?:shorts|embed|live|clip)\/)([\w-]{1,43}) ?\r?\n[\s>]{0,9}([\w-]{1,43})(?![\w-])/gi;

function joinIds(text: string): string {
  return text.replace(INSIDE_ID, (broken: string, before: string, start: string, end: string, at: number) => {
    if (/list=|clip/i.test(before)) return !isWholeId(start) && isWholeId(start + end) ? before + start + end : broken;
    if (start.length + end.length !== 11) return broken;
    // No further back: else a text of many such lines would be read again and again.
    const line =
      text
        .slice(Math.max(0, at - SHORTEST_BROKEN_LINE), at)
        .split("\n")
        .at(-1) ?? "";
    const lineLength = line.length + before.length + start.length;
    return lineLength >= SHORTEST_BROKEN_LINE ? before + start + end : broken;
  });
}

/** Terminals and PDFs break lines anywhere. A host that is broken stays so: it may be another one. */
const BROKEN_PATH = /(https?:\/\/)([^\s/]{1,24}\/\S{0,48})\r?\n[ \t>]{0,9}(?=(\S{1,64}))/gi;
const BEFORE_VIDEO =
  /^(?:(?:www|m|music)\.)?(?:youtube\.com\/(?:watch\?(?:[\w=&-]{0,60}&)?v=|(?:shorts|live|embed)\/)|youtu\.be\/)/i;

/** Two lines that are the address of a video together, and none alone. */
function joinPaths(text: string): string {
  return text.replace(BROKEN_PATH, (broken: string, scheme: string, start: string, end: string) => {
    const id = BEFORE_VIDEO.test(start) ? "" : (start + end).split(BEFORE_VIDEO)[1];
    return /^[\w-]{11}/.test(id ?? "") ? scheme + start : broken;
  });
}

/** Spaces inside an address, and lines that were broken there. */
function closeGaps(text: string): string {
  return joinPaths(joinIds(text))
    .replace(BEFORE_HOST, "$1")
    .replace(INSIDE_HOST, "$1.$2")
    .replace(BEHIND_HOST, "$&/")
    .replace(INSIDE_QUERY, "watch?v=")
    .replace(INSTEAD_OF_QUERY, "$1/watch?v=")
    .replace(BEFORE_PARAMETER, "$1")
    .replace(BEFORE_ID, "$1");
}

/** Of `youtu[.]be`, `hxxps[://]youtube(dot)com`: chats and security mail write an address so that nobody presses it. */
const DEFANGED =
  /(?:(h[tx]{2}ps?)[[({]?:[\])}]?\/\/[\])}]?|(?<![\w/.?=&#%+-]))((?:[a-z\d-]{1,63}(?:\.|[[({](?:\.|dot)[\])}])){1,4}[a-z]{2,24})(?=[/?#])/gi;
const BRACKETED_DOT = /[[({](?:\.|dot)[\])}]/gi;

function arm(text: string): string {
  return text.replace(DEFANGED, (_, scheme: string | undefined, host: string) => {
    const armed = host.replace(BRACKETED_DOT, ".");
    return scheme === undefined ? armed : `${scheme}://${armed}`;
  });
}

/** @returns the text as it was meant, for {@link findAddresses} */
export function legibleText(text: string): string {
  const seen = removeInvisible(decodeEntities(joinSoftBreaks(withoutStyles(text))));
  return addressesOfIds(arm(closeGaps(narrowAddresses(unescapeMarks(seen)))));
}
