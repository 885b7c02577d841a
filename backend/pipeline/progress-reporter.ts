/** Turns what the tools report of their stage into one percentage with the time left. */
import type { Stage } from "../../common/job.ts";
import { neverBackwards, overallPercent, type StageShares } from "../../common/progress.ts";

export interface ConvertProgress {
  readonly stage: Stage;
  /** Of the whole conversion, 0 to 99. */
  readonly percent: number;
  readonly etaSeconds?: number;
  readonly bytesPerSecond?: number;
}

/** Before this much of a stage is done, its pace says nothing. */
const LEAST_FRACTION_FOR_ETA = 0.02;

export class ProgressReporter {
  readonly #shares: StageShares;
  readonly #listen: (progress: ConvertProgress) => void;
  #percent = 0;
  #stage: Stage | undefined;
  #stageStartMs = 0;

  constructor(shares: StageShares, listen: (progress: ConvertProgress) => void) {
    this.#shares = shares;
    this.#listen = listen;
  }

  /** `fraction` of the stage, 0 to 1. */
  report(stage: Stage, fraction: number, bytesPerSecond?: number): void {
    if (stage !== this.#stage) [this.#stage, this.#stageStartMs] = [stage, performance.now()];
    this.#percent = neverBackwards(this.#percent, overallPercent(this.#shares, stage, fraction));
    const etaSeconds = this.#etaSeconds(stage, fraction);
    this.#listen({
      stage,
      percent: this.#percent,
      ...(etaSeconds === undefined ? {} : { etaSeconds }),
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    });
  }

  /** The stage's own pace, and the coming stages' shares at it. */
  #etaSeconds(stage: Stage, fraction: number): number | undefined {
    if (fraction < LEAST_FRACTION_FOR_ETA) return undefined;
    const { download, convert, store } = this.#shares;
    const elapsedSeconds = (performance.now() - this.#stageStartMs) / 1_000;
    const stageSeconds = elapsedSeconds / fraction;
    const comingShare = stage === "download" ? convert + store : stage === "convert" ? store : 0;
    const comingSeconds = (stageSeconds * comingShare) / { download, convert, store }[stage];
    return Math.max(0, Math.round(stageSeconds - elapsedSeconds + comingSeconds));
  }
}
