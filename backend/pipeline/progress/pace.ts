/** Estimates how long the rest of a stage takes, from its recent pace and its planned time. */

/** The pace is measured over at least this long: steady enough, and still able to follow a connection that slows. */
const LEAST_WINDOW_MS = 2_500;
/** In a long stage the pace is measured over this share of the time that has passed. */
const WINDOW_SHARE = 0.2;
/** The planned time counts as much as so many seconds of measurement, and fades. */
const PRIOR_SECONDS = 1;
const PRIOR_FADES_SECONDS = 5;
/** It does not fade before so much is done, because there is hardly a pace to measure. */
const PRIOR_FADES_FRACTION = 0.05;
/** Without a planned time so much has to be measured first: over less, a burst would look like the pace. */
const LEAST_SEEN = { ms: 400, fraction: 0.02 } as const;
/** Or so much done in less time. */
const MUCH_SEEN = { ms: 150, fraction: 0.2 } as const;

/** A first report above this fraction is of work that started long before. */
const FIRST_BIT = 0.1;

export class Pace {
  readonly #samples: { readonly atMs: number; readonly fraction: number }[] = [];
  readonly #wholeSeconds: number | undefined;
  #startMs: number | undefined;

  /** @param wholeSeconds planned time of the whole stage */
  constructor(wholeSeconds?: number) {
    this.#wholeSeconds = wholeSeconds;
  }

  /** @param fraction how much is done, 0 to 1 */
  note(fraction: number, nowMs: number): void {
    this.#startMs ??= nowMs;
    // Waiting before the first progress is not part of the pace.
    if (fraction > 0 && fraction < FIRST_BIT && this.#samples.length === 1 && this.#samples[0]?.fraction === 0)
      this.#samples.length = 0;
    this.#samples.push({ atMs: nowMs, fraction });
    const windowMs = Math.max(LEAST_WINDOW_MS, (nowMs - this.#startMs) * WINDOW_SHARE);
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
    const seenMs = nowMs - from.atMs;
    const done = newest.fraction - from.fraction;
    if (this.#wholeSeconds !== undefined) {
      const prior =
        PRIOR_SECONDS *
        Math.max(
          0,
          1 - (nowMs - this.#startMs) / 1_000 / PRIOR_FADES_SECONDS,
          1 - newest.fraction / PRIOR_FADES_FRACTION,
        );
      const rate = (done + prior / Math.max(0.01, this.#wholeSeconds)) / (seenMs / 1_000 + prior);
      return rate > 0 ? (1 - newest.fraction) / rate : undefined;
    }
    const isEnough = [LEAST_SEEN, MUCH_SEEN].some(({ ms, fraction }) => seenMs >= ms && newest.fraction >= fraction);
    return isEnough && done > 0 ? (seenMs / 1_000) * ((1 - newest.fraction) / done) : undefined;
  }
}
