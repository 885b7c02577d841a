/** Runs `onEnd` after a time that can be paused. */
export class PausableTimer {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startedMs = 0;
  private leftMs = 0;

  /** Sets the time without starting it. */
  reset(durationMs: number): void {
    this.stop();
    this.leftMs = durationMs;
  }

  /** Goes on with the rest of the time. Does nothing while it runs. */
  start(onEnd: () => void): void {
    if (this.timer !== undefined) return;
    this.startedMs = Date.now();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      onEnd();
    }, this.leftMs);
  }

  pause(): void {
    if (this.timer === undefined) return;
    this.stop();
    this.leftMs -= Date.now() - this.startedMs;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
