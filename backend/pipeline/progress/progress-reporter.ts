/** Turns what the tools report of their stage into one percentage with the time left. */
import type { Stage } from "../../../common/job.ts";
import { neverBackwards, overallPercent, type StageSeconds } from "../../../common/progress.ts";
import type { LearnedPaces, Work } from "./learned-paces.ts";
import { Pace } from "./pace.ts";

export interface ConvertProgress {
  readonly stage: Stage;
  /** Of the whole conversion, 0 to 99. */
  readonly percent: number;
  /** Absent while nothing is known that it could be told from. */
  readonly etaSeconds?: number;
  readonly bytesPerSecond?: number;
}

export interface ReporterOptions {
  readonly planned: StageSeconds;
  /** What the time to convert was planned for. Absent: nobody knows before the source is looked into. */
  readonly work?: Work;
  /** Absent: nothing is known of this machine. */
  readonly paces?: LearnedPaces;
  readonly listen: (progress: ConvertProgress) => void;
  readonly nowMs?: () => number;
}

/** Before this much of a stage is done, its pace says nothing. */
const LEAST_FRACTION_FOR_PACE = 0.02;
/** An encoder that is so far behind what was fetched does not wait for it: its pace is its own. */
const LEAST_BEHIND = 0.2;
/** Of the sound that was fetched, learned from only if so much of it was encoded at a stretch. */
const LEAST_LEARNED_FRACTION = 0.3;
/** After so long without a word from the tools it is no longer taken for granted that they go on as they did. */
const SILENCE_MS = 1_500;

interface Overlap {
  readonly fetching: Pace;
  readonly encoding: Pace;
  fetched: number;
  encoded: number;
  /** When all was fetched, and how much was encoded by then. */
  alone?: { readonly atMs: number; readonly encoded: number };
}

export class ProgressReporter {
  /** As planned, replaced by what is measured: a slow line makes the download more of the whole, not the encoding slower. */
  #seconds: StageSeconds;
  /** As it was at the beginning. */
  readonly planned: StageSeconds;
  readonly #listen: (progress: ConvertProgress) => void;
  readonly #nowMs: () => number;
  readonly #paces: LearnedPaces | undefined;
  #work: Work | undefined;
  #plannedConvertSeconds: number;
  #percent = 0;
  #stage: Stage | undefined;
  #stageStartMs = 0;
  #fraction = 0;
  #pace = new Pace();
  /** Both stages are one, whatever it is called at the moment. */
  #overlap: Overlap | undefined;
  #last: { readonly progress: ConvertProgress; readonly atMs: number; readonly heardAtMs: number } | undefined;

  constructor({ planned, work, paces, listen, nowMs = () => performance.now() }: ReporterOptions) {
    this.planned = planned;
    this.#listen = listen;
    this.#nowMs = nowMs;
    this.#paces = paces;
    this.#plannedConvertSeconds = planned.convert;
    this.#seconds = planned;
    if (work !== undefined) this.expect({ work, seconds: planned.convert });
  }

  /** What is left to do with what is fetched, now that it is known, and how long that takes on the machine the plans are made for. */
  expect({ work, seconds }: { readonly work: Work; readonly seconds: number }): void {
    this.#work = work;
    this.#plannedConvertSeconds = seconds;
    this.#seconds = { ...this.#seconds, convert: this.#priorConvertSeconds() };
  }

