/**
 * The J-card of a tape, as a script of subtitles that libass draws: it shapes each script, knows the writing direction
 * and takes the letters that one font lacks from others. Pure.
 */
import { formatTime } from "../../../common/times.ts";
import { charactersOf, cleanTitle } from "../probe/title.ts";

/** Each side of a card. */
export const CARD_PIXELS = 720;
/** Each side of the picture that a card has in its corner. */
export const PICTURE_PIXELS = 176;
/** Of the edges, and of the picture's place. */
export const MARGIN_PIXELS = 40;
export const PAPER = "0xFAF8F3";

const INK = "1C1A15";
const PALE_INK = "6A6456";
const RULE = "E6E0D3";
const STRIPE = "F5A81C";

/** A tape with more songs names one less, and says how many there are besides. */
const MAX_LINES = 20;
const LIST_TOP = 256;
const LIST_BOTTOM = CARD_PIXELS - MARGIN_PIXELS / 2;
const MAX_LINE_PIXELS = 46;
const NUMBER_PIXELS = 34;
const TIME_PIXELS = 96;
const GAP_PIXELS = 14;
/** A font's size has its ascenders and descenders in it. */
const EM_PER_SIZE = 0.86;

export interface CardSong {
  readonly title: string;
  readonly startSeconds: number;
}

export interface JCard {
  readonly title: string;
  readonly artist?: string | undefined;
  readonly songs: readonly CardSong[];
  readonly durationSeconds: number;
  readonly hasPicture: boolean;
}

/** Where a text stands: on the card's grid, up to `width`. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly color: string;
  readonly isBold?: true;
  readonly alignsRight?: true;
}

/**
 * @param left characters that no font has, which are left out
 * @returns the whole script
 */
export function cardScript(card: JCard, left: ReadonlySet<string> = new Set()): string {
  const textOf = (raw: string): string =>
    Array.from(cleanTitle(raw))
      .filter((one) => !left.has(one))
      .join("")
      .trim();
  return `${HEAD}${[...headOf(card, textOf), ...listOf(card, textOf)].join("\n")}\n`;
}

