/**
 * Runs work once for several callers, keeps its result for a while, and aborts the work when the last caller has left.
 * Knows nothing about the work itself.
 */

interface Entry<T> {
  readonly outcome: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
  isSettled: boolean;
}

export interface SharedWorkOptions {
  /** How long a result is kept. Failures are not kept. */
  readonly keepMs: number;
  /** Largest number of results kept; the oldest are dropped first. */
  readonly maxKept: number;
}

/** Work and results by key. */
export class SharedWork<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #options: SharedWorkOptions;

  constructor(options: SharedWorkOptions) {
    this.#options = options;
  }

  /**
   * Returns the kept result of a key, joins the work that runs for it, or starts the work.
   * @param work its signal is aborted when the last caller has left
   * @throws what the work throws, `signal.reason` when the caller aborts
   */
  share(key: string, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#await(key, this.#entries.get(key) ?? this.#begin(key, work), signal);
  }

  /** Like `share`, but starts no work. @returns undefined when the key has neither a result nor running work */
  find(key: string, signal: AbortSignal): Promise<T> | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#await(key, entry, signal);
  }

  /** Drops the result of a key for later callers; callers that wait for it still get it. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Aborts all running work and drops all results. */
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
        // No caller may join work that is being aborted.
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        entry.abort.abort(new Error("no caller waits for this work"));
      }
    }
  }
}
