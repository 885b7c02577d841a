/** AAC in an MP4 whose index comes before the sound, in one piece or in fragments (ISO/IEC 14496-12 and 14496-14). */
import { BOX_HEADER_BYTES, findBox, MAX_INDEX_BYTES, tableLength, wholeBoxesIn } from "../mp4/boxes.ts";
import { readDecoderSettings } from "../mp4/track-codec.ts";
import { NotPlainAac, SAMPLES_PER_AAC_FRAME } from "./aac-frames.ts";
import { ADTS_HEADER_BYTES, aacKind, writeAdtsHeader, type AacKind } from "./adts.ts";
import type { PlainAac } from "./plain-aac.ts";
import type { SourceBytes } from "./source-bytes.ts";

const CONTAINER = "mov,mp4,m4a,3gp,3g2,mj2";
/** Before the index, beside the file's own type. */
const SKIPPED: ReadonlySet<string> = new Set(["ftyp", "styp", "free", "skip", "sidx", "uuid"]);
/** What a file of honest makers never comes near; each box takes a read. */
const MOST_BOXES = {
  beforeIndex: 64,
  /** One behind the other, of those that belong to a fragment but hold neither its index nor its media. */
  besideFragments: 64,
  /** Three hours in stretches of 200 ms have 162,000. */
  fragmented: 200_000,
} as const;
const MAX_TRACKS = 64;
/** Six hours at 48 kHz; what says that it has more than that is out of the ordinary. */
const MAX_FRAMES = 1_000_000;
const WINDOW_BYTES = 1_048_576;
/** What a frame of AAC can be at most: 6,144 bits a channel. */
const MAX_FRAME_BYTES = 2 * 768 * 2;

/** Where frames lie one behind the other. */
interface Run {
  readonly position: number;
  readonly frameCount: number;
  /** In bytes, looked up when it is its turn: a table of a few bytes can speak of billions of frames. */
  readonly sizeOf: (frame: number) => number;
}

interface Track extends AacKind {
  readonly trackId: number;
  readonly streamIndex: number;
  readonly primingSamples: number;
  readonly sampleCount?: number;
  readonly sampleTable: Buffer;
}

/** The number after version and flags whose width goes by the version, behind `skipped` others of that width. */
function readWide(box: Buffer, skipped: number): number {
  const isWide = box.readUInt8(0) === 1;
  const offset = 4 + skipped * (isWide ? 8 : 4);
  return isWide ? Number(box.readBigUInt64BE(offset)) : box.readUInt32BE(offset);
}

/** Low complexity in frames of 1,024 samples and nothing beyond (ISO/IEC 14496-3, 1.6.2.1). */
function kindIn(description: Buffer): AacKind | undefined {
  const settings = readDecoderSettings(description);
  if (!settings || settings.length < 2) return undefined;
  const word = settings.readUInt16BE(0);
  const isPlain = word >>> 11 === 2 && (word & 0x7) === 0;
  // What may follow says that there is more in it than a plain decoder makes of it.
  const extension =
    settings.length >= 5 && settings.readUInt16BE(2) >>> 5 === 0x2b7 && (settings.readUInt8(4) & 0x80) !== 0;
  return isPlain && !extension ? aacKind((word >>> 7) & 0xf, (word >>> 3) & 0xf) : undefined;
}

/** What comes before the sound and how long the sound is. Undefined when more is cut than that. */
function edited(
  movie: Buffer,
  track: Buffer,
  rate: number,
  mediaSamples: number | undefined,
): Pick<Track, "primingSamples" | "sampleCount"> | undefined {
  const list = findBox(track, "edts", "elst");
  const header = findBox(movie, "mvhd");
  if (!list || !header)
    return { primingSamples: 0, ...(mediaSamples === undefined ? {} : { sampleCount: mediaSamples }) };
  const isWide = list.readUInt8(0) === 1;
  if (list.readUInt32BE(4) !== 1 || list.length < 8 + (isWide ? 20 : 12)) return undefined;
  const duration = isWide ? Number(list.readBigUInt64BE(8)) : list.readUInt32BE(8);
  const primingSamples = isWide ? Number(list.readBigInt64BE(16)) : list.readInt32BE(12);
  if (
    primingSamples < 0 ||
    primingSamples % SAMPLES_PER_AAC_FRAME !== 0 ||
    list.readUInt32BE(isWide ? 24 : 16) !== 0x1_0000
  )
    return undefined;
  if (mediaSamples === undefined) return { primingSamples };
  const tickSamples = rate / readWide(header, 2);
  const [sound, shown] = [mediaSamples - primingSamples, duration * tickSamples];
  if (shown >= sound - tickSamples) return { primingSamples, sampleCount: sound };
  // The last frame is not all sound; only a clock as fine as the sound's own says so exactly.
  if (shown > sound - SAMPLES_PER_AAC_FRAME && Number.isInteger(1 / tickSamples))
    return { primingSamples, sampleCount: Math.floor(shown) };
  return undefined;
}

