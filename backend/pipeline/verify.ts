/** The last look before a file is delivered. */
import { stat } from "node:fs/promises";
import { ConversionError } from "../../common/errors.ts";
import type { TierLimits } from "../../common/tiers.ts";
import type { EncodePlan } from "./encode-plan.ts";
import { inspectMedia, type MediaFile } from "./media-file.ts";
import { readMp3 } from "./mp3/read-mp3.ts";
import type { Pipeline } from "./pipeline.ts";
import { tooLargeMessage } from "./wording.ts";

/** Within 2 percent or a second, whichever is more. */
export function isSameDuration(seconds: number, expectedSeconds: number): boolean {
  return Math.abs(seconds - expectedSeconds) <= Math.max(1, expectedSeconds * 0.02);
}

/** Throws "network" for a source that is shorter than its manifest or site promised. */
export function checkWhole(source: MediaFile, promisedSeconds: number | undefined): void {
  const { durationSeconds } = source;
  if (promisedSeconds === undefined || durationSeconds === undefined) return;
  if (durationSeconds < promisedSeconds && !isSameDuration(durationSeconds, promisedSeconds))
    throw new ConversionError("network", { detail: `${durationSeconds} s of ${promisedSeconds} s were fetched` });
}

export interface VerifiedFile {
  readonly sizeBytes: number;
  readonly durationSeconds: number;
}

/** Of what is missing the detail tells. */
async function look(pipeline: Pipeline, path: string, plan: EncodePlan, signal: AbortSignal): Promise<{ sizeBytes: number; durationSeconds?: number; missing?: string }> {
  if (plan.format === "mp3") return (await readMp3(path)) ?? { sizeBytes: (await stat(path)).size, missing: "no MP3 frame" };
  const file = await inspectMedia(pipeline, path, signal);
  const isWhole = file.video?.codec === "h264" && (plan.audio === undefined || file.audio?.codec === "aac");
  return isWhole ? file : { ...file, missing: JSON.stringify(file) };
}

/**
 * Throws ConversionError: "too_large" above the limit, "network" when the source broke off (its duration
 * promised more than it held), "internal" when a stream is missing.
 */
export async function verifyResult(pipeline: Pipeline, path: string, plan: EncodePlan, limits: TierLimits, signal: AbortSignal): Promise<VerifiedFile> {
  const { sizeBytes, durationSeconds, missing } = await look(pipeline, path, plan, signal);
  if (sizeBytes > limits.maxFileBytes) throw new ConversionError("too_large", { message: tooLargeMessage(sizeBytes, limits) });
  if (missing !== undefined) throw new ConversionError("internal", { detail: `a stream is missing: ${missing}` });
  if (durationSeconds === undefined || !isSameDuration(durationSeconds, plan.durationSeconds))
    throw new ConversionError("network", { detail: `the result has ${durationSeconds} s, the source ${plan.durationSeconds} s` });
  return { sizeBytes, durationSeconds };
}
