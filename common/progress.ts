/**
 * One honest percentage from the phases of a conversion. Pure: time comes in as an argument.
 */
import type { Stage } from "./job.ts";

/** Shares of an attempt's wall time that its phases are expected to take; they add up to 1. */
export interface StageShares {
  readonly download: number;
  readonly convert: number;
  readonly store: number;
}

/** Percent of the whole for a phase and how much of it is done (0 to 1). Never 100: that is completion's. */
export function overallPercent(shares: StageShares, stage: Stage, stageFraction: number): number {
  const before = stage === "download" ? 0 : stage === "convert" ? shares.download : shares.download + shares.convert;
  const done = before + shares[stage] * Math.min(1, Math.max(0, stageFraction));
  return Math.min(99, Math.floor(done * 100));
}

/** The larger of two percentages of one attempt: a bar never runs backwards. */
export function neverBackwards(previousPercent: number, nextPercent: number): number {
  return Math.max(previousPercent, nextPercent);
}
