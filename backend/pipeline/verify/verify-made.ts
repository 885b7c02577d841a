/** Verifies a result beside the files that it was made from. */
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { measurePackets, measureSeconds, type MediaFile } from "../probe/media-file.ts";
import type { Work } from "../pipeline.ts";
import { isSameDuration, verifyResult } from "./verify.ts";

/**
 * Some containers state one length for picture and sound, and a transport stream counts the time without reception.
 * @returns how long the sound is, by its packets; undefined where the picture does not have the stated length either,
 *   because then the source may have broken off
 */
async function measureSound(work: Work, plan: EncodePlan, sources: readonly MediaFile[]): Promise<number | undefined> {
  if (plan.format === "mp4" || plan.part || plan.cuts) return undefined;
  const { source, stream } = plan.audio;
  const { path, video, container } = sources[source] ?? {};
  if (path !== undefined && container === "mpegts") return measurePackets(work, path, stream.index);
  if (path === undefined || !video || stream.durationSeconds !== undefined) return undefined;
  const pictureSeconds = await measureSeconds(work, path, video.index);
  if (pictureSeconds === undefined || !isSameDuration(pictureSeconds, plan.durationSeconds)) return undefined;
  return measureSeconds(work, path, stream.index);
}

/**
 * {@link verifyResult}, where the sound may end earlier than its source says.
 * @param sources empty where they are not there any more
 * @throws what {@link verifyResult} throws
 */
export async function verifyMade(
  work: Work,
  path: string,
  plan: EncodePlan,
  sources: readonly MediaFile[],
  limits: TierLimits,
): Promise<{ readonly sizeBytes: number; readonly durationSeconds: number }> {
  const { signal } = work;
  try {
    return await verifyResult(work, path, plan, limits);
  } catch (error) {
    signal.throwIfAborted();
    const isShort = error instanceof ConversionError && error.code === "network";
    const durationSeconds = isShort ? await measureSound(work, plan, sources) : undefined;
    if (durationSeconds === undefined) throw error;
    return verifyResult(work, path, { ...plan, durationSeconds }, limits);
  }
}
