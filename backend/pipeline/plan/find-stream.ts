/** Finds the streams of a result among its sources. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { Part } from "../../../common/choices.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { extentOf, type Extent } from "../part/cuts.ts";
import { partInSources, partSeconds } from "../part/part.ts";
import { NO_SOUND, NO_SOUND_IN_PART, PICTURE_ONLY } from "../errors/wording.ts";
import type { AudioStream, MediaFile } from "../probe/media-file.ts";
import { checkDuration } from "./plan-bounds.ts";

export interface StreamOf<S> {
  /** Index of its file among the sources. */
  readonly source: number;
  readonly stream: S;
}

export function findStream<S>(
  sources: readonly MediaFile[],
  pick: (file: MediaFile) => S | undefined,
): StreamOf<S> | undefined {
  for (const [source, file] of sources.entries()) {
    const stream = pick(file);
    if (stream !== undefined) return { source, stream };
  }
  return undefined;
}

/** @throws ConversionError "unavailable" for a still picture */
export function checkNoPicture(sources: readonly MediaFile[]): void {
  if (sources.some(({ isPicture }) => isPicture)) throw new ConversionError("unavailable", PICTURE_ONLY);
}

/** @returns when a stream ends, after the beginning of its file; undefined when nothing states it */
export function endOf(
  { stream, source }: StreamOf<{ readonly durationSeconds?: number; readonly lateSeconds?: number }>,
  sources: readonly MediaFile[],
): number | undefined {
  const { durationSeconds, lateSeconds = 0 } = stream;
  return durationSeconds === undefined ? sources[source]?.durationSeconds : lateSeconds + durationSeconds;
}

export interface FoundSound extends Extent {
  readonly audio: StreamOf<AudioStream>;
}

/**
 * @param wantedPart the limit of length holds for it; absent: the whole video
 * @param spans to leave out of it
 * @throws ConversionError "unavailable" when there is no sound or it has no length, "too_long", "part_outside"
 * also where the sound begins after the part
 */
export function findSound(
  sources: readonly MediaFile[],
  limits: TierLimits,
  wantedPart: Part | undefined,
  spans?: readonly Part[],
): FoundSound {
  const audio = findStream(sources, (file) => file.audio);
  checkNoPicture(sources);
  if (!audio) throw new ConversionError("unavailable", NO_SOUND);
  const sourceSeconds = endOf(audio, sources);
  if (sourceSeconds === undefined) throw new ConversionError("unavailable", { detail: "the sound has no duration" });
  const part = partInSources(wantedPart, sources, sourceSeconds);
  checkDuration(part ? partSeconds(part) : sourceSeconds, limits);
  const beginSeconds = (sources[audio.source]?.timelineSeconds ?? 0) + (audio.stream.lateSeconds ?? 0);
  if (part && beginSeconds >= part.endSeconds) throw new ConversionError("part_outside", NO_SOUND_IN_PART);
  return { audio, ...extentOf(part, sourceSeconds, spans) };
}
