const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** A timer for the next retry, whose delay doubles each time. */
export class BackOff {
  private readonly retry: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private delayMs = FIRST_DELAY_MS;

  constructor(retry: () => void) {
    this.retry = retry;
  }

  /** Schedules a retry unless one is scheduled already. */
  schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.delayMs = Math.min(this.delayMs * 2, LONGEST_DELAY_MS);
      this.retry();
    }, this.delayMs);
  }

  /** Starts again with the shortest delay; a scheduled retry keeps its time. */
  resetDelay(): void {
    this.delayMs = FIRST_DELAY_MS;
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.resetDelay();
  }
}
