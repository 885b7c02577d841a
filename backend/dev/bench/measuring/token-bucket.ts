/** When bytes may leave over a line of a given rate. Pure but for the clock it is given. */
export interface TokenBucketOptions {
  /** Infinity: everything leaves at once. */
  readonly bytesPerSecond: number;
  /** What an idle line has saved up to be sent at once; it makes up for timers that fire late. */
  readonly burstBytes: number;
  /** Milliseconds from any start, never backwards. */
  readonly nowMs: () => number;
}

export class TokenBucket {
  readonly #bytesPerMs: number;
  readonly #burstMs: number;
  readonly #nowMs: () => number;
  /** The line is busy until then; at most the burst lies behind the present. */
  #busyUntilMs = -Infinity;

  constructor({ bytesPerSecond, burstBytes, nowMs }: TokenBucketOptions) {
    this.#bytesPerMs = bytesPerSecond / 1_000;
    this.#burstMs = bytesPerSecond === Infinity ? 0 : burstBytes / this.#bytesPerMs;
    this.#nowMs = nowMs;
  }

  /** Takes room on the line for so many bytes. @returns when they have passed, on the bucket's own clock */
  reserve(bytes: number): number {
    const nowMs = this.#nowMs();
    this.#busyUntilMs = Math.max(this.#busyUntilMs, nowMs - this.#burstMs) + bytes / this.#bytesPerMs;
    return Math.max(nowMs, this.#busyUntilMs);
  }
}
