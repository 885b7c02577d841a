/**
 * Pauses between the requests of one conversion, for which a site asks with 429, or with 503 and `Retry-After`. All
 * requests of the conversion wait together, because the site counts them together.
 */
import { abortable } from "../../../common/waiting.ts";
import { doublingDelay } from "../../../common/doubling-delay.ts";
import { TooManyRequests } from "../errors/site-refusal.ts";

/** Pause after the first answer without `Retry-After`; it doubles with each further one in a row. */
const FIRST_PAUSE_MS = 1_000;
/** By default. */
const RETRY_PAUSE_MS = 200;

export interface RequestPausesOptions {
  /** All pauses in a row, without a request between them that succeeds. */
  readonly maxMs: number;
  /** Pause before a request is sent again whose connection broke. */
  readonly retryMs?: number;
  /** @param untilMs when requests go on, in milliseconds since 1970; null when they go on */
  readonly onPause?: (untilMs: number | null) => void;
  /** @returns 0 to 1 */
  readonly random?: () => number;
}

interface Pause {
  readonly startMs: number;
  untilMs: number;
  readonly end: PromiseWithResolvers<void>;
}

function beginPause(startMs: number, untilMs: number): Pause {
  return { startMs, untilMs, end: Promise.withResolvers() };
}

/** Disposing of it ends a pause without a call of `onPause`. */
export class RequestPauses implements Disposable {
  readonly #options: RequestPausesOptions;
  readonly retryMs: number;
  /** Pauses so far. */
  #number = 0;
  /** Pauses in a row without a request that succeeds, and the length of those that have ended. */
  #inARow = 0;
  #pastMs = 0;
  #current: Pause | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RequestPausesOptions) {
    this.#options = options;
    this.retryMs = options.retryMs ?? RETRY_PAUSE_MS;
  }

  /** Whether requests wait now. */
  get isPaused(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Sends a request, and again after each pause that the site asks for.
   * @param request throws TooManyRequests when the site asks for a pause
   * @throws TooManyRequests when the pauses would be longer than allowed; with the time to wait if the site says one
   * @throws what the request throws, `signal.reason` when aborted
   */
  async run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      // Another request may have begun a new pause by the time this one continues.
      while (this.#current) await abortable(this.#current.end.promise, signal);
      const numberBefore = this.#number;
      try {
        const result = await request();
        this.#inARow = 0;
        this.#pastMs = 0;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TooManyRequests)) throw error;
        // Requests that were under way when a pause began get the same answer; it is one pause for all of them.
        const isSame = this.#number !== numberBefore;
        if (isSame) this.#extend(error, error.retryAfterMs ?? 0);
        else {
          const pauseMs = this.#pauseMs(error.retryAfterMs);
          this.#number += 1;
          this.#inARow += 1;
          this.#extend(error, pauseMs);
        }
      }
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#current?.end.resolve();
    this.#current = undefined;
  }

  /** A site that asks again and again is asked less often than it says. */
  #pauseMs(askedMs: number | undefined): number {
    const { random = Math.random } = this.#options;
    const backOffMs = doublingDelay(this.#inARow, FIRST_PAUSE_MS) * (1 + random() / 2);
    return this.#inARow === 0 && askedMs !== undefined ? askedMs : Math.max(askedMs ?? 0, backOffMs);
  }

  /** Begins a pause, or makes the current one longer. */
  #extend(error: TooManyRequests, pauseMs: number): void {
    const nowMs = Date.now();
    const { startMs = nowMs, untilMs: currentMs = nowMs } = this.#current ?? {};
    const untilMs = nowMs + pauseMs;
    if (untilMs <= currentMs) return;
    if (this.#pastMs + untilMs - startMs > this.#options.maxMs)
      throw error.retryAfterMs === undefined ? error : error.withRetryAfter(pauseMs);
    if (this.#current) this.#current.untilMs = untilMs;
    else this.#current = beginPause(startMs, untilMs);
    this.#options.onPause?.(untilMs);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), pauseMs);
  }

  #end(): void {
    const current = this.#current;
    if (!current) return;
    this.#pastMs += current.untilMs - current.startMs;
    this.#current = undefined;
    this.#options.onPause?.(null);
    current.end.resolve();
  }
}
