/** How an MP4 on disk is laid out: which boxes it has, in which order, and whether it can be handed out as it is. */
import { open, type FileHandle } from "node:fs/promises";
import { boxesIn, findBox, MAX_INDEX_BYTES, shiftIndex, type Box } from "./boxes.ts";

/** A box's header, where its size takes eight bytes. */
const HEADER_BYTES = 16;
/** Files in fragments have thousands; nobody here wants to know about so many. */
const MAX_BOXES = 64;

async function readBoxes(file: FileHandle): Promise<Box[]> {
  const { size } = await file.stat();
  const boxes: Box[] = [];
  const header = Buffer.alloc(HEADER_BYTES);
  for (let start = 0; start + 8 <= size && boxes.length < MAX_BOXES; ) {
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, start);
    const [box] = boxesIn(header, 0, bytesRead);
    if (!box) break;
    const end = box.end === Infinity ? size : start + box.end;
    boxes.push({ type: box.type, start, contentStart: start + box.contentStart, end });
    start = end;
  }
  return boxes;
}

/** The outermost boxes of a file, the first 64 of them. */
export async function readLayout(path: string): Promise<Box[]> {
  await using file = await open(path);
  return await readBoxes(file);
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
  const boxes = await readBoxes(file);
  const index = boxes.find(({ type }) => type === "moov");
  const media = boxes.find(({ type }) => type === "mdat");
  const isPlain = boxes[0]?.type === "ftyp" && boxes.every(({ type }) => PLAIN.has(type)) && boxes.at(-1)?.end === size;
  if (!index || !media || !isPlain || index.start > media.start || index.end - index.start > MAX_INDEX_BYTES) return false;
  const bytes = Buffer.alloc(index.end - index.start);
  await file.read(bytes, 0, bytes.length, index.start);
  // An index that goes on in fragments tells only of the beginning.
  const isFragmented = findBox(bytes, "moov", "mvex") !== undefined;
  return !isFragmented && shiftIndex(bytes, 0, media.start, size) !== undefined;
}
