/**
 * Finds out what files really have: those that were cut off while they were recorded or uploaded, those that were joined
 * of several, and those whose recording has a hole.
 */
import { SHORTEST_PART_SECONDS, type Part } from "../../../common/choices.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { MediaFormat } from "../../../common/tiers.ts";
import { FILE_DAMAGED, NO_SOUND_IN_PART, NOTHING_IN_PART } from "../errors/wording.ts";
import type { Work } from "../pipeline.ts";
import { endOf } from "../plan/find-stream.ts";
import { measureLengths, measureSeconds, type MediaFile, type VideoStream } from "../probe/media-file.ts";
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

interface StreamInPart {
  /** Until the end of its last packet in the part, from the beginning of the part; 0 when it has none. */
  readonly seconds: number;
}

async function measureInPart<S extends { readonly index: number }>(
  work: Work,
  source: MediaFile,
  stream: S | undefined,
  part: Part,
): Promise<(S & StreamInPart) | undefined> {
  if (!stream) return undefined;
  const seeks = planSeeksToPacket(part, [source]);
  const input = seeks.inputs.flatMap(seekArgs);
  const output = [...EVERY_PACKET, ...cutArgs(seeks, partSeconds(part))];
  const seconds = await measureSeconds(work, source.path, stream.index, { input, output });
  return seconds === undefined || seconds <= 0 ? undefined : { ...stream, seconds };
}

/** @returns the picture of a part also where it only pauses there: then its last frame from before is shown */
async function measurePicture(
  work: Work,
  source: MediaFile,
  part: Part,
): Promise<(VideoStream & StreamInPart) | undefined> {
  const { video } = source;
  const found = await measureInPart(work, source, video, part);
  if (found || !video) return found;
  const goesOn = await measureInPart(work, source, video, { ...part, endSeconds: Infinity });
  return goesOn && { ...video, hasPauses: true, seconds: 0 };
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
  const found = await Promise.all(
    sources.map(async (source) => ({
      ...source,
      video: format === "mp4" ? await measurePicture(work, source, part) : undefined,
      audio: await measureInPart(work, source, source.audio, part),
    })),
  );
  const ends = found.flatMap(({ video, audio }) => [video?.seconds ?? 0, audio?.seconds ?? 0]);
  const seconds = Math.max(0, ...ends);
  if (seconds < LEAST_SECONDS)
    throw new ConversionError("part_outside", format === "mp4" ? NOTHING_IN_PART : NO_SOUND_IN_PART);
  if (isSameDuration(seconds, partSeconds(part))) return { sources: found, part };
  return { sources: found, part: { ...part, endSeconds: part.startSeconds + seconds } };
}

/** Whether a file may have a hole that its length does not tell: a recording of a broadcast goes on after it. */
export function mayHaveHoles(source: MediaFile): boolean {
  return source.container === "mpegts" && !isSpan(source);
}

function hasOtherLength(measured: MediaFile, stated: MediaFile): boolean {
  return (["video", "audio"] as const).some((kind) => {
    const [seconds, statedSeconds] = [measured, stated].map((file) => {
      const stream = file[kind];
      return stream && endOf({ stream, source: 0 }, [file]);
    });
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
