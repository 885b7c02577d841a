/** Reads the boxes of an MP4 (ISO/IEC 14496-12, section 4.2) and moves the media positions in its index. Pure. */

export interface Box {
  readonly type: string;
  /** Offset of the header in the bytes that were read. */
  readonly start: number;
  readonly contentStart: number;
  /** May be beyond the bytes that were read; Infinity for a box that ends with the file. */
  readonly end: number;
}

/** Size and type. A box of more than 4 GB has eight bytes more. */
export const BOX_HEADER_BYTES = 8;
/** Largest index that is held in memory. Two hours of video have 4 MB, three hours in short chunks have 6 MB. */
export const MAX_INDEX_BYTES = 24_000_000;
/** Most boxes in one list. Videos have some tens; without a bound, millions of empty boxes would block the process. */
export const MAX_BOXES = 4_096;

/**
 * Yields the boxes between two offsets whose headers are complete, at most {@link MAX_BOXES}. Ends at the first header
 * that is not valid.
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

/** A box whose content was read completely. */
export interface WholeBox {
  readonly type: string;
  /** The content without the header. */
  readonly body: Buffer;
}

/** Yields the boxes that are complete. Ends at a box that is longer than `bytes`. */
export function* wholeBoxesIn(bytes: Buffer): Generator<WholeBox> {
  for (const { type, contentStart, end } of boxesIn(bytes)) {
    if (end > bytes.length) return;
    yield { type, body: bytes.subarray(contentStart, end) };
  }
}

/**
 * Finds the first box at a path of types, such as "moov", "trak".
 * @returns its content without the header
 */
export function findBox(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let found: Buffer | undefined = bytes;
  for (const type of path) {
    if (found === undefined) return undefined;
    found = findDirectBox(found, type);
  }
  return found;
}

function findDirectBox(bytes: Buffer, wantedType: string): Buffer | undefined {
  for (const { type, body } of wholeBoxesIn(bytes)) if (type === wantedType) return body;
  return undefined;
}

/** @returns the entry count that a table states at `countOffset`, but not more than fit into the table */
export function tableLength(table: Buffer, countOffset: number, entryBytes: number): number {
  if (table.length < countOffset + 4) return 0;
  return Math.min(table.readUInt32BE(countOffset), Math.floor((table.length - countOffset - 4) / entryBytes));
}

/** @returns what `read` returns; undefined where it reads beyond a table, which is shorter than it states */
export async function unlessCutOff<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Boxes that players skip. */
export const FREE_BOXES: ReadonlySet<string> = new Set(["free", "skip", "wide"]);

/** @returns the first box of an MP4 after its type and free space; undefined for another format, and when it is not there */
export function firstMainBox(head: Buffer): Box | undefined {
  let isMp4 = false;
  for (const box of boxesIn(head))
    if (box.type === "ftyp") isMp4 = true;
    else if (!FREE_BOXES.has(box.type)) return isMp4 ? box : undefined;
  return undefined;
}

/** Boxes that contain the chunk offset tables. */
const PARENTS: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

/** @returns all chunk offset tables ("stco", "co64"); undefined when there are too many boxes to find all of them */
function chunkOffsetTables(bytes: Buffer): readonly Box[] | undefined {
  const tables: Box[] = [];
  const parents: Pick<Box, "contentStart" | "end">[] = [{ contentStart: 0, end: bytes.length }];
  let count = 0;
  // The loop also visits the parents that it adds.
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
 * Adapts an index to media that is moved `shiftBytes` towards the end of the file.
 * @param moov the index with its header
 * @param from offset in the file at which the media starts
 * @param to offset at which the media ends
 * @returns a changed copy; undefined when it has no media position, one outside of the media, one that would not fit
 * into its field, or too many boxes
 */
export function shiftIndex(moov: Buffer, shiftBytes: number, from: number, to: number): Buffer | undefined {
  const shifted = Buffer.from(moov);
  let count = 0;
  for (const { type, contentStart, end } of chunkOffsetTables(shifted) ?? []) {
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
