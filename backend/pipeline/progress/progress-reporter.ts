/** Turns the progress of single stages into one percentage with the time left. */
import type { Stage } from "../../../common/job.ts";
import { overallPercent, type StageSeconds } from "../../../common/progress.ts";
import type { LearnedPaces, WorkKind } from "./learned-paces.ts";
import { Pace } from "./pace.ts";

export interface ConvertProgress {
  readonly stage: Stage;
  /** Of the whole conversion, 0 to 99. */
  readonly percent: number;
  /** Absent while it cannot be estimated. */
  readonly etaSeconds?: number;
  readonly bytesPerSecond?: number;
}

export interface ReporterOptions {
  readonly planned: StageSeconds;
  /** The work that `planned.convert` is for; absent when only a probe of the source can show it. */
  readonly work?: WorkKind;
  /** Absent: the planned times are used as they are. */
  readonly paces?: LearnedPaces;
  readonly listen: (progress: ConvertProgress) => void;
  readonly nowMs?: () => number;
}

/** The pace of a stage is not used before this much of it is done. */
const MIN_FRACTION_FOR_PACE = 0.02;
/** An encoder this far behind the bytes that it can read does not wait for them, so its measured pace is its own. */
const MIN_LAG_FRACTION = 0.2;
/** The encoding pace is learned only if at least this much was encoded after the download. */
const MIN_LEARNED_FRACTION = 0.3;
const TICK_MS = 250;
/** Bursts and pauses of a connection lengthen the estimate for a moment. A longer time left is believed after this time. */
const LONGER_AFTER_MS = 1_500;
/** After so long without a report from the tools the time left is estimated again. */
const SILENCE_MS = 1_500;
/** Also after this share of the time left, or the bar would be at its end before a stalled source counts as silent. */
const SILENT_SHARE = 0.5;
/** Not sooner: some tools report twice a second. */
const MIN_SILENCE_MS = 500;
/** A source that sends in bursts is silent after this many of its usual pauses. */
const SILENT_PAUSES = 1.5;
/** Of the time that passes: a pause that does not come again is forgotten in ten times its length. */
const FORGOTTEN_SHARE = 0.1;
/** After so long every source is silent. */
const MAX_SILENCE_MS = 5_000;

/** What a fraction of fetched bytes does not tell. */
export interface FetchDetails {
  /** Bytes that follow the beginning without a gap, as a fraction of all: an encoder can read them. Default: all fetched. */
  readonly readable?: number;
  /** When the slowest connection ends at its pace, by the clock of the reporter. */
  readonly slowestEndMs?: number;
}

interface Overlap {
  readonly fetching: Pace;
  readonly encoding: Pace;
  fetched: number;
  readable: number;
  encoded: number;
  /** When the download ended, and how much was encoded by then. */
  downloadEnd?: { readonly atMs: number; readonly encoded: number };
}

export class ProgressReporter {
  /** Planned times, replaced by measured ones stage by stage. */
  #seconds: StageSeconds;
  /** The planned times at the beginning. */
  readonly planned: StageSeconds;
  readonly #listen: (progress: ConvertProgress) => void;
  readonly #nowMs: () => number;
  readonly #paces: LearnedPaces | undefined;
  #work: WorkKind | undefined;
  #plannedConvertSeconds: number;
  /** How far the bar is, 0 to 1. */
  #way = 0;
  #movedAtMs: number | undefined;
  #stage: Stage | undefined;
  #stageStartMs = 0;
  #fraction = 0;
  #pace = new Pace();
  /** Present while download and encode run at the same time and count as one stage. */
  #overlap: Overlap | undefined;
  #last: { readonly progress: ConvertProgress; readonly atMs: number } | undefined;
  #slowestEndMs = 0;
  /** The longest pause between two reports of late. */
  #pauseMs = 0;
  /** Since when the estimate is longer than the time left that was reported last. */
  #longerSinceMs: number | undefined;

  constructor({ planned, work, paces, listen, nowMs = () => performance.now() }: ReporterOptions) {
    this.planned = planned;
    this.#listen = listen;
    this.#nowMs = nowMs;
    this.#paces = paces;
    this.#plannedConvertSeconds = planned.convert;
    this.#seconds = planned;
    if (work !== undefined) this.expect({ work, seconds: planned.convert });
  }

  /**
   * Sets the work to be done with the fetched files, once it is known.
   * @param expected `seconds` is the planned time on the machine of planned-times.ts
   */
  expect(expected: { readonly work: WorkKind; readonly seconds: number }): void {
    this.#work = expected.work;
    this.#plannedConvertSeconds = expected.seconds;
    this.#seconds = { ...this.#seconds, convert: this.#priorConvertSeconds() };
  }

