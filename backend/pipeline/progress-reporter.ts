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
/** The pace is that of the last so many seconds: long enough to be steady, short enough to follow a line that slows down. */
const PACE_WINDOW_MS = 2_000;
/** Over less than this a burst would look like a pace. */
const LEAST_PACE_MS = 150;

/** Seconds left of a stage, from how it went lately. */
class Pace {
  readonly #samples: { readonly atMs: number; readonly fraction: number }[] = [];

  secondsLeft(fraction: number, nowMs: number): number | undefined {
    this.#samples.push({ atMs: nowMs, fraction });
    // One sample from before the window stays: where nothing came lately, that is part of the pace.
    while ((this.#samples[1]?.atMs ?? nowMs) <= nowMs - PACE_WINDOW_MS) this.#samples.shift();
    const [oldest] = this.#samples;
    if (!oldest || fraction < LEAST_FRACTION_FOR_PACE || nowMs - oldest.atMs < LEAST_PACE_MS || fraction <= oldest.fraction) return undefined;
    return ((nowMs - oldest.atMs) / 1_000) * ((1 - fraction) / (fraction - oldest.fraction));
  }
}

export class ProgressReporter {
  /** As planned, replaced by what is measured: a slow line makes the download more of the whole, not the encoding slower. */
  #seconds: StageSeconds;
  readonly #listen: (progress: ConvertProgress) => void;
  readonly #nowMs: () => number;
  #percent = 0;
  #stage: Stage | undefined;
  #stageStartMs = 0;
  #pace = new Pace();
  /** Both stages are one, whatever it is called at the moment. */
  #isOverlapped = false;
  #last: { readonly progress: ConvertProgress; readonly atMs: number } | undefined;

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
      this.#begin(stage, nowMs);
    }
    this.#tell(stage, overallPercent(this.#seconds, stage, fraction), this.#pace.secondsLeft(fraction, nowMs), bytesPerSecond, nowMs);
  }

  /**
   * While fetching and encoding go on side by side: `fraction` of the sound that is encoded, 0 to 1. The encoder
   * cannot be ahead of what was fetched, so this alone tells how much of both is done.
   */
  reportOverlapped(fraction: number, isFetching: boolean, bytesPerSecond?: number): void {
    const nowMs = this.#nowMs();
    if (!this.#isOverlapped) {
      // What was said of the download until now was a guess at something else.
      if (this.#stage === undefined) this.#stageStartMs = nowMs;
      this.#pace = new Pace();
      this.#isOverlapped = true;
    }
    this.#stage = isFetching ? "download" : "convert";
    const elapsedSeconds = (nowMs - this.#stageStartMs) / 1_000;
    if (fraction >= LEAST_FRACTION_FOR_PACE && elapsedSeconds > 0) this.#seconds = { ...this.#seconds, download: 0, convert: elapsedSeconds / fraction };
    const percent = overallPercent({ ...this.#seconds, download: 0 }, "convert", fraction);
    const left = this.#pace.secondsLeft(fraction, nowMs);
    this.#tell(this.#stage, percent, left, bytesPerSecond, nowMs, "convert");
  }

  /** Says the same again, with less time left: whoever listens hears that it goes on. */
  tick(): void {
    if (!this.#last) return;
    const { progress, atMs } = this.#last;
    const { etaSeconds, ...rest } = progress;
    this.#listen({ ...rest, ...(etaSeconds === undefined ? {} : { etaSeconds: tenths(etaSeconds - (this.#nowMs() - atMs) / 1_000) }) });
  }

  #begin(stage: Stage, nowMs: number): void {
    [this.#stage, this.#stageStartMs, this.#pace, this.#isOverlapped] = [stage, nowMs, new Pace(), false];
  }

  /** `secondsLeft` of the stage; what comes after it is as planned. Without, the time left goes on as it was told. */
  #tell(stage: Stage, percent: number, secondsLeft: number | undefined, bytesPerSecond: number | undefined, nowMs: number, after: Stage = stage): void {
    this.#percent = neverBackwards(this.#percent, percent);
    const told = this.#last?.progress.etaSeconds;
    const since = (nowMs - (this.#last?.atMs ?? nowMs)) / 1_000;
    const etaSeconds = secondsLeft === undefined ? (told === undefined ? undefined : tenths(told - since)) : tenths(secondsLeft + this.#secondsAfter(after));
    const progress = {
      stage,
      percent: this.#percent,
      ...(etaSeconds === undefined ? {} : { etaSeconds }),
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    };
    this.#last = { progress, atMs: nowMs };
    this.#listen(progress);
  }

  #measured(stage: Stage, seconds: number): void {
    this.#seconds = { ...this.#seconds, [stage]: seconds };
  }

  #secondsAfter(stage: Stage): number {
    const { convert, store } = this.#seconds;
    return stage === "download" ? convert + store : stage === "convert" ? store : 0;
  }
}

/** Never none: what is not over takes a moment yet. */
function tenths(seconds: number): number {
  return Math.max(0.1, Math.round(seconds * 10) / 10);
}