  /** `fraction` of the stage, 0 to 1. */
  report(stage: Stage, fraction: number, bytesPerSecond?: number): void {
    const nowMs = this.#nowMs();
    const elapsedSeconds = (nowMs - this.#stageStartMs) / 1_000;
    if (stage !== this.#stage) {
      this.#end(nowMs);
      this.#begin(stage, nowMs);
    } else if (fraction >= LEAST_FRACTION_FOR_PACE && elapsedSeconds > 0) {
      // Of what is encoded the plan is kept for the pace to begin with.
      this.#seconds = { ...this.#seconds, [stage]: elapsedSeconds / fraction };
    }
    this.#fraction = fraction;
    this.#tell(stage, overallPercent(this.#seconds, stage, fraction), this.#secondsLeft(fraction, nowMs), bytesPerSecond, nowMs);
  }

  /**
   * While fetching and encoding go on side by side: how much of the source is fetched and how much of the sound is
   * encoded, each 0 to 1. What is left takes as long as the slower of the two.
   */
  reportOverlapped(fetched: number, encoded: number, bytesPerSecond?: number): void {
    const nowMs = this.#nowMs();
    // What was said of the download until now was a guess at something else.
    if (this.#stage === undefined) this.#stageStartMs = nowMs;
    const prior = this.#priorConvertSeconds();
    this.#overlap ??= { fetching: new Pace(), encoding: new Pace(prior), fetched: 0, encoded: 0 };
    const overlap = this.#overlap;
    this.#stage = fetched < 1 ? "download" : "convert";
    [overlap.fetched, overlap.encoded] = [fetched, encoded];
    overlap.fetching.note(fetched, nowMs);
    if (encoded > 0) overlap.encoding.note(encoded, nowMs);
    if (fetched >= 1) overlap.alone ??= { atMs: nowMs, encoded };
    const elapsedSeconds = (nowMs - this.#stageStartMs) / 1_000;
    const left = this.#overlappedSecondsLeft(overlap, nowMs);
    // By the estimate itself, so that the bar does not run ahead of it.
    const whole = left === undefined ? 0 : elapsedSeconds + left;
    const percent = whole === 0 ? 0 : overallPercent({ ...this.#seconds, download: 0, convert: whole }, "convert", elapsedSeconds / whole);
    this.#tell(this.#stage, percent, left, bytesPerSecond, nowMs, "convert");
  }

  /** Says the same again, with less time left: whoever listens hears that it goes on. */
  tick(): void {
    if (!this.#last) return;
    const nowMs = this.#nowMs();
    const { progress, atMs, heardAtMs } = this.#last;
    const { etaSeconds, ...rest } = progress;
    if (etaSeconds === undefined) return this.#listen(rest);
    const countedDown = etaSeconds - (nowMs - atMs) / 1_000;
    // A line that has gone quiet takes longer than was thought.
    const anew = nowMs - heardAtMs < SILENCE_MS ? undefined : this.#anew(nowMs);
    this.#listen({ ...rest, etaSeconds: hundredths(Math.max(countedDown, anew ?? 0)) });
  }

  #anew(nowMs: number): number | undefined {
    if (this.#overlap) {
      const left = this.#overlappedSecondsLeft(this.#overlap, nowMs);
      return left === undefined ? undefined : left + this.#seconds.store;
    }
    const left = this.#secondsLeft(this.#fraction, nowMs);
    return left === undefined || this.#stage === undefined ? undefined : left + (this.#secondsAfter(this.#stage) ?? 0);
  }

  #priorConvertSeconds(): number {
    return this.#plannedConvertSeconds * (this.#work === undefined ? 1 : (this.#paces?.factorOf(this.#work) ?? 1));
  }

  #secondsLeft(fraction: number, nowMs: number): number | undefined {
    if (this.#stage === "store") return Math.max(0, this.#seconds.store - (nowMs - this.#stageStartMs) / 1_000);
    this.#pace.note(fraction, nowMs);
    return this.#pace.secondsLeft(nowMs);
  }

  #overlappedSecondsLeft({ fetching, encoding, fetched, encoded }: Overlap, nowMs: number): number | undefined {
    const toFetch = fetched < 1 ? fetching.secondsLeft(nowMs) : 0;
    if (toFetch === undefined) return undefined;
    // An encoder that waits for the line shows the line's pace; its own is as planned.
    const isWaiting = fetched < 1 && fetched - encoded < LEAST_BEHIND;
    const asPlanned = (1 - encoded) * this.#priorConvertSeconds();
    const toEncode = (encoded > 0 ? encoding.secondsLeft(nowMs) : undefined) ?? asPlanned;
    return Math.max(toFetch, isWaiting ? Math.min(toEncode, asPlanned) : toEncode);
  }

  #begin(stage: Stage, nowMs: number): void {
    [this.#stage, this.#stageStartMs, this.#fraction, this.#overlap] = [stage, nowMs, 0, undefined];
    const isKnown = stage === "convert" && this.#work !== undefined;
    this.#pace = new Pace(isKnown ? this.#priorConvertSeconds() : undefined);
  }

  /** What a stage took is learned from, and stands for what was planned of it. */
  #end(nowMs: number): void {
    if (this.#stage === undefined) return;
    const seconds = (nowMs - this.#stageStartMs) / 1_000;
    const { alone, encoded = 0 } = this.#overlap ?? {};
    // Where nothing could be encoded on the way it was a download after all.
    this.#seconds = encoded > 0 ? { ...this.#seconds, download: 0, convert: seconds } : { ...this.#seconds, [this.#overlap ? "download" : this.#stage]: seconds };
    if (this.#work === undefined) return;
    if (encoded > 0 && alone && 1 - alone.encoded >= LEAST_LEARNED_FRACTION)
      this.#paces?.learn(this.#work, this.#plannedConvertSeconds, (nowMs - alone.atMs) / 1_000 / (1 - alone.encoded));
    else if (!this.#overlap && this.#stage === "convert") this.#paces?.learn(this.#work, this.#plannedConvertSeconds, seconds);
  }

  /** `secondsLeft` of the stage; what comes after it is as planned. Without, the time left goes on as it was told. */
  #tell(stage: Stage, percent: number, secondsLeft: number | undefined, bytesPerSecond: number | undefined, nowMs: number, after: Stage = stage): void {
    this.#percent = neverBackwards(this.#percent, percent);
    const later = this.#secondsAfter(after);
    const told = this.#last?.progress.etaSeconds;
    const since = (nowMs - (this.#last?.atMs ?? nowMs)) / 1_000;
    const left = secondsLeft === undefined || later === undefined ? (told === undefined ? undefined : told - since) : secondsLeft + later;
    const progress = {
      stage,
      percent: this.#percent,
      ...(left === undefined ? {} : { etaSeconds: hundredths(left) }),
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    };
    this.#last = { progress, atMs: nowMs, heardAtMs: nowMs };
    this.#listen(progress);
  }

  /** Undefined: nobody knows yet what is to be done with what is fetched. */
  #secondsAfter(stage: Stage): number | undefined {
    const { convert, store } = this.#seconds;
    if (stage === "download") return this.#work === undefined ? undefined : convert + store;
    return stage === "convert" ? store : 0;
  }
}

/** Never none: what is not over takes a moment yet. */
function hundredths(seconds: number): number {
  return Math.max(0.05, Math.round(seconds * 100) / 100);
}
