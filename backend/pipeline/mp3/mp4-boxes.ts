/** The boxes that an MP4 is made of (ISO/IEC 14496-12, 4.2). Pure. */

export interface Box {
  readonly type: string;
  /** Without its own header. */
  readonly body: Buffer;
}

export const BOX_HEADER_BYTES = 8;

/** Those that are whole. One that says it is longer than what holds it ends the list. */
export function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let offset = 0; offset + BOX_HEADER_BYTES <= bytes.length; ) {
    const size = bytes.readUInt32BE(offset);
    if (size < BOX_HEADER_BYTES || offset + size > bytes.length) return;
    yield { type: bytes.toString("latin1", offset + 4, offset + 8), body: bytes.subarray(offset + BOX_HEADER_BYTES, offset + size) };
    offset += size;
  }
}

/** The first box at a path of types. */
export function findBox(bytes: Buffer, ...path: readonly string[]): Buffer | undefined {
  let found: Buffer | undefined = bytes;
  for (const wanted of path) {
    let next: Buffer | undefined;
    for (const { type, body } of boxesIn(found))
      if (type === wanted) {
        next = body;
        break;
      }
    if (!next) return undefined;
    found = next;
  }
  return found;
}

/** The entry of a table of 32-bit numbers that follow version, flags and their count. */
export function tableLength(table: Buffer, countOffset: number, entryBytes: number): number {
  if (table.length < countOffset + 4) return 0;
  return Math.min(table.readUInt32BE(countOffset), Math.floor((table.length - countOffset - 4) / entryBytes));
}
