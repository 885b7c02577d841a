/** Makes a file name from the title of a video that is valid on Windows, macOS and Linux. */
import type { FileKind } from "./findings.ts";

/** The longest name in bytes of UTF-8 on ext4 and most other file systems. NTFS and APFS allow at least as much. */
export const MAX_NAME_BYTES = 255;
/** The name for a title without any usable character. */
const FALLBACK = "video";

/** Characters that Windows forbids. They include the path separators of all systems. */
const FORBIDDEN = /[<>:"/\\|?*]/g;
/** Control characters, lone surrogates, private and unassigned code points, line separators. */
const NOT_TEXT = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;
const BEFORE_JOINER = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])/u;
const AFTER_JOINER = /(?=[\p{Extended_Pictographic}\p{L}])/u;
/**
 * Invisible characters, such as direction marks. Three kinds change the letter before them and are kept in that place:
 * joiners in emoji, Arabic and Indic scripts, tag characters of a flag, and variation selectors. All others match the
 * group `hidden`.
 */
const INVISIBLE = new RegExp(
  [
    new RegExp(`${BEFORE_JOINER.source}[\u200c\u200d]${AFTER_JOINER.source}`, "u"),
    /(?<=\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0020}-\u{e007f}]/u,
    /(?<=[\p{L}\p{N}\p{S}])\p{Variation_Selector}/u,
    /(?<hidden>[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);
/** White space without U+FEFF, which is invisible. */
const SPACES = /[^\S\ufeff]+/gu;
/** Device names of Windows, with any extension. Windows treats superscript digits as digits. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?=\s*(?:\.|$))/iu;

const encoder = new TextEncoder();
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * @param title any text
 * @param suffix kept whole at the end of the name, before the extension; of characters that all systems allow
 * @returns a name of at most 255 bytes that is no path and no device and has no invisible characters
 */
export function downloadName(title: string, kind: FileKind | "zip", suffix = ""): string {
  const extension = `${suffix}.${kind}`;
  const plain = withoutHidden(title.replace(SPACES, " ").replace(NOT_TEXT, ""))
    .replace(SPACES, " ")
    .replace(FORBIDDEN, "_")
    .normalize("NFC");
  // A cut may leave a joiner without the letter behind it.
  const stem = trim(withoutHidden(cutToBytes(trim(plain).replace(DEVICE, "$&_"), MAX_NAME_BYTES - extension.length)));
  return `${hasLetters(stem) ? stem : FALLBACK}${extension}`;
}

/** @returns length in UTF-8 */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** @returns the longest beginning of the text that fits and does not cut a grapheme in two */
export function cutToBytes(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  let end = 0;
  let sizeBytes = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    sizeBytes += byteLength(segment);
    if (sizeBytes > maxBytes) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/**
 * Repeats until nothing changes, because removing a character can make another one invisible, and so can composing a
 * letter with its mark: a joiner is kept behind a mark, but not behind a letter.
 */
function withoutHidden(text: string): string {
  const visible = text
    .normalize("NFC")
    .replace(INVISIBLE, (character, ...groups) => (isHidden(groups.at(-1)) ? "" : character));
  return visible === text ? text : withoutHidden(visible);
}

function isHidden(groups: unknown): boolean {
  return typeof groups === "object" && groups !== null && "hidden" in groups && groups.hidden !== undefined;
}

/** Removes dots and spaces at both ends. Windows drops them at the end; elsewhere a dot at the start hides the file. */
function trim(text: string): string {
  return text.replace(/^[.\s]+|[.\s]+$/gu, "");
}

/** Whether a text has more than replaced characters, dots, and marks without a letter. */
function hasLetters(text: string): boolean {
  return /[^\p{M}\p{Default_Ignorable_Code_Point}\s_.]/u.test(text);
}
