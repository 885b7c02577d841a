/** Reads which boxes an MP4 on disk has, and in which order. */
import type { FileHandle } from "node:fs/promises";
import { openFile } from "../../tool-files/tool-files.ts";
import { findBox, FREE_BOXES, MAX_INDEX_BYTES, shiftIndex, type Box } from "./boxes.ts";
import { boxesBetween, readContent, type ReadAt } from "./outer-boxes.ts";
import { readDuration } from "./track.ts";

/** Most boxes that are read. Fragmented files have thousands, and only the first ones matter here. */
const MAX_BOXES = 64;

function readerOf(file: FileHandle): ReadAt {
  return async (position, count) => {
    const bytes = Buffer.allocUnsafe(count);
    const { bytesRead } = await file.read(bytes, 0, count, position);
    return bytes.subarray(0, bytesRead);
  };
}

/** @returns the first 64 boxes between two offsets of the file */
async function readBoxes(file: FileHandle, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for await (const box of boxesBetween(readerOf(file), from, to, MAX_BOXES)) boxes.push(box);
  return boxes;
}

/** @returns the first 64 outermost boxes of a file, which may still grow */
export async function readLayout(path: string): Promise<Box[]> {
  await using file = await openFile(path);
  return await readBoxes(file, 0, (await file.stat()).size);
}

/** @returns content of an index. @throws RangeError when it is too long, or the file ends before it does */
export async function readIndex(path: string, index: Box): Promise<Buffer> {
  await using file = await openFile(path);
  if (index.end > (await file.stat()).size) throw new RangeError("the index is cut off");
  return await readContent(readerOf(file), index, MAX_INDEX_BYTES);
}

const PLAIN_BOXES = new Set(["ftyp", "moov", "mdat", ...FREE_BOXES]);

/**
 * Whether an MP4 is complete and can be played from its first byte on: its index comes before the media, all media that
 * the index names is there, and it has no other boxes than these and free space.
 */
export async function isWholeWithIndexInFront(path: string): Promise<boolean> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const boxes = await readBoxes(file, 0, size);
  const index = boxes.find(({ type }) => type === "moov");
  const media = boxes.find(({ type }) => type === "mdat");
  const hasPlainBoxes = boxes[0]?.type === "ftyp" && boxes.every(({ type }) => PLAIN_BOXES.has(type));
  const isPlain = hasPlainBoxes && boxes.at(-1)?.end === size;
  if (!index || !media || !isPlain || index.start > media.start || index.end - index.start > MAX_INDEX_BYTES)
    return false;
  const bytes = Buffer.alloc(index.end - index.start);
  await file.read(bytes, 0, bytes.length, index.start);
  // The index of a fragmented file describes only its beginning.
  const isFragmented = findBox(bytes, "moov", "mvex") !== undefined;
  return !isFragmented && shiftIndex(bytes, 0, media.start, size) !== undefined;
}

/** Free space of all boxes that is looked at. Tools reserve less. */
const MAX_FREE_BYTES = 1_048_576;

/**
 * Whether a file has boxes that players skip, with other bytes than zeros, or too large to look at. A site may keep there
 * what it knows about its visitor. Of a growing file, only what is there is looked at.
 */
export async function hasFilledFreeSpace(path: string): Promise<boolean> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const boxes = (await readBoxes(file, 0, size)).filter(({ type }) => FREE_BOXES.has(type));
  const freeBytes = boxes.reduce((sum, { contentStart, end }) => sum + end - contentStart, 0);
  if (freeBytes > MAX_FREE_BYTES) return true;
  for (const { contentStart, end } of boxes) {
    const content = Buffer.alloc(Math.max(0, Math.min(end, size) - contentStart));
    await file.read(content, 0, content.length, contentStart);
    if (content.some((byte) => byte !== 0)) return true;
  }
  return false;
}

/** Brands that all players accept as MP4. Others, such as "qt  ", stand for features that only some players have. */
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
/** Whether a file has the brand of an MP4. Its index has to be there; the media may still be missing. */
export async function hasMp4Brand(path: string): Promise<boolean> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const boxes = await readBoxes(file, 0, size);
  const index = boxes.find(({ type }) => type === "moov");
  if (boxes[0]?.type !== "ftyp" || !index || index.end > size) return false;
  const brand = Buffer.alloc(4);
  await file.read(brand, 0, brand.length, boxes[0].contentStart);
  return MP4_BRANDS.has(brand.toString("latin1"));
}

/** @returns duration that the index states; undefined when it states none */
export async function readMovieSeconds(path: string): Promise<number | undefined> {
  await using file = await openFile(path);
  const index = (await readBoxes(file, 0, (await file.stat()).size)).find(({ type }) => type === "moov");
  const header = index && (await readBoxes(file, index.contentStart, index.end)).find(({ type }) => type === "mvhd");
  if (!header) return undefined;
  const fields = Buffer.alloc(32);
  await file.read(fields, 0, fields.length, header.contentStart);
  const duration = readDuration(fields);
  return duration && duration.units / duration.unitsPerSecond;
}
