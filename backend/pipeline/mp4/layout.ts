/** How an MP4 on disk is laid out: which boxes it has, in which order, and whether it can be handed out as it is. */
import { open, type FileHandle } from "node:fs/promises";
import { boxesIn, findBox, MAX_INDEX_BYTES, shiftIndex, type Box } from "./boxes.ts";

/** A box's header, where its size takes eight bytes. */
const HEADER_BYTES = 16;
/** Files in fragments have thousands; nobody here wants to know about so many. */
const MAX_BOXES = 64;

/** Those between two positions, the first 64 of them. */
async function readBoxes(file: FileHandle, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  const header = Buffer.alloc(HEADER_BYTES);
  for (let start = from; start + 8 <= to && boxes.length < MAX_BOXES;) {
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, start);
    const [box] = boxesIn(header, 0, bytesRead);
    if (!box) break;
    const end = box.end === Infinity ? to : start + box.end;
    boxes.push({ type: box.type, start, contentStart: start + box.contentStart, end });
    start = end;
  }
  return boxes;
}

/** The outermost boxes of a file, the first 64 of them. */
export async function readLayout(path: string): Promise<Box[]> {
  await using file = await open(path);
  return await readBoxes(file, 0, (await file.stat()).size);
}

/** Besides index and media. */
const PLAIN = new Set(["ftyp", "moov", "mdat", "free", "skip", "wide"]);

/**
 * Whether the file is whole and plays from its first bytes on: the index in front of the media, all of which the index
 * names is there, and nothing follows that belongs to no film.
 */
export async function isWholeWithIndexInFront(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const boxes = await readBoxes(file, 0, size);
  const index = boxes.find(({ type }) => type === "moov");
  const media = boxes.find(({ type }) => type === "mdat");
  const isPlain = boxes[0]?.type === "ftyp" && boxes.every(({ type }) => PLAIN.has(type)) && boxes.at(-1)?.end === size;
  if (!index || !media || !isPlain || index.start > media.start || index.end - index.start > MAX_INDEX_BYTES)
    return false;
  const bytes = Buffer.alloc(index.end - index.start);
  await file.read(bytes, 0, bytes.length, index.start);
  // An index that goes on in fragments tells only of the beginning.
  const isFragmented = findBox(bytes, "moov", "mvex") !== undefined;
  return !isFragmented && shiftIndex(bytes, 0, media.start, size) !== undefined;
}

/** What players everywhere take for an MP4; others, "qt  " above all, promise what only some of them know. */
const MP4_BRANDS: ReadonlySet<string> = new Set([
  "isom",
  "iso2",
  "iso3",
  "iso4",
  "iso5",
  "iso6",
  "mp41",
  "mp42",
  "avc1",
]);
/** Besides these are titles, places, devices, chapters and whatever else somebody wanted to say. */
const OF_THE_FILM: ReadonlySet<string> = new Set(["mvhd", "iods", "trak"]);
const OF_A_TRACK: ReadonlySet<string> = new Set(["tkhd", "edts", "mdia"]);

/**
 * Whether the file is an MP4 by its own word and its index is about pictures and sound alone: no tags, chapters or data
 * of whoever made it. Its index has to be there, the rest need not.
 */
export async function isBareMp4(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const boxes = await readBoxes(file, 0, size);
  const index = boxes.find(({ type }) => type === "moov");
  if (boxes[0]?.type !== "ftyp" || !index || index.end > size) return false;
  const brand = Buffer.alloc(4);
  await file.read(brand, 0, brand.length, boxes[0].contentStart);
  const hasOnly = async (parent: Box, types: ReadonlySet<string>): Promise<Box[] | undefined> => {
    const found = await readBoxes(file, parent.contentStart, parent.end);
    return found.at(-1)?.end === parent.end && found.every(({ type }) => types.has(type)) ? found : undefined;
  };
  const parts = MP4_BRANDS.has(brand.toString("latin1")) ? await hasOnly(index, OF_THE_FILM) : undefined;
  const tracks = (parts ?? []).filter(({ type }) => type === "trak");
  const bare = await Promise.all(tracks.map((track) => hasOnly(track, OF_A_TRACK)));
  return parts !== undefined && bare.every((found) => found !== undefined);
}

/**
 * What a film's or a track's header ("mvhd", "mdhd") says of its length (ISO/IEC 14496-12, sections 8.2.2 and 8.4.2).
 * Undefined where it does not; throws RangeError where it is cut off.
 */
export function readTimes(header: Buffer): { readonly unitsPerSecond: number; readonly units: number } | undefined {
  const isLong = header.readUInt8(0) === 1;
  const [unitsPerSecond, units] = isLong
    ? [header.readUInt32BE(20), Number(header.readBigUInt64BE(24))]
    : [header.readUInt32BE(12), header.readUInt32BE(16)];
  return units > 0 && unitsPerSecond > 0 ? { unitsPerSecond, units } : undefined;
}

/** How long the index says that all of it lasts. Undefined where it does not. */
export async function readMovieSeconds(path: string): Promise<number | undefined> {
  await using file = await open(path);
  const index = (await readBoxes(file, 0, (await file.stat()).size)).find(({ type }) => type === "moov");
  const header = index && (await readBoxes(file, index.contentStart, index.end)).find(({ type }) => type === "mvhd");
  if (!header) return undefined;
  const fields = Buffer.alloc(32);
  await file.read(fields, 0, fields.length, header.contentStart);
  const times = readTimes(fields);
  return times && times.units / times.unitsPerSecond;
}
