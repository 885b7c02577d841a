/**
 * The boxes that an MP4 is made of (ISO/IEC 14496-12, section 4.2), and the places in its index that say where the
 * media lies.
 */

export interface Box {
  readonly type: string;
  /** Of its header, counted from the beginning of what is read. */
  readonly start: number;
  readonly contentStart: number;
  /** May lie beyond what is read; Infinity when it goes to the end of the file. */
  readonly end: number;
}

/** Its size and its type; those of more than 4 GB have eight bytes more. */
export const BOX_HEADER_BYTES = 8;
/** Of an index that is held in memory; two hours of video have 4 MB, three hours in small pieces have 6 MB. */
export const MAX_INDEX_BYTES = 24_000_000;
/** One behind the other. Films have some tens; millions of empty ones would hold everybody up. */
export const MAX_BOXES = 4_096;

/**
 * The boxes between two positions, as far as their headers are there, the first 4,096 of them. Ends at what cannot be a
 * box.
 */
export function* boxesIn(bytes: Buffer, from = 0, to = bytes.length): Generator<Box> {
  let start = from;
  for (let count = 0; count < MAX_BOXES && start + BOX_HEADER_BYTES <= to; count += 1) {
    const size = bytes.readUInt32BE(start);
    if (size === 1 && start + 16 > to) return;
    const contentStart = start + (size === 1 ? 16 : BOX_HEADER_BYTES);
    const end = size === 0 ? Infinity : start + (size === 1 ? Number(bytes.readBigUInt64BE(start + 8)) : size);
    if (end < contentStart) return;
    yield { type: bytes.toString("latin1", start + 4, start + 8), start, contentStart, end };
    start = end;
  }
}

/** A box that is there as a whole: what it holds, without its own header. */
export interface WholeBox {
  readonly type: string;
  readonly body: Buffer;
}

/** Those that are whole. One that says it is longer than what holds it ends the list. */
export function* wholeBoxesIn(bytes: Buffer): Generator<WholeBox> {
  for (const { type, contentStart, end } of boxesIn(bytes)) {
    if (end > bytes.length) return;
    yield { type, body: bytes.subarray(contentStart, end) };
  }
}

/** What is in the first box at a path of types. */
export function findBox(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let found: Buffer | undefined = bytes;
  for (const wanted of path) {
    if (found === undefined) return undefined;
    found = firstBox(found, wanted);
  }
  return found;
}

/** Looks no further than it has to. */
function firstBox(bytes: Buffer, wanted: string): Buffer | undefined {
  for (const { type, body } of wholeBoxesIn(bytes)) if (type === wanted) return body;
  return undefined;
}

/** How many entries a table has whose count is at `countOffset`, or there is room for. */
export function tableLength(table: Buffer, countOffset: number, entryBytes: number): number {
  if (table.length < countOffset + 4) return 0;
  return Math.min(table.readUInt32BE(countOffset), Math.floor((table.length - countOffset - 4) / entryBytes));
}

/** Boxes that hold those with the positions of the media. */
const PARENTS: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

/** Undefined where there are too many boxes to be sure of all. */
function offsetTables(bytes: Buffer): readonly Box[] | undefined {
  const tables: Box[] = [];
  const parents: Pick<Box, "contentStart" | "end">[] = [{ contentStart: 0, end: bytes.length }];
  let count = 0;
  // Grows while it is gone through.
  for (const parent of parents)
    for (const box of boxesIn(bytes, parent.contentStart, parent.end)) {
      count += 1;
      if (count >= MAX_BOXES) return undefined;
      if (box.end > parent.end) break;
      if (PARENTS.has(box.type)) parents.push(box);
      else if (box.type === "stco" || box.type === "co64") tables.push(box);
    }
  return tables;
}

/**
 * The same index for media that lies `shiftBytes` further back. Undefined where that cannot be told: no positions, or
 * not all of them between `from` and `to`, where the media lies, or they would become too large for their field,
 * or it has thousands of boxes.
 */
export function shiftIndex(moov: Buffer, shiftBytes: number, from: number, to: number): Buffer | undefined {
  const shifted = Buffer.from(moov);
  let count = 0;
  for (const { type, contentStart, end } of offsetTables(shifted) ?? []) {
    const isLong = type === "co64";
    const entryBytes = isLong ? 8 : 4;
    const entries = contentStart + 8 <= end ? shifted.readUInt32BE(contentStart + 4) : 0;
    if (contentStart + 8 + entries * entryBytes > end) return undefined;
    for (let at = contentStart + 8, left = entries; left > 0; at += entryBytes, left -= 1) {
      const position = isLong ? Number(shifted.readBigUInt64BE(at)) : shifted.readUInt32BE(at);
      const moved = position + shiftBytes;
      if (position < from || position >= to || (!isLong && moved > 0xffff_ffff)) return undefined;
      if (isLong) shifted.writeBigUInt64BE(BigInt(moved), at);
      else shifted.writeUInt32BE(moved, at);
    }
    count += entries;
  }
  return count > 0 ? shifted : undefined;
}
