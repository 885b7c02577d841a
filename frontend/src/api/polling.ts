/** A clock that asks again and again while it is needed, whatever happens to a single question. */

export interface Polling {
  readonly isRunning: boolean;
  /** Asks at once, then on every tick. Resolves when the first question has ended, well or badly. */
  start(): Promise<void>;
  /** Stops the clock and gives up a question under way. */
  stop(): void;
  /** Asks once more at once if the clock is running and nothing is being asked. */
  now(): Promise<void>;
}

export interface PollingOptions {
  /** One question. May reject: the clock goes on. */
  readonly poll: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly intervalMs: number;
  /** A question without an answer for this long is given up, or a dead network would end the polling. */
  readonly timeoutMs: number;
}

export function createPolling({ poll, onError, intervalMs, timeoutMs }: PollingOptions): Polling {
  let clock: ReturnType<typeof setInterval> | null = null;
  let asking: AbortController | null = null;

  async function ask(): Promise<void> {
    if (clock === null || asking !== null) return;
    const question = new AbortController();
    asking = question;
    try {
      await poll(AbortSignal.any([question.signal, AbortSignal.timeout(timeoutMs)]));
    } catch (error) {
      if (!question.signal.aborted) onError(error);
    } finally {
      if (asking === question) asking = null;
    }
  }

  return {
    get isRunning() {
      return clock !== null;
    },
    start() {
      clock ??= setInterval(() => void ask(), intervalMs);
      return ask();
    },
    stop() {
      if (clock !== null) clearInterval(clock);
      clock = null;
      asking?.abort();
      asking = null;
    },
    now: ask,
  };
}
