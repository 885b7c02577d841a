/** Computes when bytes may be sent over a connection of a given speed. */
export interface TokenBucketOptions {
  /** Infinity for no limit. */
  readonly bytesPerSecond: number;
  /** Bytes that may be sent at once after idle time; this makes up for timers that fire late. */
  readonly burstBytes: number;
  /** A clock in milliseconds that never goes backwards. */
  readonly nowMs: () => number;
}

export class TokenBucket {
  readonly #bytesPerMs: number;
  readonly #burstMs: number;
  readonly #nowMs: () => number;
  /** The connection is busy until then; this lies at most one burst in the past. */
  #busyUntilMs = -Infinity;

  constructor({ bytesPerSecond, burstBytes, nowMs }: TokenBucketOptions) {
    this.#bytesPerMs = bytesPerSecond / 1_000;
    this.#burstMs = bytesPerSecond === Infinity ? 0 : burstBytes / this.#bytesPerMs;
    this.#nowMs = nowMs;
  }

  /** Reserves bytes. @returns when they have passed, in the time of `nowMs` */
  reserve(bytes: number): number {
    const nowMs = this.#nowMs();
    this.#busyUntilMs = Math.max(this.#busyUntilMs, nowMs - this.#burstMs) + bytes / this.#bytesPerMs;
    return Math.max(nowMs, this.#busyUntilMs);
  }
}
