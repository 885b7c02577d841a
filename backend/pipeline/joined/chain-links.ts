/** Finds the links of a chained Ogg file: streams one after the other, as a recording of a radio has them (RFC 3533). */
import type { ByteRange } from "../mp4/byte-ranges.ts";
import { openFile } from "../../tool-files/tool-files.ts";

const WINDOW_BYTES = 1_048_576;
/** Header of a page without its table of segments. */
const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;
const TYPE_OFFSET = 5;
const SEGMENT_COUNT_OFFSET = 26;
/** Flag of the first page of a stream. */
const BEGINS_STREAM = 0x2;

interface Page {
  readonly beginsStream: boolean;
  readonly sizeBytes: number;
}

/** @returns undefined where no page begins */
function readPage(bytes: Buffer): Page | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, 4) !== "OggS") return undefined;
  const segments = bytes.subarray(HEADER_BYTES, HEADER_BYTES + bytes.readUInt8(SEGMENT_COUNT_OFFSET));
  const bodyBytes = segments.reduce((sum, size) => sum + size, 0);
  return {
    beginsStream: (bytes.readUInt8(TYPE_OFFSET) & BEGINS_STREAM) !== 0,
    sizeBytes: HEADER_BYTES + segments.length + bodyBytes,
  };
}

/** Yields the position of each page. Bytes between two pages are skipped. */
async function* pagesOf(path: string): AsyncGenerator<Page & { readonly position: number }> {
  await using file = await openFile(path);
  const space = Buffer.allocUnsafe(WINDOW_BYTES);
  let window: Buffer = space.subarray(0, 0);
  let windowStart = 0;
  let position = 0;
  for (;;) {
    let at = position - windowStart;
    if (at + HEADER_BYTES + MAX_SEGMENTS > window.length) {
      const { bytesRead } = await file.read(space, 0, WINDOW_BYTES, position);
      window = space.subarray(0, bytesRead);
      windowStart = position;
      at = 0;
    }
    if (window.length - at < HEADER_BYTES) return;
    const page = readPage(window.subarray(at));
    if (page) yield { ...page, position };
    const next = page ? at + page.sizeBytes : window.indexOf("OggS", at + 1);
    // The mark of a page may lie on the border of two windows.
    position = windowStart + (next >= 0 ? next : Math.max(at + 1, window.length - 3));
  }
}

/**
 * @param most links after one more than these are not read: a hostile file may have millions
 * @returns a single link for a file that is not chained
 */
export async function readChainLinks(path: string, most: number): Promise<readonly ByteRange[]> {
  const starts: number[] = [];
  // Several streams of one link begin on pages that follow each other.
  let isBeginning = false;
  let end = 0;
  for await (const { position, beginsStream, sizeBytes } of pagesOf(path)) {
    if (beginsStream && !isBeginning) starts.push(position);
    if (starts.length > most) break;
    isBeginning = beginsStream;
    end = position + sizeBytes;
  }
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? end }));
}
