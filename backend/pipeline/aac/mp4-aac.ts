/** Reads AAC from an MP4 whose index comes before the sound, fragmented or not (ISO/IEC 14496-12 and 14496-14). */
import { BOX_HEADER_BYTES, findBox, MAX_INDEX_BYTES } from "../mp4/boxes.ts";
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
  let position = 0;
  for (let boxes = 0; boxes < MAX_SKIPPED_BOXES; boxes += 1) {
    const header = await bytes.take(position, BOX_HEADER_BYTES);
    if (!header) return undefined;
    const size = header.readUInt32BE(0);
    const type = header.toString("latin1", 4);
    if (size < BOX_HEADER_BYTES || size > MAX_INDEX_BYTES) return undefined;
    if (type === "moov") {
      const movie = await bytes.take(position + BOX_HEADER_BYTES, size - BOX_HEADER_BYTES);
      return movie && { movie, end: position + size };
    }
    if (!SKIPPED_BOXES.has(type)) return undefined;
    position += size;
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

/** @returns undefined when the file is not such an MP4, or its first sound is not plain AAC */
export async function findMp4Aac(bytes: SourceBytes): Promise<PlainAac | undefined> {
  try {
    const index = await findIndex(bytes);
    const track = index && !index.movie.includes(ITUNES_GAPS) ? readAacTrack(index.movie) : undefined;
    if (!index || !track) return undefined;
    const { sampleTable: _, trackId: __, ...about } = track;
    const fragmentsFrom = findBox(index.movie, "mvex") ? index.end : undefined;
    return { ...about, container: CONTAINER, read: (from) => readTrack(from, track, fragmentsFrom) };
  } catch (error) {
    // A table is shorter than it states.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
