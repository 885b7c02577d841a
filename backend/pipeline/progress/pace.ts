/** Estimates how long the rest of a stage takes, from its recent pace and its planned time. */

/** The pace is measured over at least this long: steady enough, and still able to follow a connection that slows. */
const MIN_WINDOW_MS = 2_500;
/** In a long stage the pace is measured over this share of the time that has passed. */
const WINDOW_SHARE = 0.2;
/** At the start the planned time has the same weight as this much measured time. */
const PRIOR_SECONDS = 1;
/**
 * The weight of the planned time falls to 0 when this time has passed and this fraction is done. With less done there
 * is hardly a pace to measure.
 */
const PRIOR_FADE_SECONDS = 5;
const PRIOR_FADE_FRACTION = 0.05;
/** Without a planned time, an estimate needs one of these measurements. Over less, a burst would look like the pace. */
const ENOUGH_MEASURED = [
  { ms: 400, fraction: 0.02 },
  { ms: 150, fraction: 0.2 },
] as const;

/** If the first progress is above this fraction, the work started long before the report. */
const MAX_FIRST_FRACTION = 0.1;

export class Pace {
  readonly #samples: { readonly atMs: number; readonly fraction: number }[] = [];
  readonly #wholeSeconds: number | undefined;
  #startMs: number | undefined;

  /** @param wholeSeconds planned time of the whole stage */
  constructor(wholeSeconds?: number) {
    this.#wholeSeconds = wholeSeconds;
  }

  /**
   * Adds a measurement.
   * @param fraction how much is done, 0 to 1
   */
  note(fraction: number, nowMs: number): void {
    this.#startMs ??= nowMs;
    // Waiting before the first progress is not part of the pace.
    if (fraction > 0 && fraction < MAX_FIRST_FRACTION && this.#samples.length === 1 && this.#samples[0]?.fraction === 0)
      this.#samples.length = 0;
    this.#samples.push({ atMs: nowMs, fraction });
    const windowMs = Math.max(MIN_WINDOW_MS, (nowMs - this.#startMs) * WINDOW_SHARE);
    // One sample from before the window stays, so that a time without progress counts.
    while ((this.#samples[1]?.atMs ?? nowMs) <= nowMs - windowMs) this.#samples.shift();
  }

  /** @returns undefined while too little is measured */
  secondsLeft(nowMs: number): number | undefined {
    const oldest = this.#samples[0];
    const newest = this.#samples.at(-1);
    if (!oldest || !newest || this.#startMs === undefined) return undefined;
    // Without any progress in the window the pace is that since the start.
    const from = newest.fraction > oldest.fraction ? oldest : { atMs: this.#startMs, fraction: 0 };
    const measuredMs = nowMs - from.atMs;
    const doneFraction = newest.fraction - from.fraction;
    if (this.#wholeSeconds !== undefined) {
      const elapsedSeconds = (nowMs - this.#startMs) / 1_000;
      const priorSeconds = priorWeight(elapsedSeconds, newest.fraction) * PRIOR_SECONDS;
      const priorFraction = priorSeconds / Math.max(0.01, this.#wholeSeconds);
      const fractionPerSecond = (doneFraction + priorFraction) / (measuredMs / 1_000 + priorSeconds);
      return fractionPerSecond > 0 ? (1 - newest.fraction) / fractionPerSecond : undefined;
    }
    const isEnough = ENOUGH_MEASURED.some(({ ms, fraction }) => measuredMs >= ms && newest.fraction >= fraction);
    return isEnough && doneFraction > 0 ? (measuredMs / 1_000) * ((1 - newest.fraction) / doneFraction) : undefined;
  }
}

/** @returns weight of the planned time, 1 to 0 */
function priorWeight(elapsedSeconds: number, fraction: number): number {
  return Math.max(0, 1 - elapsedSeconds / PRIOR_FADE_SECONDS, 1 - fraction / PRIOR_FADE_FRACTION);
}
