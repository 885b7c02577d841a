import { doublingDelay } from "../../../common/doubling-delay.ts";

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** A timer for the next retry, whose delay doubles each time. */
export class BackOff {
  private readonly retry: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private count = 0;

  constructor(retry: () => void) {
    this.retry = retry;
  }

  /** Schedules a retry unless one is scheduled already. */
  schedule(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.count += 1;
        this.retry();
      },
      doublingDelay(this.count, FIRST_DELAY_MS, LONGEST_DELAY_MS),
    );
  }

  /** Starts again with the shortest delay; a scheduled retry keeps its time. */
  resetDelay(): void {
    this.count = 0;
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.resetDelay();
  }
}
