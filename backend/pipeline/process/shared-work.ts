/**
 * Runs work once for several callers, keeps its result for a while, and aborts the work when the last caller has left.
 * Knows nothing about the work itself.
 */
import { abortable } from "../../../common/waiting.ts";

interface Entry<T> {
  readonly outcome: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
  isSettled: boolean;
  result?: T;
  /** Of the result. */
  bytes: number;
}

export interface SharedWorkOptions {
  /** How long a result is kept, unless its owner says it of each one. Failures are not kept. */
  readonly keepMs: number;
  /** Largest number of results kept; the oldest are dropped first. */
  readonly maxKept: number;
  /** Most memory of all kept results, as `bytesOf` estimates it; the oldest are dropped first. */
  readonly maxKeptBytes: number;
}

/** Work and results by key. */
export class SharedWork<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #options: SharedWorkOptions;
  readonly #bytesOf: (result: T) => number;
  readonly #keepMsOf: (result: T) => number;

  /**
   * @param bytesOf memory that a result takes
   * @param keepMsOf how long a result is kept, in milliseconds, where that differs between results
   */
  constructor(
    options: SharedWorkOptions,
    bytesOf: (result: T) => number,
    keepMsOf: (result: T) => number = () => options.keepMs,
  ) {
    this.#options = options;
    this.#bytesOf = bytesOf;
    this.#keepMsOf = keepMsOf;
  }

  /**
   * Returns the kept result of a key, joins the work that runs for it, or starts the work.
   * @param work its signal is aborted when the last caller has left
   * @throws what the work throws, `signal.reason` when the caller aborts
   */
  async share(key: string, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    // Before the work begins: nobody would wait for it, so nobody would end it.
    signal.throwIfAborted();
    return this.#await(key, this.#entries.get(key) ?? this.#begin(key, work), signal);
  }

  /** @returns the kept result of a key; undefined when it has none, or its work still runs */
  peek(key: string): T | undefined {
    return this.#entries.get(key)?.result;
  }

  /** Drops the result of a key for later callers; callers that wait for it still get it. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Drops all results for later callers, also those of running work. */
  forgetAll(): void {
    this.#entries.clear();
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
    const entry: Entry<T> = { outcome: work(abort.signal), abort, waiting: 0, isSettled: false, bytes: 0 };
    this.#entries.set(key, entry);
    const drop = (): void => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    entry.outcome.then(
      (result) => {
        entry.isSettled = true;
        entry.result = result;
        entry.bytes = this.#bytesOf(result);
        this.#dropAbove(this.#options.maxKeptBytes);
        setTimeout(drop, Math.max(0, this.#keepMsOf(result))).unref();
      },
      () => {
        entry.isSettled = true;
        drop();
      },
    );
    return entry;
  }

  #dropAbove(maxBytes: number): void {
    let total = 0;
    for (const { bytes } of this.#entries.values()) total += bytes;
    for (const [oldest, { isSettled, bytes }] of this.#entries) {
      if (total <= maxBytes) return;
      if (!isSettled) continue;
      this.#entries.delete(oldest);
      total -= bytes;
    }
  }

  async #await(key: string, entry: Entry<T>, signal: AbortSignal): Promise<T> {
    entry.waiting += 1;
    try {
      return await abortable(entry.outcome, signal);
    } finally {
      entry.waiting -= 1;
      if (entry.waiting === 0 && !entry.isSettled) {
        // No caller may join work that is being aborted.
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        entry.abort.abort(new Error("no caller waits for this work"));
      }
    }
  }
}
