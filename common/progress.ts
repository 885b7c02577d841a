/** Computes one percentage for a whole conversion from the durations of its stages. */
import type { Stage } from "./job.ts";

/** Expected or measured duration of each stage of an attempt. */
export type StageSeconds = Readonly<Record<Stage, number>>;

/**
 * Converts the progress of one stage to the progress of the whole conversion.
 * @param stageFraction finished part of the stage, 0 to 1
 * @returns whole percent, 0 to 99; only a completed job has 100
 */
export function overallPercent(seconds: StageSeconds, stage: Stage, stageFraction: number): number {
  const before = stage === "download" ? 0 : stage === "convert" ? seconds.download : seconds.download + seconds.convert;
  const done = before + seconds[stage] * Math.min(1, Math.max(0, stageFraction));
  return Math.min(99, Math.floor((done * 100) / (seconds.download + seconds.convert + seconds.store)));
}

/** @returns the larger of two percentages of one attempt, because a progress bar never runs backwards */
export function neverBackwards(previousPercent: number, nextPercent: number): number {
  return Math.max(previousPercent, nextPercent);
}
