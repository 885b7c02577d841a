/** Names for downloaded files that Windows, macOS and Linux all take, made from a video's title. */
import type { Format } from "../../../common/tiers.ts";

/** Bytes of UTF-8 that ext4 and most other file systems take for one name. NTFS and APFS take no less. */
export const MAX_NAME_BYTES = 255;
/** When nothing of a title is left. */
const FALLBACK = "video";

/** Characters that Windows forbids, among them the separators of the others. */
const FORBIDDEN = /[<>:"/\\|?*]/g;
/** Control characters, halves of pairs, private and unassigned code points, line separators. */
const NOT_TEXT = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;
/**
 * Characters that are not drawn, such as direction marks. Three kinds make the letter before them another one and stay
 * there: joiners in emoji, Arabic and Indic scripts, the letters of a flag, and the choice of a letter's form.
 */
const INVISIBLE =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u200c\u200d](?=[\p{Extended_Pictographic}\p{L}])|(?<=\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0020}-\u{e007f}]|(?<=[\p{L}\p{N}\p{S}])\p{Variation_Selector}|(?<hidden>[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb])/gu;
/** White space without U+FEFF, which is not drawn at all. */
const SPACES = /[^\S\ufeff]+/gu;
/** Devices of Windows, whatever their extension; it takes superscript digits for digits. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?=\s*(?:\.|$))/iu;

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * @param title any text
 * @returns a name of at most 255 bytes that names no folder and no device and hides nothing
 */
export function downloadName(title: string, format: Format): string {
  const extension = `.${format}`;
  const plain = withoutHidden(title.replace(SPACES, " ").replace(NOT_TEXT, ""))
    .replace(SPACES, " ")
    .replace(FORBIDDEN, "_")
    .normalize("NFC");
  const stem = trim(cutToBytes(trim(plain).replace(DEVICE, "$&_"), MAX_NAME_BYTES - extension.length));
  return `${hasLetters(stem) ? stem : FALLBACK}${extension}`;
}

/** @returns as many whole letters from the start as fit; what is drawn as one letter is never cut in two */
export function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let end = 0;
  let sizeBytes = 0;
  for (const { segment, index } of letters.segment(text)) {
    sizeBytes += Buffer.byteLength(segment);
    if (sizeBytes > maxBytes) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Until nothing changes: what a removed character made visible may be hidden without it. */
function withoutHidden(text: string): string {
  const shown = text.replace(INVISIBLE, (character, ...groups) => (isHidden(groups.at(-1)) ? "" : character));
  return shown === text ? text : withoutHidden(shown);
}

function isHidden(groups: unknown): boolean {
  return typeof groups === "object" && groups !== null && "hidden" in groups && groups.hidden !== undefined;
}

/** Windows drops dots and spaces at the end of a name; a dot at its start hides the file elsewhere. */
function trim(text: string): string {
  return text.replace(/^[.\s]+|[.\s]+$/gu, "");
}

/** Whether anything is left beside what stands for forbidden characters, and marks without a letter. */
function hasLetters(text: string): boolean {
  return /[^\p{M}\p{Default_Ignorable_Code_Point}\s_.]/u.test(text);
}
