/** How long the rest of something takes, from how it went lately and from what was expected of it. */

/** The pace is that of at least the last so many seconds: long enough to be steady, short enough to follow a line that slows down. */
const LEAST_WINDOW_MS = 2_500;
/** Of a long stage, that of so much of what has passed: it is steadier the longer it has gone on. */
const WINDOW_SHARE = 0.2;
/** What was expected counts as much as so many seconds of what is seen, and ever less. */
const PRIOR_SECONDS = 1;
const PRIOR_FADES_SECONDS = 5;
/** But not before so much is done: what has hardly begun has no pace. */
const PRIOR_FADES_FRACTION = 0.05;
/** With nothing expected, so much has to be seen: over less a burst would look like a pace. */
const LEAST_SEEN = { ms: 400, fraction: 0.02 } as const;
/** Or this much in less time. */
const MUCH_SEEN = { ms: 150, fraction: 0.2 } as const;

/** The first word of more than this is of work that had long begun. */
const FIRST_BIT = 0.1;

export class Pace {
  readonly #samples: { readonly atMs: number; readonly fraction: number }[] = [];
  readonly #wholeSeconds: number | undefined;
  #startMs: number | undefined;

  /** @param wholeSeconds what is expected of all of it */
  constructor(wholeSeconds?: number) {
    this.#wholeSeconds = wholeSeconds;
  }

  /** `fraction` is done, 0 to 1. */
  note(fraction: number, nowMs: number): void {
    this.#startMs ??= nowMs;
    // What comes before the first bit of it is no part of its pace.
    if (fraction > 0 && fraction < FIRST_BIT && this.#samples.length === 1 && this.#samples[0]?.fraction === 0) this.#samples.length = 0;
    this.#samples.push({ atMs: nowMs, fraction });
    const windowMs = Math.max(LEAST_WINDOW_MS, (nowMs - this.#startMs) * WINDOW_SHARE);
    // One sample from before the window stays: where nothing came lately, that is part of the pace.
    while ((this.#samples[1]?.atMs ?? nowMs) <= nowMs - windowMs) this.#samples.shift();
  }

  /** Undefined: it cannot be told yet. */
  secondsLeft(nowMs: number): number | undefined {
    const [oldest, newest] = [this.#samples[0], this.#samples.at(-1)];
    if (!oldest || !newest || this.#startMs === undefined) return undefined;
    // Where nothing at all came lately, all that has passed has to tell.
    const from = newest.fraction > oldest.fraction ? oldest : { atMs: this.#startMs, fraction: 0 };
    const [seenMs, done] = [nowMs - from.atMs, newest.fraction - from.fraction];
    if (this.#wholeSeconds !== undefined) {
      const prior = PRIOR_SECONDS * Math.max(0, 1 - (nowMs - this.#startMs) / 1_000 / PRIOR_FADES_SECONDS, 1 - newest.fraction / PRIOR_FADES_FRACTION);
      const rate = (done + prior / Math.max(0.01, this.#wholeSeconds)) / (seenMs / 1_000 + prior);
      return rate > 0 ? (1 - newest.fraction) / rate : undefined;
    }
    const isEnough = [LEAST_SEEN, MUCH_SEEN].some(({ ms, fraction }) => seenMs >= ms && newest.fraction >= fraction);
    return isEnough && done > 0 ? (seenMs / 1_000) * ((1 - newest.fraction) / done) : undefined;
  }
}