/** How many frames' sizes a file in one piece tells. */
function sizedFrames(sizeTable: Buffer): number {
  return sizeTable.readUInt32BE(4) > 0 ? sizeTable.readUInt32BE(8) : tableLength(sizeTable, 8, 4);
}

/**
 * Samples of all frames. Undefined when they are not of one length, but for the last, or not as many as have a size.
 */
function mediaSamplesOf(sampleTable: Buffer): number | undefined {
  const [table, sizeTable] = [findBox(sampleTable, "stts"), findBox(sampleTable, "stsz")];
  if (!table || !sizeTable) return undefined;
  let [frames, samples] = [0, 0];
  const entries = tableLength(table, 4, 8);
  for (let entry = 0; entry < entries; entry += 1) {
    const [count, delta] = [table.readUInt32BE(8 + entry * 8), table.readUInt32BE(12 + entry * 8)];
    const isLast = entry === entries - 1 && count === 1;
    if (delta !== SAMPLES_PER_AAC_FRAME && !(isLast && delta < SAMPLES_PER_AAC_FRAME)) return undefined;
    frames += count;
    samples += count * delta;
  }
  return frames <= MAX_FRAMES && frames === sizedFrames(sizeTable) ? samples : undefined;
}

function trackIn(movie: Buffer): Track | undefined {
  const isFragmented = findBox(movie, "mvex") !== undefined;
  let streamIndex = -1;
  for (const { type, body } of wholeBoxesIn(movie)) {
    if (type !== "trak") continue;
    streamIndex += 1;
    if (streamIndex === MAX_TRACKS) return undefined;
    if (findBox(body, "mdia", "hdlr")?.toString("latin1", 8, 12) !== "soun") continue;
    const [identity, media, sampleTable] = [
      findBox(body, "tkhd"),
      findBox(body, "mdia", "mdhd"),
      findBox(body, "mdia", "minf", "stbl"),
    ];
    const description = sampleTable && findBox(sampleTable, "stsd");
    const kind = description && kindIn(description);
    if (!identity || !media || !sampleTable || !kind || readWide(media, 2) !== kind.sampleRateHz) return undefined;
    const mediaSamples = isFragmented ? undefined : mediaSamplesOf(sampleTable);
    if (!isFragmented && mediaSamples === undefined) return undefined;
    const length = edited(movie, body, kind.sampleRateHz, mediaSamples);
    return length && { ...kind, ...length, streamIndex, sampleTable, trackId: readWide(identity, 2) };
  }
  return undefined;
}

/** By the index of a file in one piece. Throws NotPlainAac when its tables do not fit together. */
function* indexedRuns(sampleTable: Buffer): Generator<Run> {
  const [chunkTable, sizeTable] = [findBox(sampleTable, "stsc"), findBox(sampleTable, "stsz")];
  const narrow = findBox(sampleTable, "stco");
  const wide = narrow ? undefined : findBox(sampleTable, "co64");
  const offsets = narrow ?? wide;
  if (!chunkTable || !sizeTable || !offsets || sizeTable.length < 12)
    throw new NotPlainAac("an index without its tables");
  const oneSize = sizeTable.readUInt32BE(4);
  const frameCount = sizedFrames(sizeTable);
  const [chunkCount, ruleCount] = [tableLength(offsets, 4, wide ? 8 : 4), tableLength(chunkTable, 4, 12)];
  let frame = 0;
  let rule = -1;
  let perChunk = 0;
  for (let chunk = 0; chunk < chunkCount && frame < frameCount; chunk += 1) {
    if (rule + 1 < ruleCount && chunkTable.readUInt32BE(8 + (rule + 1) * 12) === chunk + 1) {
      rule += 1;
      perChunk = chunkTable.readUInt32BE(12 + rule * 12);
    }
    if (perChunk === 0) throw new NotPlainAac("a stretch without frames");
    const first = frame;
    frame = Math.min(frameCount, first + perChunk);
    yield {
      position: wide ? Number(wide.readBigUInt64BE(8 + chunk * 8)) : offsets.readUInt32BE(8 + chunk * 4),
      frameCount: frame - first,
      sizeOf: (index) => (oneSize > 0 ? oneSize : sizeTable.readUInt32BE(12 + (first + index) * 4)),
    };
  }
  if (frame < frameCount) throw new NotPlainAac(`${frame} of ${frameCount} frames are in the index`);
}

