/** Verifies a result beside the files that it was made from. */
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { measurePackets, measureSeconds, type MediaFile } from "../probe/media-file.ts";
import type { Pipeline } from "../pipeline.ts";
import { isSameDuration, verifyResult } from "./verify.ts";

/**
 * Some containers state one length for picture and sound, and a transport stream counts the time without reception.
 * @returns how long the sound is, by its packets; undefined where the picture does not have the stated length either,
 *   because then the source may have broken off
 */
async function measureSound(
  pipeline: Pipeline,
  plan: EncodePlan,
  sources: readonly MediaFile[],
  signal: AbortSignal,
): Promise<number | undefined> {
  if (plan.format === "mp4" || plan.part || plan.cuts) return undefined;
  const { source, stream } = plan.audio;
  const { path, video, container } = sources[source] ?? {};
  if (path !== undefined && container === "mpegts") return measurePackets(pipeline, path, stream.index, signal);
  if (path === undefined || !video || stream.durationSeconds !== undefined) return undefined;
  const pictureSeconds = await measureSeconds(pipeline, path, video.index, signal);
  if (pictureSeconds === undefined || !isSameDuration(pictureSeconds, plan.durationSeconds)) return undefined;
  return measureSeconds(pipeline, path, stream.index, signal);
}

/**
 * {@link verifyResult}, where the sound may end earlier than its source says.
 * @param sources empty where they are not there any more
 * @throws what {@link verifyResult} throws
 */
export async function verifyMade(
  pipeline: Pipeline,
  path: string,
  plan: EncodePlan,
  sources: readonly MediaFile[],
  limits: TierLimits,
  signal: AbortSignal,
): Promise<{ readonly sizeBytes: number; readonly durationSeconds: number }> {
  try {
    return await verifyResult(pipeline, path, plan, limits, signal);
  } catch (error) {
    signal.throwIfAborted();
    const isShort = error instanceof ConversionError && error.code === "network";
    const durationSeconds = isShort ? await measureSound(pipeline, plan, sources, signal) : undefined;
    if (durationSeconds === undefined) throw error;
    return verifyResult(pipeline, path, { ...plan, durationSeconds }, limits, signal);
  }
}
