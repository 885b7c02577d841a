/**
 * Work that several callers want the outcome of: done once, kept for a while, and given up when
 * nobody waits for it any more. It knows nothing of what the work is.
 */

interface Entry<T> {
  readonly outcome: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
  isSettled: boolean;
}

export interface SharedWorkOptions {
  /** A success is kept for this long; a failure not at all. */
  readonly keepMs: number;
  /** Most outcomes kept; the oldest go first. */
  readonly maxKept: number;
}

export class SharedWork<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #options: SharedWorkOptions;

  constructor(options: SharedWorkOptions) {
    this.#options = options;
  }

  /**
   * The outcome under this key: kept, under way, or begun now. The work's own signal fires when the
   * last caller's has. Rejects with what the work throws, or with `signal.reason`.
   */
  share(key: string, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#await(key, this.#entries.get(key) ?? this.#begin(key, work), signal);
  }

  /** The same, beginning nothing: undefined when there is neither outcome nor work under this key. */
  find(key: string, signal: AbortSignal): Promise<T> | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#await(key, entry, signal);
  }

  /** Whoever comes next does not get this outcome; those who wait for it still do. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Ends all that is under way and forgets everything. */
  stop(): void {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const { abort } of entries) abort.abort(new Error("stopping"));
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Entry<T> {
    for (const [oldest, { isSettled }] of this.#entries) {
      if (this.#entries.size < this.#options.maxKept) break;
      if (isSettled) this.#entries.delete(oldest);
    }
    const abort = new AbortController();
    const entry: Entry<T> = { outcome: work(abort.signal), abort, waiting: 0, isSettled: false };
    this.#entries.set(key, entry);
    const drop = (): void => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    entry.outcome.then(
      () => {
        entry.isSettled = true;
        setTimeout(drop, this.#options.keepMs).unref();
      },
      () => {
        entry.isSettled = true;
        drop();
      },
    );
    return entry;
  }

  async #await(key: string, entry: Entry<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const gone = Promise.withResolvers<never>();
    const onAbort = (): void => gone.reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    entry.waiting += 1;
    try {
      return await Promise.race([entry.outcome, gone.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      entry.waiting -= 1;
      if (entry.waiting === 0 && !entry.isSettled) {
        // From here on nobody can join: the work is being torn down.
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        entry.abort.abort(new Error("nobody waits for this any more"));
      }
    }
  }
}
