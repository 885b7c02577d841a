/** Finds the streams of a result among its sources. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { Part } from "../../../common/choices.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { extentOf, type Extent } from "../part/cuts.ts";
import { partInSources, partSeconds } from "../part/part.ts";
import { NO_SOUND } from "../errors/wording.ts";
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

export interface FoundSound extends Extent {
  readonly audio: StreamOf<AudioStream>;
}

/**
 * @param wantedPart the limit of length holds for it; absent: the whole video
 * @param spans to leave out of it
 * @throws ConversionError "unavailable" when there is no sound or it has no length, "too_long", "part_outside"
 */
export function findSound(
  sources: readonly MediaFile[],
  limits: TierLimits,
  wantedPart: Part | undefined,
  spans?: readonly Part[],
): FoundSound {
  const audio = findStream(sources, (file) => file.audio);
  if (!audio) throw new ConversionError("unavailable", NO_SOUND);
  const sourceSeconds = audio.stream.durationSeconds ?? sources[audio.source]?.durationSeconds;
  if (sourceSeconds === undefined) throw new ConversionError("unavailable", { detail: "the sound has no duration" });
  const part = partInSources(wantedPart, sources, sourceSeconds);
  checkDuration(part ? partSeconds(part) : sourceSeconds, limits);
  return { audio, ...extentOf(part, sourceSeconds, spans) };
}
