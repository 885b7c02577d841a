/** Verifies a source or a result by its size, streams and length. */
import { ConversionError, type Explanation } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { codecOf } from "../plan/sound-plan.ts";
import { readMp3 } from "./read-mp3.ts";
import { readMp4 } from "./read-mp4.ts";
import type { Work } from "../pipeline.ts";
import { fileTooLarge, resultTooLarge } from "../errors/wording.ts";

/** Whether two lengths differ by at most 2 percent or a second, whichever is more. */
export function isSameDuration(seconds: number, expectedSeconds: number): boolean {
  return Math.abs(seconds - expectedSeconds) <= Math.max(1, expectedSeconds * 0.02);
}

/** Whether a length is above the expected one by more than the tolerance of {@link isSameDuration}. */
export function isLonger(seconds: number, expectedSeconds: number): boolean {
  return seconds > expectedSeconds && !isSameDuration(seconds, expectedSeconds);
}

/** @throws ConversionError "network" for a source that is shorter than its manifest or site promised */
export function checkWhole(source: Pick<MediaFile, "durationSeconds">, promisedSeconds: number | undefined): void {
  const { durationSeconds } = source;
  if (promisedSeconds === undefined || durationSeconds === undefined) return;
  if (durationSeconds < promisedSeconds && !isSameDuration(durationSeconds, promisedSeconds))
    throw new ConversionError("network", { detail: `${durationSeconds} s of ${promisedSeconds} s were fetched` });
}

/** What verification needs to know of a result. */
interface Result {
  readonly sizeBytes: number;
  readonly durationSeconds?: number;
  readonly video?: { readonly codec: string };
  readonly audio?: { readonly codec: string; readonly endSeconds?: number };
  /** False when the index refers to bytes after the end of the file. */
  readonly isWhole?: boolean;
}

/** Formats that are read without a tool where possible. */
const READERS: Partial<Record<EncodePlan["format"], (path: string) => Promise<Result | undefined>>> = {
  mp3: readMp3,
  mp4: readMp4,
};

/** Reads the result itself where its layout is usual, else with ffprobe. */
async function inspectResult(work: Work, path: string, { format }: EncodePlan): Promise<Result> {
  const read = READERS[format];
  const known = await read?.(path);
  if (known) return known;
  const found = await inspectMedia(work, path);
  if (!found.container.startsWith("mov,")) return found;
  // The length of the file is also that of its chapters, which does not show whether a source broke off.
  const seconds = [found.video, found.audio].flatMap((stream) => stream?.durationSeconds ?? []);
  // Sound that begins late has silence before it, which is a part of the result.
  const endSeconds = (found.startSeconds ?? 0) + Math.max(...seconds);
  const { lateSeconds = 0, durationSeconds: soundSeconds = NaN } = found.audio ?? {};
  const soundEnd = (found.startSeconds ?? 0) + lateSeconds + soundSeconds;
  return {
    ...found,
    durationSeconds: seconds.length > 0 ? endSeconds : found.durationSeconds,
    audio: found.audio && { ...found.audio, endSeconds: Number.isNaN(soundEnd) ? undefined : soundEnd },
  };
}

function hasStreams({ video, audio }: Result, plan: EncodePlan): boolean {
  switch (plan.format) {
    case "mp3":
    case "flac":
      return audio?.codec === plan.format;
    case "wav":
      return audio?.codec === `pcm_s${plan.sampleBits}le`;
    case "original":
      return audio?.codec === codecOf(plan);
    case "mp4":
      return video?.codec === "h264" && (plan.audio === undefined || audio?.codec === "aac");
  }
}

/** FLAC and a copied sound are cut off above the limit, so their whole size is that of the part times its share. */
function tooLarge({ sizeBytes, durationSeconds = 0 }: Result, plan: EncodePlan, limits: TierLimits): Explanation {
  if (plan.format === "mp3" || plan.format === "mp4") return resultTooLarge(sizeBytes, limits);
  const parts = durationSeconds > 0 ? Math.max(1, plan.durationSeconds / durationSeconds) : 1;
  return fileTooLarge(Math.round(sizeBytes * parts), limits);
}

/**
 * Verifies a result against its plan.
 * @throws ConversionError "too_large" above the tier's limit, "network" when the result is shorter than planned because
 * its source broke off, "internal" when a stream is missing
 */
export async function verifyResult(
  work: Work,
  path: string,
  plan: EncodePlan,
  limits: TierLimits,
): Promise<{ readonly sizeBytes: number; readonly durationSeconds: number }> {
  const file = await inspectResult(work, path, plan);
  const { sizeBytes, durationSeconds, isWhole = true } = file;
  if (sizeBytes > limits.maxFileBytes) throw new ConversionError("too_large", tooLarge(file, plan, limits));
  if (!hasStreams(file, plan))
    throw new ConversionError("internal", { detail: `a stream is missing: ${JSON.stringify(file)}` });
  // One picture is shown for the planned length, whatever there is of the sound.
  const soundSeconds = plan.format === "mp4" && plan.video.method === "still" ? file.audio?.endSeconds : undefined;
  const lengths = [durationSeconds, soundSeconds ?? durationSeconds];
  const isAsLong = lengths.every((seconds = NaN) => isSameDuration(seconds, plan.durationSeconds));
  if (durationSeconds === undefined || !isWhole || !isAsLong)
    throw new ConversionError("network", {
      detail:
        `the result has ${[...new Set(lengths)].join(" and ")} s, the source ${plan.durationSeconds} s` +
        (isWhole ? "" : ", and the result ends before its media"),
    });
  return { sizeBytes, durationSeconds };
}
