/**
 * One honest percentage from the phases of a conversion. Pure: time comes in as an argument.
 */
import type { Stage } from "./job.ts";

/** Seconds that the phases of an attempt are expected to take, or took. */
export type StageSeconds = Readonly<Record<Stage, number>>;

/** Percent of the whole for a phase and how much of it is done (0 to 1). Never 100: that is completion's. */
export function overallPercent(seconds: StageSeconds, stage: Stage, stageFraction: number): number {
  const before = stage === "download" ? 0 : stage === "convert" ? seconds.download : seconds.download + seconds.convert;
  const done = before + seconds[stage] * Math.min(1, Math.max(0, stageFraction));
  return Math.min(99, Math.floor((done * 100) / (seconds.download + seconds.convert + seconds.store)));
}

/** The larger of two percentages of one attempt: a bar never runs backwards. */
export function neverBackwards(previousPercent: number, nextPercent: number): number {
  return Math.max(previousPercent, nextPercent);
}