  /**
   * Reports progress of a single stage.
   * @param fraction of the stage, 0 to 1
   */
  report(stage: Stage, fraction: number, bytesPerSecond?: number, { slowestEndMs = 0 }: FetchDetails = {}): void {
    const nowMs = this.#nowMs();
    this.#slowestEndMs = slowestEndMs;
    const elapsedSeconds = (nowMs - this.#stageStartMs) / 1_000;
    if (stage !== this.#stage) {
      this.#end(nowMs);
      this.#begin(stage, nowMs);
    } else if (fraction >= MIN_FRACTION_FOR_PACE && elapsedSeconds > 0) {
      // `#plannedConvertSeconds` stays: the pace of the encode starts from it.
      this.#seconds = { ...this.#seconds, [stage]: elapsedSeconds / fraction };
    }
    this.#fraction = fraction;
    this.#publish(stage, this.#secondsLeft(fraction, nowMs), bytesPerSecond, nowMs);
  }

  /**
   * Reports progress while download and encode run at the same time. The time left is that of the slower one.
   * @param fetched of the source, 0 to 1
   * @param encoded of the result, 0 to 1
   */
  reportOverlapped(fetched: number, encoded: number, bytesPerSecond?: number, details: FetchDetails = {}): void {
    const nowMs = this.#nowMs();
    const { readable = fetched, slowestEndMs = 0 } = details;
    this.#slowestEndMs = slowestEndMs;
    // When a stage was reported before, its start stays the start of both.
    if (this.#stage === undefined) this.#stageStartMs = nowMs;
    const prior = this.#priorConvertSeconds();
    this.#overlap ??= { fetching: new Pace(), encoding: new Pace(prior), fetched: 0, readable: 0, encoded: 0 };
    const overlap = this.#overlap;
    this.#stage = fetched < 1 ? "download" : "convert";
    overlap.fetched = fetched;
    overlap.readable = readable;
    overlap.encoded = encoded;
    overlap.fetching.note(fetched, nowMs);
    if (encoded > 0) overlap.encoding.note(encoded, nowMs);
    if (fetched >= 1) overlap.downloadEnd ??= { atMs: nowMs, encoded };
    this.#publish(this.#stage, this.#overlappedSecondsLeft(overlap, nowMs), bytesPerSecond, nowMs, "convert");
  }

  /** Sends progress at least four times a second, even when no tool prints any, until the result is disposed of. */
  tickRegularly(): Disposable {
    const timer = setInterval(() => this.tick(), TICK_MS);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Repeats the last progress with less time left, so that the listener keeps receiving progress. */
  tick(): void {
    if (!this.#last) return;
    const nowMs = this.#nowMs();
    const { progress, atMs } = this.#last;
    const { etaSeconds, ...rest } = progress;
    if (etaSeconds === undefined) return this.#listen(rest);
    const countedDown = etaSeconds - (nowMs - atMs) / 1_000;
    // Without reports from the tools the rest takes longer than estimated.
    const isSilent = nowMs - atMs >= this.#silenceMs;
    const left = Math.max(countedDown, (isSilent ? this.#estimateAgain(nowMs) : undefined) ?? 0);
    // While nothing comes the bar stands, and that is the truth.
    if (isSilent) this.#movedAtMs = nowMs;
    else this.#move(left, nowMs);
    this.#listen({ ...rest, percent: this.#percent, etaSeconds: hundredths(left) });
  }

  get #silenceMs(): number {
    const shareMs = (this.#last?.progress.etaSeconds ?? Infinity) * 1_000 * SILENT_SHARE;
    const soonestMs = Math.max(MIN_SILENCE_MS, Math.min(SILENCE_MS, shareMs));
    return Math.max(soonestMs, Math.min(MAX_SILENCE_MS, this.#pauseMs * SILENT_PAUSES));
  }

  #estimateAgain(nowMs: number): number | undefined {
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
    return this.#stage === "download" ? this.#toFetch(this.#pace, nowMs) : this.#pace.secondsLeft(nowMs);
  }

  /** @returns at least the time that the slowest connection needs; undefined while no pace is known */
  #toFetch(fetching: Pace, nowMs: number): number | undefined {
    const left = fetching.secondsLeft(nowMs);
    return left === undefined ? undefined : Math.max(left, (this.#slowestEndMs - nowMs) / 1_000);
  }

  #overlappedSecondsLeft(overlap: Overlap, nowMs: number): number | undefined {
    const { fetching, encoding, fetched, readable, encoded } = overlap;
    const toFetch = fetched < 1 ? this.#toFetch(fetching, nowMs) : 0;
    if (toFetch === undefined) return undefined;
    // An encoder that waits for the download only shows the download's pace; its own is taken as planned.
    const isWaiting = fetched < 1 && readable - encoded < MIN_LAG_FRACTION;
    const asPlanned = (1 - encoded) * this.#priorConvertSeconds();
    const toEncode = (encoded > 0 ? encoding.secondsLeft(nowMs) : undefined) ?? asPlanned;
    return Math.max(toFetch, isWaiting ? Math.min(toEncode, asPlanned) : toEncode);
  }

  #begin(stage: Stage, nowMs: number): void {
    this.#stage = stage;
    this.#stageStartMs = nowMs;
    this.#fraction = 0;
    this.#overlap = undefined;
    const isKnown = stage === "convert" && this.#work !== undefined;
    this.#pace = new Pace(isKnown ? this.#priorConvertSeconds() : undefined);
  }

  /** Replaces the planned time of the stage that ends with its real time, and learns from it. */
  #end(nowMs: number): void {
    if (this.#stage === undefined) return;
    const seconds = (nowMs - this.#stageStartMs) / 1_000;
    const overlap = this.#overlap;
    if (overlap && overlap.encoded > 0) {
      this.#seconds = { ...this.#seconds, download: 0, convert: seconds };
      this.#learnFromOverlap(overlap, nowMs);
      return;
    }
    // An overlap in which nothing was encoded was only a download.
    this.#seconds = { ...this.#seconds, [overlap ? "download" : this.#stage]: seconds };
    if (!overlap && this.#stage === "convert") this.#learn(seconds);
  }

  /** Learns from the part that was encoded after the download, because before its end the encoder may have waited. */
  #learnFromOverlap({ downloadEnd }: Overlap, nowMs: number): void {
    if (!downloadEnd) return;
    const fraction = 1 - downloadEnd.encoded;
    if (fraction >= MIN_LEARNED_FRACTION) this.#learn((nowMs - downloadEnd.atMs) / 1_000 / fraction);
  }

  /** @param convertSeconds real time of the whole convert stage */
  #learn(convertSeconds: number): void {
    if (this.#work !== undefined) this.#paces?.learn(this.#work, this.#plannedConvertSeconds, convertSeconds);
  }

  /**
   * @param secondsLeft of the stage; undefined continues the time left that was reported last
   * @param after the stage whose following stages are added as planned
   */
  #publish(
    stage: Stage,
    secondsLeft: number | undefined,
    bytesPerSecond: number | undefined,
    nowMs: number,
    after: Stage = stage,
  ): void {
    const passedMs = nowMs - (this.#last?.atMs ?? nowMs);
    this.#pauseMs = Math.max(passedMs, this.#pauseMs - passedMs * FORGOTTEN_SHARE);
    const secondsAfter = this.#secondsAfter(after);
    const isKnown = secondsLeft !== undefined && secondsAfter !== undefined;
    const left = isKnown ? this.#steady(secondsLeft + secondsAfter, nowMs) : this.#lastSecondsLeft(nowMs);
    if (left === undefined) this.#beginWay(stage, nowMs);
    else this.#move(left, nowMs);
    // Stored and sent as it is, so absent values are left out.
    const progress = {
      stage,
      percent: this.#percent,
      ...(left === undefined ? {} : { etaSeconds: hundredths(left) }),
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    };
    this.#last = { progress, atMs: nowMs };
    this.#listen(progress);
  }

  /** @returns the estimate; while it has been longer than the last one for a moment only, the last one */
  #steady(estimated: number, nowMs: number): number {
    const last = this.#last?.progress.etaSeconds;
    if (last === undefined || estimated <= last) this.#longerSinceMs = undefined;
    else {
      this.#longerSinceMs ??= nowMs;
      if (nowMs - this.#longerSinceMs < LONGER_AFTER_MS) return last;
      this.#longerSinceMs = undefined;
    }
    return estimated;
  }

  /** Moves the bar by the planned times, as long as no time left is known. */
  #beginWay(stage: Stage, nowMs: number): void {
    this.#movedAtMs = nowMs;
    this.#way = Math.max(this.#way, overallPercent(this.#seconds, stage, this.#fraction) / 100);
  }

  /**
   * Moves the bar. It covers the rest of its way in the time left, so the two agree: it slows down when that grows, and
   * does not stop.
   */
  #move(secondsLeft: number, nowMs: number): void {
    const seconds = (nowMs - (this.#movedAtMs ?? this.#stageStartMs)) / 1_000;
    this.#movedAtMs = nowMs;
    if (seconds > 0) this.#way += (1 - this.#way) * (seconds / (seconds + Math.max(0, secondsLeft)));
  }

  /** Whole percent, 0 to 99; only a completed job has 100. */
  get #percent(): number {
    return Math.min(99, Math.floor(this.#way * 100));
  }

  /** @returns the time left that was reported last, less the time since then */
  #lastSecondsLeft(nowMs: number): number | undefined {
    if (this.#last?.progress.etaSeconds === undefined) return undefined;
    return this.#last.progress.etaSeconds - (nowMs - this.#last.atMs) / 1_000;
  }

  /** @returns planned seconds of the stages after `stage`; undefined while the work after the download is unknown */
  #secondsAfter(stage: Stage): number | undefined {
    const { convert, store } = this.#seconds;
    if (stage === "download") return this.#work === undefined ? undefined : convert + store;
    return stage === "convert" ? store : 0;
  }
}

/** @returns rounded to hundredths, and never 0 while the conversion runs */
function hundredths(seconds: number): number {
  return Math.max(0.05, Math.round(seconds * 100) / 100);
}
