/** Reads AAC from an MP4 whose index comes before the sound, fragmented or not (ISO/IEC 14496-12 and 14496-14). */
import { findBox, MAX_INDEX_BYTES, unlessCutOff } from "../mp4/boxes.ts";
import { boxesBetween, readContent } from "../mp4/outer-boxes.ts";
import { NotPlainAac } from "./aac-frames.ts";
import { readChunks } from "./chunk-reader.ts";
import { fragmentedChunks, indexedChunks } from "./mp4-chunks.ts";
import { readAacTrack, type Mp4AacTrack } from "./mp4-track.ts";
import type { PlainAac } from "./plain-aac.ts";
import type { SourceBytes } from "./source-bytes.ts";

/** As ffmpeg names it. */
const CONTAINER = "mov,mp4,m4a,3gp,3g2,mj2";
/** Boxes that may come before the index. */
const SKIPPED_BOXES: ReadonlySet<string> = new Set(["ftyp", "styp", "free", "skip", "sidx", "uuid"]);
/** Most boxes before the index, because each takes a read. */
const MAX_SKIPPED_BOXES = 64;
/** iTunes states priming and padding in a tag of this name instead of in the edit list. */
const ITUNES_GAPS = "iTunSMPB";

interface Index {
  /** Content of "moov". */
  readonly movie: Buffer;
  /** Offset in the file after the index. */
  readonly end: number;
}

/** @returns undefined when the index does not come before the sound */
async function findIndex(bytes: SourceBytes): Promise<Index | undefined> {
  for await (const box of boxesBetween(bytes.read, 0, Infinity, MAX_SKIPPED_BOXES)) {
    if (box.end > box.contentStart + MAX_INDEX_BYTES) return undefined;
    if (box.type === "moov") return { movie: await readContent(bytes.read, box, MAX_INDEX_BYTES), end: box.end };
    if (!SKIPPED_BOXES.has(box.type)) return undefined;
  }
  return undefined;
}

/**
 * @param fragmentsFrom offset in the file after the index; undefined when the file is not fragmented
 * @throws NotPlainAac also for a table that is shorter than it states
 */
async function* readTrack(
  bytes: SourceBytes,
  { sampleTable, trackId, ...kind }: Mp4AacTrack,
  fragmentsFrom: number | undefined,
): AsyncGenerator<Buffer> {
  const chunks =
    fragmentsFrom === undefined ? indexedChunks(sampleTable) : fragmentedChunks(bytes, fragmentsFrom, trackId);
  try {
    yield* readChunks(bytes, chunks, kind);
  } catch (error) {
    throw error instanceof RangeError ? new NotPlainAac("a table of the index is cut off", { cause: error }) : error;
  }
}

async function findTrack(bytes: SourceBytes): Promise<PlainAac | undefined> {
  const index = await findIndex(bytes);
  const track = index && !index.movie.includes(ITUNES_GAPS) ? readAacTrack(index.movie) : undefined;
  if (!index || !track) return undefined;
  const { sampleTable: _, trackId: __, ...about } = track;
  const fragmentsFrom = findBox(index.movie, "mvex") ? index.end : undefined;
  return { ...about, container: CONTAINER, read: (from) => readTrack(from, track, fragmentsFrom) };
}

/** @returns undefined when the file is not such an MP4, or its first sound is not plain AAC */
export function findMp4Aac(bytes: SourceBytes): Promise<PlainAac | undefined> {
  return unlessCutOff(() => findTrack(bytes));
}
