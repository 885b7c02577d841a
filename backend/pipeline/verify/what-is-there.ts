/**
 * Finds out what files really have: those that were cut off while they were recorded or uploaded, those that were joined
 * of several, and those whose recording has a hole.
 */
import { SHORTEST_PART_SECONDS, type Part } from "../../../common/choices.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { MediaFormat } from "../../../common/tiers.ts";
import { FILE_DAMAGED, NO_SOUND_IN_PART, NOTHING_IN_PART } from "../errors/wording.ts";
import type { Work } from "../pipeline.ts";
import {
  type AudioStream,
  measureEnds,
  measureLengths,
  type MediaFile,
  type VideoStream,
} from "../probe/media-file.ts";
import { isSameDuration } from "./verify.ts";
import { isSpan, partSeconds } from "../part/part.ts";
import { cutArgs, planSeeksToPacket, seekArgs } from "../part/seeks.ts";

/** What a result is made of. */
export interface Material {
  readonly sources: readonly MediaFile[];
  /** Absent: the whole video. */
  readonly part: Part | undefined;
}

/** Less of a part is nothing. */
const LEAST_SECONDS = SHORTEST_PART_SECONDS / 2;

/** Also the packets of a picture before its first key frame. */
const EVERY_PACKET = ["-copypriorss", "0", "-copyinkf"];

/** @returns until the end of its last packet in the part, from the beginning of the part; without streams that have none */
function measureInPart(
  work: Work,
  source: MediaFile,
  streams: readonly (VideoStream | AudioStream | undefined)[],
  part: Part,
): Promise<ReadonlyMap<number, number>> {
  const seeks = planSeeksToPacket(part, [source]);
  const input = seeks.inputs.flatMap(seekArgs);
  const output = [...EVERY_PACKET, ...cutArgs(seeks, partSeconds(part))];
  return measureEnds(work, source.path, streams, { input, output });
}

interface StreamsInPart {
  /** Those that have something in the part. */
  readonly source: MediaFile;
  readonly seconds: number;
}

/** A picture that only pauses in the part stays: then its last frame from before is shown. */
async function streamsInPart(work: Work, format: MediaFormat, source: MediaFile, part: Part): Promise<StreamsInPart> {
  const { audio } = source;
  const video = format === "mp4" ? source.video : undefined;
  const ends = await measureInPart(work, source, [video, audio], part);
  const isThere = (stream: VideoStream | AudioStream): boolean => (ends.get(stream.index) ?? 0) > 0;
  const goesOn = async (stream: VideoStream): Promise<boolean> => {
    const later = await measureInPart(work, source, [stream], { ...part, endSeconds: Infinity });
    return (later.get(stream.index) ?? 0) > 0;
  };
  const hasPauses = video !== undefined && !isThere(video) && (await goesOn(video));
  return {
    source: {
      ...source,
      video: video && (isThere(video) ? video : hasPauses ? { ...video, hasPauses } : undefined),
      audio: audio && isThere(audio) ? audio : undefined,
    },
    seconds: Math.max(0, ...ends.values()),
  };
}

/**
 * Leaves out the streams that have nothing in the part, and ends the part where they all end.
 * @throws ConversionError "part_outside" when nothing is left
 */
export async function findInPart(
  work: Work,
  format: MediaFormat,
  { sources, part }: Material & { readonly part: Part },
): Promise<Material> {
  const found = await Promise.all(sources.map((source) => streamsInPart(work, format, source, part)));
  const seconds = Math.max(0, ...found.map((one) => one.seconds));
  if (seconds < LEAST_SECONDS)
    throw new ConversionError("part_outside", format === "mp4" ? NOTHING_IN_PART : NO_SOUND_IN_PART);
  const inPart = found.map(({ source }) => source);
  if (isSameDuration(seconds, partSeconds(part))) return { sources: inPart, part };
  return { sources: inPart, part: { ...part, endSeconds: part.startSeconds + seconds } };
}

/** Whether a file may have a hole that its length does not tell: a recording of a broadcast goes on after it. */
export function mayHaveHoles(source: MediaFile): boolean {
  return source.container === "mpegts" && !isSpan(source);
}

function hasOtherLength(measured: MediaFile, stated: MediaFile): boolean {
  return (["video", "audio"] as const).some((kind) => {
    const seconds = measured[kind]?.durationSeconds;
    const statedSeconds = stated[kind]?.durationSeconds ?? stated.durationSeconds;
    return seconds !== undefined && statedSeconds !== undefined && !isSameDuration(seconds, statedSeconds);
  });
}

/** @returns undefined where the files have what they state */
async function findWhole(work: Work, sources: readonly MediaFile[]): Promise<Material | undefined> {
  const measured = await Promise.all(sources.map((source) => measureLengths(work, source)));
  const isOther = measured.some((file, position) => hasOtherLength(file, sources[position] ?? file));
  const endSeconds = Math.max(0, ...measured.map(({ durationSeconds = 0 }) => durationSeconds));
  // Chapters and subtitles after the end are left out, as from a part.
  return isOther && endSeconds > 0 ? { sources: measured, part: { startSeconds: 0, endSeconds } } : undefined;
}

/**
 * Finds out why a result was not what its sources state.
 * @param error of verification
 * @returns what there is instead
 * @throws ConversionError "unavailable" for a file that has neither what it states nor anything else, "part_outside";
 *   `error` when it has another cause, for example that the connection broke
 */
export async function findWhatIsThere(
  work: Work,
  format: MediaFormat,
  { sources, part }: Material,
  error: unknown,
): Promise<Material> {
  const { signal } = work;
  signal.throwIfAborted();
  if (!(error instanceof ConversionError)) throw error;
  const { code, reason } = error;
  const isComplete = sources.length > 0 && sources.every((source) => source.isComplete);
  const isShort = code === "network" && isComplete;
  // A stream without a packet in the part makes a tool fail, or is missing in the result.
  const mayBeEmpty = part !== undefined && (code === "internal" || reason?.name === "not_readable");
  if (!isShort && !mayBeEmpty) throw error;
  const found = part ? await findInPart(work, format, { sources, part }) : await findWhole(work, sources);
  if (found) return found;
  throw isShort ? asDamaged(error) : error;
}

/** @returns the error of a complete file: to fetch it again would not change it */
function asDamaged({ detail }: ConversionError): ConversionError {
  return new ConversionError("unavailable", { ...FILE_DAMAGED, detail });
}
