/** Finds the files of which a WebM, Matroska or FLV file is joined: recorders and people put one behind the other. */
import type { FileHandle } from "node:fs/promises";
import { openFile, readAt } from "../../tool-files/tool-files.ts";
import { ID } from "../webm/element-ids.ts";
import { elementsIn } from "../webm/elements.ts";
import type { ByteRange } from "../mp4/byte-ranges.ts";

const WINDOW_BYTES = 1_048_576;
/** Has the header of a Matroska file, and the id and size of its segment. */
const HEAD_BYTES = 4_096;

interface Kind {
  readonly beginning: Buffer;
  /** Stands behind the beginning, which may also occur in media. */
  readonly mark: Buffer;
  readonly headerBytes: number;
}

const MATROSKA: Kind = {
  beginning: Buffer.from("1a45dfa3", "hex"),
  // The version, 1, after the size of the header.
  mark: Buffer.from("42868101", "hex"),
  headerBytes: 16,
};
const FLV: Kind = {
  beginning: Buffer.from("FLV\u0001"),
  // The size of the header, and of the tag before the first one.
  mark: Buffer.from("0000000900000000", "hex"),
  headerBytes: 13,
};

/** @returns where the next file of the kind begins, from a position on */
async function findHeader(file: FileHandle, kind: Kind, from: number): Promise<number | undefined> {
  const { beginning, mark, headerBytes } = kind;
  for (let position = from; ; position += WINDOW_BYTES) {
    const window = await readAt(file, position, WINDOW_BYTES + headerBytes);
    for (let at = window.indexOf(beginning); at >= 0; at = window.indexOf(beginning, at + 1))
      if (window.subarray(at, at + headerBytes).includes(mark)) return position + at;
    if (window.length <= WINDOW_BYTES) return undefined;
  }
}

/** @returns where the segment of a Matroska file ends; undefined where it does not say */
function segmentEnd(head: Buffer): number | undefined {
  for (const { id, end } of elementsIn(head)) if (id === ID.segment) return Number.isFinite(end) ? end : undefined;
  return undefined;
}

async function nextStart(file: FileHandle, kind: Kind, start: number): Promise<number | undefined> {
  const end = kind === MATROSKA ? segmentEnd(await readAt(file, start, HEAD_BYTES)) : undefined;
  if (end === undefined) return findHeader(file, kind, start + 1);
  const next = await readAt(file, start + end, MATROSKA.beginning.length);
  return next.equals(MATROSKA.beginning) ? start + end : undefined;
}

async function startsIn(file: FileHandle, kind: Kind, most: number): Promise<readonly number[]> {
  const starts = [0];
  while (starts.length <= most) {
    const start = await nextStart(file, kind, starts.at(-1) ?? 0);
    if (start === undefined) break;
    starts.push(start);
  }
  return starts;
}

/**
 * @param most files after one more than these are not looked for
 * @returns a single one for a file that is not joined, and for one of another kind
 */
export async function readJoinedFiles(path: string, most: number): Promise<readonly ByteRange[]> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  const head = await readAt(file, 0, HEAD_BYTES);
  const kind = [MATROSKA, FLV].find(({ beginning }) => head.indexOf(beginning) === 0);
  const starts = kind ? await startsIn(file, kind, most) : [0];
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? size }));
}
