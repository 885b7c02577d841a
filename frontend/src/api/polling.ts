import { withTimeout } from "./with-timeout.ts";

export interface Polling {
  readonly isRunning: boolean;
  /** Polls at once and then in every interval. Resolves when the first poll has succeeded or failed. */
  start(): Promise<void>;
  /** Stops the interval and aborts a poll in progress. */
  stop(): void;
  /** Polls at once if polling is started and no poll is in progress. */
  now(): Promise<void>;
}

export interface PollingOptions {
  /** One poll. May reject: polling continues. */
  readonly poll: (signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly intervalMs: number;
  /** A poll is aborted after this time, because a dead network would block all later ones. */
  readonly timeoutMs: number;
}

/** Calls `poll` in an interval, never twice at the same time. */
export function createPolling({ poll, onError, intervalMs, timeoutMs }: PollingOptions): Polling {
  let timer: ReturnType<typeof setInterval> | null = null;
  let current: AbortController | null = null;

  async function pollNow(): Promise<void> {
    if (timer === null || current !== null) return;
    const controller = new AbortController();
    current = controller;
    try {
      await poll(withTimeout(controller.signal, timeoutMs));
    } catch (error) {
      if (!controller.signal.aborted) onError(error);
    } finally {
      if (current === controller) current = null;
    }
  }

  return {
    get isRunning() {
      return timer !== null;
    },
    start() {
      timer ??= setInterval(() => void pollNow(), intervalMs);
      return pollNow();
    },
    stop() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      current?.abort();
      current = null;
    },
    now: pollNow,
  };
}
