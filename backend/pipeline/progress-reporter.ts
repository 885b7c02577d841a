/** Turns what the tools report of their stage into one percentage with the time left. */
import type { Stage } from "../../common/job.ts";
import { neverBackwards, overallPercent, type StageSeconds } from "../../common/progress.ts";

export interface ConvertProgress {
  readonly stage: Stage;
  /** Of the whole conversion, 0 to 99. */
  readonly percent: number;
  readonly etaSeconds?: number;
  readonly bytesPerSecond?: number;
}

/** Before this much of a stage is done, its pace says nothing. */
const LEAST_FRACTION_FOR_PACE = 0.02;

export class ProgressReporter {
  /** As planned, replaced by what is measured: a slow line makes the download more of the whole, not the encoding slower. */
  #seconds: StageSeconds;
  readonly #listen: (progress: ConvertProgress) => void;
  readonly #nowMs: () => number;
  #percent = 0;
  #stage: Stage | undefined;
  #stageStartMs = 0;

  constructor(planned: StageSeconds, listen: (progress: ConvertProgress) => void, nowMs: () => number = () => performance.now()) {
    this.#seconds = planned;
    this.#listen = listen;
    this.#nowMs = nowMs;
  }

  /** `fraction` of the stage, 0 to 1. */
  report(stage: Stage, fraction: number, bytesPerSecond?: number): void {
    const nowMs = this.#nowMs();
    const elapsedSeconds = (nowMs - this.#stageStartMs) / 1_000;
    const isPaceKnown = stage === this.#stage && fraction >= LEAST_FRACTION_FOR_PACE && elapsedSeconds > 0;
    if (isPaceKnown) this.#measured(stage, elapsedSeconds / fraction);
    if (stage !== this.#stage) {
      if (this.#stage !== undefined) this.#measured(this.#stage, elapsedSeconds);
      [this.#stage, this.#stageStartMs] = [stage, nowMs];
    }
    this.#percent = neverBackwards(this.#percent, overallPercent(this.#seconds, stage, fraction));
    this.#listen({
      stage,
      percent: this.#percent,
      ...(isPaceKnown ? { etaSeconds: this.#secondsLeft(stage, fraction) } : {}),
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    });
  }

  /**
   * While fetching and encoding go on side by side: `fraction` of the sound that is encoded, 0 to 1. The encoder
   * cannot be ahead of what was fetched, so this alone tells how much of both is done.
   */
  reportOverlapped(fraction: number, isFetching: boolean, bytesPerSecond?: number): void {
    const nowMs = this.#nowMs();
    if (this.#stage === undefined) this.#stageStartMs = nowMs;
    this.#stage = isFetching ? "download" : "convert";
    const elapsedSeconds = (nowMs - this.#stageStartMs) / 1_000;
    const isPaceKnown = fraction >= LEAST_FRACTION_FOR_PACE && elapsedSeconds > 0;
    if (isPaceKnown) this.#seconds = { ...this.#seconds, download: 0, convert: elapsedSeconds / fraction };
    this.#percent = neverBackwards(this.#percent, overallPercent({ ...this.#seconds, download: 0 }, "convert", fraction));
    this.#listen({
      stage: this.#stage,
      percent: this.#percent,
      ...(isPaceKnown ? { etaSeconds: this.#secondsLeft("convert", fraction) } : {}),
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    });
  }

  #measured(stage: Stage, seconds: number): void {
    this.#seconds = { ...this.#seconds, [stage]: seconds };
  }

  #secondsLeft(stage: Stage, fraction: number): number {
    const { convert, store } = this.#seconds;
    const coming = stage === "download" ? convert + store : stage === "convert" ? store : 0;
    return Math.max(0, Math.round(this.#seconds[stage] * (1 - fraction) + coming));
  }
}
