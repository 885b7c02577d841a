/** Takes an address of YouTube apart, also a damaged one. */
import { toHalfWidth } from "./legible-text.ts";

/** First path segments whose second segment is the id of a video. */
export const ID_PATHS = new Set([
  "watch",
  "shorts",
  "live",
  "embed",
  "v",
  "e",
  "vi",
  "vi_webp",
  "an_webp",
  "sb",
  "video",
  "podcast",
]);
const CHANNEL_PATHS = new Set(["channel", "c", "user"]);

/** The parts of an address, as far as they can be told apart in a damaged one. */
export interface Parts {
  readonly segments: readonly string[];
  /** The first of each name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Escapes of printable ASCII, such as `%3Dd`. */
function decodeAscii(text: string): string {
  return text.replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** `&`, `;`, `#` and a second `?` stand for each other. Quoted-printable mail writes `=` as `=3D`. */
function pairsIn(text: string): [name: string, value: string][] {
  return text
    .split(/[?&#;]/)
    .slice(1)
    .map((pair) => {
      const [name = "", ...values] = pair.split("=");
      const value = decodeAscii(values.join("=")).replace(/^3D(?=[\w-]{11}|\d+[hms]?$|PL|OL|UU|FL|RD)/, "");
      return [name.toLowerCase().replace(/^!/, ""), value];
    });
}

/** Of PDFs and text editors, which make one dash of two. */
function withHyphens(text: string): string {
  return text.replace(/[\u2010\u2011\u2212]/g, "-").replace(/[\u2013\u2014]/g, "--");
}

export function partsOf(rest: string): Parts {
  const written = withHyphens(toHalfWidth(rest)).replaceAll("؟", "?");
  const decoded = decodeAscii(decodeAscii(written));
  const parameters = new Map<string, string>();
  // Escaped ones may be parameters of another address inside this one.
  for (const [name, value] of [...pairsIn(written), ...pairsIn(decoded)])
    if (!parameters.has(name)) parameters.set(name, value);
  const path = /^[^?#]*/.exec(decoded)?.[0] ?? "";
  const [first = "", ...others] = withoutChannel(segmentsOf(path));
  // Phones write the first letter of a word large. An id may be the first segment, and keeps its letters.
  const name = first.toLowerCase();
  return { segments: ID_PATHS.has(name) || name === "playlist" ? [name, ...others] : [first, ...others], parameters };
}

/** @returns what follows the name of a channel, where that is the path of a video: `/@name/shorts/…` */
function withoutChannel(segments: readonly string[]): readonly string[] {
  const [first = ""] = segments;
  const rest = segments.slice(first.startsWith("@") ? 1 : 2);
  const isOfChannel = first.startsWith("@") || CHANNEL_PATHS.has(first);
  return isOfChannel && ID_PATHS.has(rest[0] ?? "") && rest[1] !== undefined ? rest : segments;
}

/** As URL parsers resolve them, for which a backslash is a slash. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split(/[/\\]/)) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}
