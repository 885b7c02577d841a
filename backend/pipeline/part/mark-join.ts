/** Finds out whether most of a part's picture can be copied, where only its edges have to be encoded. */
import type { FileHandle } from "node:fs/promises";
import type { Part } from "../../../common/choices.ts";
import { openFile } from "../../tool-files/tool-files.ts";
import { unlessCutOff } from "../mp4/boxes.ts";
import { findCopiedSpan, type CopiedSpan, type StoredFrame } from "../mp4/copied-span.ts";
import { readTrackDescription, type PartJoin, type TrackDescription } from "../mp4/joined-track.ts";
import { readIndex, readLayout } from "../mp4/layout.ts";
import type { Work } from "../pipeline.ts";
import type { MediaFile, VideoStream } from "../probe/media-file.ts";
import { markKeyFrame } from "./key-frame.ts";
import { listFrames } from "./list-frames.ts";

/** Frames that the last one of a part needs are shown at most this much later. */
const REORDER_SECONDS = 1;
/** Sites and fields round times to the millisecond. */
const TOLERANCE_SECONDS = 0.000_6;
/** An index of our own has times of 32 bits. */
const MAX_UNITS = 0xffff_ffff;
/** A shorter piece does not pay for the additional tools and the edges' bits. */
const LEAST_COPIED_SECONDS = 2;

/**
 * Reads the picture track of an MP4 whose index is on disk.
 * @returns undefined when it has not exactly one, or one of another kind than plain H.264
 */
export async function readPicture(path: string): Promise<TrackDescription | undefined> {
  const index = (await readLayout(path)).find(({ type }) => type === "moov");
  return index && (await unlessCutOff(async () => readTrackDescription(await readIndex(path, index))));
}

/** Types of H.264's units: the last one of slices, and an IDR picture. */
const UNIT = { lastSlice: 5, idr: 5 } as const;
/** Units before the first slice are short. */
const MAX_HEAD_BYTES = 65_536;

/** Whether frames after this one need none before it: only IDR pictures promise that. */
async function isIdr(file: FileHandle, { position, sizeBytes }: StoredFrame): Promise<boolean> {
  const bytes = Buffer.alloc(Math.min(sizeBytes, MAX_HEAD_BYTES));
  await file.read(bytes, 0, bytes.length, position);
  for (let at = 0; at + 5 <= bytes.length; at += 4 + bytes.readUInt32BE(at)) {
    const type = bytes.readUInt8(at + 4) & 0x1f;
    if (type >= 1 && type <= UNIT.lastSlice) return type === UNIT.idr;
  }
  return false;
}

/** Whether copied frames begin and end where no frame needs one of the other side. */
async function hasCleanBorders(file: FileHandle, span: CopiedSpan, frames: readonly StoredFrame[]): Promise<boolean> {
  const [first] = span.copied;
  const next = frames.find(({ time }) => time === span.tail?.from);
  return first !== undefined && (await isIdr(file, first)) && (next === undefined || (await isIdr(file, next)));
}

function isJoinable({ codec, isProgressive, hasPauses }: VideoStream, { container }: MediaFile): boolean {
  return codec === "h264" && isProgressive === true && !hasPauses && container.startsWith("mov,");
}

/** Whether the picture is copied as a whole in any case. */
function needsNoJoin({ partKeyFrameSeconds, isReordered }: VideoStream, part: Part): boolean {
  return (part.startSeconds === 0 || partKeyFrameSeconds !== undefined) && isReordered !== true;
}

async function findJoin(work: Work, source: MediaFile, video: VideoStream, part: Part): Promise<PartJoin | undefined> {
  const { path, startSeconds = 0, timelineSeconds = 0 } = source;
  const from = startSeconds + part.startSeconds - timelineSeconds;
  const to = startSeconds + part.endSeconds - timelineSeconds;
  const description = await readPicture(path);
  if (!description) return undefined;
  const interval = { from, to: to + REORDER_SECONDS };
  const frames = await listFrames(work, source, video.index, interval);
  const { unitsPerSecond } = description;
  const inUnits = (seconds: number): number => seconds * unitsPerSecond;
  const tolerance = inUnits(TOLERANCE_SECONDS);
  if (inUnits(to - from) > MAX_UNITS) return undefined;
  const span = frames && findCopiedSpan(frames, inUnits(from), inUnits(to), tolerance);
  await using file = await openFile(path);
  if (!span || !(await hasCleanBorders(file, span, frames))) return undefined;
  const times = span.copied.map(({ time }) => time);
  const copiedUnits = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (copiedUnits < inUnits(LEAST_COPIED_SECONDS)) return undefined;
  return { description, span, start: inUnits(from) };
}

/**
 * Marks how the picture of a source can be cut without encoding all of it: because the part begins with a key frame, or
 * because most of it can be copied though it begins or ends between two.
 * @throws ConversionError
 */
export async function markCut(work: Work, unmarked: MediaFile, part: Part): Promise<MediaFile> {
  const source = await markKeyFrame(work, unmarked, part);
  const { video } = source;
  if (!video || !isJoinable(video, source) || needsNoJoin(video, part)) return source;
  const partJoin = await findJoin(work, source, video, part);
  return partJoin ? { ...source, video: { ...video, partJoin } } : source;
}