const STYLE = "Style: Card,sans-serif,30,&H0,&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,0,0,7,0,0,0,-1";
const HEAD = `[Script Info]
ScriptType: v4.00+
PlayResX: ${CARD_PIXELS}
PlayResY: ${CARD_PIXELS}
WrapStyle: 2

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
${STYLE}

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;

function headOf({ title, artist, durationSeconds, hasPicture }: JCard, textOf: (raw: string) => string): string[] {
  const x = hasPicture ? MARGIN_PIXELS + PICTURE_PIXELS + 24 : MARGIN_PIXELS;
  const width = CARD_PIXELS - MARGIN_PIXELS - x;
  const heading = { x, width, size: 50, color: INK, isBold: true } as const;
  const [first, second] = inTwoLines(textOf(title), heading);
  const below = second === "" ? 104 : 158;
  const pale = { x, width, size: 28, color: PALE_INK } as const;
  return [
    rectangle(0, 0, CARD_PIXELS, 14, STRIPE),
    text(first, { ...heading, y: 44 }),
    text(second, { ...heading, y: 98 }),
    text(textOf(artist ?? ""), { ...pale, y: below }),
    text(formatTime(Math.round(durationSeconds)), { ...pale, y: MARGIN_PIXELS + PICTURE_PIXELS - 28 }),
    rectangle(MARGIN_PIXELS, LIST_TOP - 16, CARD_PIXELS - 2 * MARGIN_PIXELS, 3, STRIPE),
  ];
}

function listOf({ songs }: JCard, textOf: (raw: string) => string): string[] {
  const named = songs.length > MAX_LINES ? songs.slice(0, MAX_LINES - 1) : songs;
  const line = Math.min(MAX_LINE_PIXELS, (LIST_BOTTOM - LIST_TOP) / Math.min(songs.length, MAX_LINES));
  const size = Math.round(0.72 * line);
  const titleX = MARGIN_PIXELS + NUMBER_PIXELS + GAP_PIXELS;
  const right = CARD_PIXELS - MARGIN_PIXELS;
  const lines = named.flatMap(({ title, startSeconds }, index) => {
    const y = Math.round(LIST_TOP + index * line);
    const pale = { y, size, color: PALE_INK, alignsRight: true } as const;
    const width = right - TIME_PIXELS - GAP_PIXELS - titleX;
    return [
      text(String(index + 1), { ...pale, x: titleX - GAP_PIXELS, width: NUMBER_PIXELS }),
      text(textOf(title), { x: titleX, y, width, size, color: INK }),
      text(formatTime(Math.floor(startSeconds)), { ...pale, x: right, width: TIME_PIXELS }),
      rectangle(MARGIN_PIXELS, Math.round(y + line - 3), right - MARGIN_PIXELS, 1, RULE),
    ];
  });
  if (named.length === songs.length) return lines;
  const y = Math.round(LIST_TOP + named.length * line);
  return [...lines, text(`+ ${songs.length - named.length}`, { x: titleX, y, width: 300, size, color: PALE_INK })];
}

const event = (tags: string, content: string): string =>
  String.raw`Dialogue: 0,0:00:00.00,0:01:00.00,Card,,0,0,0,,{${tags}}${content}`;

/** @param color as on pages; libass has blue first */
const colorTag = (color: string): string => String.raw`\1c&H${(color.match(/../g) ?? []).toReversed().join("")}&`;

function rectangle(x: number, y: number, width: number, height: number, color: string): string {
  const drawn = `m 0 0 l ${width} 0 ${width} ${height} 0 ${height}`;
  return event(String.raw`\an7\pos(${x},${y})${colorTag(color)}\p1`, drawn);
}

/** One line. The widths of letters are guessed: what is wider than its place is cut off there. */
function text(content: string, place: Place): string {
  const { x, y, width, size, color, isBold, alignsRight } = place;
  const [from, to] = alignsRight ? [x - width, x] : [x, x + width];
  const where = String.raw`\an${alignsRight ? 9 : 7}\pos(${x},${y})\clip(${from},0,${to},${CARD_PIXELS})`;
  const look = String.raw`\fs${size}\b${isBold ? 1 : 0}${colorTag(color)}`;
  return event(`${where}${look}`, escaped(fitted(content, place)));
}

/** A backslash and the letter after it would be a command, if nothing stood between them. */
const escaped = (content: string): string => content.replaceAll("\\", "\\\u2060").replaceAll("{", String.raw`\{`);

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;
const PICTOGRAM = /\p{Extended_Pictographic}/u;
const NARROW = /^[\s.,:;'|!ijl()[\]]$/;
const BROAD = /^[\p{Lu}mw@%&—]/u;

/** @returns a width that few letters exceed, in ems */
function widthOf(character: string): number {
  if (WIDE.test(character) || PICTOGRAM.test(character)) return 1.05;
  if (NARROW.test(character)) return 0.38;
  return BROAD.test(character) ? 0.8 : 0.6;
}

type Room = Pick<Place, "width" | "size" | "isBold">;

/** @returns how many characters surely have room */
function countFitting(characters: readonly string[], { width, size, isBold }: Room): number {
  let room = width / (size * EM_PER_SIZE * (isBold ? 1.12 : 1));
  const tooMany = characters.findIndex((character) => (room -= widthOf(character)) < 0);
  return tooMany === -1 ? characters.length : tooMany;
}

function fitted(line: string, room: Room): string {
  const characters = charactersOf(line);
  if (countFitting(characters, room) === characters.length) return line;
  const count = countFitting(["…", ...characters], room) - 1;
  return `${characters.slice(0, Math.max(0, count)).join("").trimEnd()}…`;
}

/** Breaks a line between two words, if its first line has a word at all. */
function inTwoLines(line: string, room: Room): readonly [string, string] {
  const characters = charactersOf(line);
  const count = countFitting(characters, room);
  if (count === characters.length) return [line, ""];
  const space = characters.slice(0, count + 1).lastIndexOf(" ");
  const end = space > 0 ? space : count;
  return [characters.slice(0, end).join(""), characters.slice(end).join("").trimStart()];
}
