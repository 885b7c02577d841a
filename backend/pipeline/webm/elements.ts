/** Reads the elements of a WebM or Matroska file (RFC 8794 and RFC 9559). Pure. */

export interface Element {
  readonly id: number;
  readonly start: number;
  readonly contentStart: number;
  /** May be beyond the bytes that were read; Infinity where the size is unknown. */
  readonly end: number;
}

/** Most elements in one list; without a bound, millions of empty ones would block the process. */
const MAX_ELEMENTS = 100_000;

/** @returns number of bytes of an integer of variable size, which its first byte states; 0 for none */
function widthAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  return first === 0 ? 0 : Math.clz32(first) - 23;
}

/** @returns size and the bytes it takes; undefined when it is cut off */
function readSize(bytes: Buffer, at: number): { readonly size: number; readonly width: number } | undefined {
  const width = widthAt(bytes, at);
  if (width === 0 || at + width > bytes.length) return undefined;
  let size = (bytes[at] ?? 0) & (0xff >>> width);
  let isUnknown = size === 0xff >>> width;
  for (let index = 1; index < width; index += 1) {
    const byte = bytes[at + index] ?? 0;
    isUnknown &&= byte === 0xff;
    size = size * 256 + byte;
  }
  return { size: isUnknown ? Infinity : size, width };
}

/** Yields the elements between two offsets whose headers are complete. */
export function* elementsIn(bytes: Buffer, from = 0, to = bytes.length): Generator<Element> {
  let start = from;
  for (let count = 0; count < MAX_ELEMENTS && start < Math.min(to, bytes.length); count += 1) {
    const idWidth = widthAt(bytes, start);
    const size = readSize(bytes, start + idWidth);
    if (idWidth === 0 || idWidth > 4 || !size) return;
    const contentStart = start + idWidth + size.width;
    const end = contentStart + size.size;
    yield { id: bytes.readUIntBE(start, idWidth), start, contentStart, end };
    start = end;
  }
}

const VOID_ID = 0xec;
/** Its id and a size of eight bytes. */
const VOID_HEADER_BYTES = 9;

/** Turns an element into free space of the same length, in place. One that is too short stays. */
export function makeVoid(bytes: Buffer, { start, end }: Element): void {
  const contentBytes = end - start - VOID_HEADER_BYTES;
  if (contentBytes < 0 || end > bytes.length) return;
  bytes.writeUInt8(VOID_ID, start);
  // The first byte says that seven bytes follow.
  bytes.writeBigUInt64BE((1n << 56n) | BigInt(contentBytes), start + 1);
}

/** @returns an unsigned integer of at most six bytes; undefined for a longer one */
export function readUnsigned(bytes: Buffer, { contentStart, end }: Element): number | undefined {
  const width = end - contentStart;
  if (width === 0) return 0;
  return width <= 6 && end <= bytes.length ? bytes.readUIntBE(contentStart, width) : undefined;
}

/** @returns undefined for another width than 4 or 8 */
export function readFloat(bytes: Buffer, { contentStart, end }: Element): number | undefined {
  if (end > bytes.length) return undefined;
  if (end - contentStart === 4) return bytes.readFloatBE(contentStart);
  return end - contentStart === 8 ? bytes.readDoubleBE(contentStart) : undefined;
}