/** Which optional fields a table of fragments has, by its flags. */
const HEADER_FIELDS = { base: 0x1, description: 0x2, duration: 0x8, size: 0x10, baseIsFragment: 0x2_0000 } as const;
const RUN_FIELDS = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, time: 0x800 } as const;

/** By one fragment that begins at `start`. */
function* fragmentRuns(fragment: Buffer, start: number, trackId: number): Generator<Run> {
  let tracks = 0;
  for (const { type, body } of wholeBoxesIn(fragment)) {
    tracks += 1;
    if (tracks > MAX_TRACKS) throw new NotPlainAac("a fragment of too many parts");
    const header = type === "traf" ? findBox(body, "tfhd") : undefined;
    if (!header || header.readUInt32BE(4) !== trackId) continue;
    const has = header.readUIntBE(1, 3);
    if ((has & HEADER_FIELDS.base) !== 0 || (has & HEADER_FIELDS.baseIsFragment) === 0)
      throw new NotPlainAac("a fragment counts from elsewhere");
    const sizeOffset =
      8 + ((has & HEADER_FIELDS.description) === 0 ? 0 : 4) + ((has & HEADER_FIELDS.duration) === 0 ? 0 : 4);
    const oneSize = (has & HEADER_FIELDS.size) === 0 ? undefined : header.readUInt32BE(sizeOffset);
    for (const table of wholeBoxesIn(body)) if (table.type === "trun") yield readRun(table.body, start, oneSize);
  }
}

function readRun(run: Buffer, start: number, oneSize: number | undefined): Run {
  const has = run.readUIntBE(1, 3);
  const width = (field: number): number => ((has & field) === 0 ? 0 : 4);
  if (width(RUN_FIELDS.offset) === 0) throw new NotPlainAac("a run of a fragment is not where it says");
  const entryBytes =
    width(RUN_FIELDS.duration) + width(RUN_FIELDS.size) + width(RUN_FIELDS.flags) + width(RUN_FIELDS.time);
  const first = 8 + width(RUN_FIELDS.offset) + width(RUN_FIELDS.firstFlags);
  const frameCount = run.readUInt32BE(4);
  if (frameCount > MAX_FRAMES || first + frameCount * entryBytes > run.length)
    throw new NotPlainAac("a run of a fragment is cut off");
  const position = start + run.readInt32BE(8);
  if (width(RUN_FIELDS.size) > 0)
    return {
      position,
      frameCount,
      sizeOf: (entry) => run.readUInt32BE(first + entry * entryBytes + width(RUN_FIELDS.duration)),
    };
  if (oneSize === undefined) throw new NotPlainAac("a fragment does not say how large its frames are");
  return { position, frameCount, sizeOf: () => oneSize };
}

/** Of each fragment after the index, as they come. */
async function* fragmentedRuns(bytes: SourceBytes, from: number, trackId: number): AsyncGenerator<Run> {
  let position = from;
  let beside = 0;
  for (let boxes = 0; boxes < MOST_BOXES.fragmented; boxes += 1) {
    // oxlint-disable no-await-in-loop -- each fragment says where the next one is
    const header = await bytes.take(position, BOX_HEADER_BYTES);
    if (!header) return;
    const [size, type] = [header.readUInt32BE(0), header.toString("latin1", 4)];
    if (size < BOX_HEADER_BYTES || (type === "moof" && size > MAX_INDEX_BYTES))
      throw new NotPlainAac("a fragment of no length");
    if (type === "moof") {
      const fragment = await bytes.take(position + BOX_HEADER_BYTES, size - BOX_HEADER_BYTES);
      // oxlint-enable no-await-in-loop
      if (!fragment) throw new NotPlainAac("a fragment is cut off");
      yield* fragmentRuns(fragment, position, trackId);
    }
    beside = type === "moof" || type === "mdat" ? 0 : beside + 1;
    if (beside > MOST_BOXES.besideFragments) break;
    position += size;
  }
  throw new NotPlainAac("there is too much between the fragments");
}

/** The frames of all runs, read in large steps: what lies between them is mostly less than a read costs. */
async function* readRuns(
  bytes: SourceBytes,
  runs: Iterable<Run> | AsyncIterable<Run>,
  kind: AacKind,
): AsyncGenerator<Buffer> {
  const space = Buffer.allocUnsafe(WINDOW_BYTES);
  let [window, windowStart]: [Buffer, number] = [space.subarray(0, 0), 0];
  const out = Buffer.allocUnsafe(WINDOW_BYTES);
  let filled = 0;
  /** A copy: what it is taken from is filled anew. */
  const handOut = (): Buffer => {
    const frames = Buffer.from(out.subarray(0, filled));
    filled = 0;
    return frames;
  };
  for await (const { position, frameCount, sizeOf } of runs) {
    let at = position;
    for (let frame = 0; frame < frameCount; frame += 1) {
      const size = sizeOf(frame);
      if (size === 0 || size > MAX_FRAME_BYTES) throw new NotPlainAac(`a frame of ${size} bytes`);
      if (at < windowStart || at + size > windowStart + window.length) {
        // What is there goes on before more is waited for.
        if (filled > 0) yield handOut();
        // oxlint-disable-next-line no-await-in-loop -- one stretch after the other
        window = await bytes.fill(space, at, size);
        windowStart = at;
        if (window.length < size) return;
      }
      if (filled + size + ADTS_HEADER_BYTES > out.length) {
        yield handOut();
      }
      writeAdtsHeader(out, filled, kind, size);
      window.copy(out, filled + ADTS_HEADER_BYTES, at - windowStart, at - windowStart + size);
      filled += size + ADTS_HEADER_BYTES;
      at += size;
    }
  }
  if (filled > 0) yield handOut();
}

/** The index, if it comes before the sound, and where it ends. */
async function findIndex(bytes: SourceBytes): Promise<{ movie: Buffer; end: number } | undefined> {
  let position = 0;
  for (let boxes = 0; boxes < MOST_BOXES.beforeIndex; boxes += 1) {
    // oxlint-disable no-await-in-loop -- each box says where the next one is
    const header = await bytes.take(position, BOX_HEADER_BYTES);
    if (!header) return undefined;
    const [size, type] = [header.readUInt32BE(0), header.toString("latin1", 4)];
    if (size < BOX_HEADER_BYTES || size > MAX_INDEX_BYTES) return undefined;
    if (type === "moov") {
      const movie = await bytes.take(position + BOX_HEADER_BYTES, size - BOX_HEADER_BYTES);
      // oxlint-enable no-await-in-loop
      return movie && { movie, end: position + size };
    }
    if (!SKIPPED.has(type)) return undefined;
    position += size;
  }
  return undefined;
}

/** Tables that end before what they say they hold are found out by reading. */
async function* readTrack(
  bytes: SourceBytes,
  { sampleTable, trackId, ...kind }: Track,
  fragmentsFrom: number | undefined,
): AsyncGenerator<Buffer> {
  try {
    yield* readRuns(
      bytes,
      fragmentsFrom === undefined ? indexedRuns(sampleTable) : fragmentedRuns(bytes, fragmentsFrom, trackId),
      kind,
    );
  } catch (error) {
    throw error instanceof RangeError
      ? new NotPlainAac("an index that does not fit together", { cause: error })
      : error;
  }
}

/** Other programs say here what is no sound. */
const OTHER_GAPS = "iTunSMPB";

/** Undefined when it is no such file, or its first sound is not plain AAC. */
export async function findMp4Aac(bytes: SourceBytes): Promise<PlainAac | undefined> {
  try {
    const index = await findIndex(bytes);
    const track = index && !index.movie.includes(OTHER_GAPS) ? trackIn(index.movie) : undefined;
    if (!index || !track) return undefined;
    const { sampleTable: _, trackId: __, ...about } = track;
    const fragmentsFrom = findBox(index.movie, "mvex") ? index.end : undefined;
    return { ...about, container: CONTAINER, read: (from) => readTrack(from, track, fragmentsFrom) };
  } catch (error) {
    // A table that ends before what it says it holds.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
