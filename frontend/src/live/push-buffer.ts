/**
 * Collects pushed jobs and delivers them together. Twenty jobs push a hundred times a second in total;
 * progress bars animate from one value to the next, so ten renders a second look the same and cost a tenth.
 */
import type { Job } from "../../../common/job.ts";

/** Half of the shortest time between two pushes about one job, so that each is delivered before the next arrives. */
export const RENDER_INTERVAL_MS = 100;
/** Pushes that arrive within one frame are delivered together. */
const FRAME_MS = 16;

export class PushBuffer {
  private readonly deliver: (jobs: readonly Job[]) => void;
  private buffered: Job[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dueMs = Infinity;
  private deliveredMs = -Infinity;

  constructor(deliver: (jobs: readonly Job[]) => void) {
    this.deliver = deliver;
  }

  /** Adds a job. Progress is delivered every {@link RENDER_INTERVAL_MS}, any other status within one frame. */
  add(job: Job): void {
    this.buffered.push(job);
    const nowMs = performance.now();
    const frameEndMs = nowMs + FRAME_MS;
    const dueMs =
      job.status === "processing" ? Math.max(frameEndMs, this.deliveredMs + RENDER_INTERVAL_MS) : frameEndMs;
    if (dueMs >= this.dueMs) return;
    clearTimeout(this.timer);
    this.dueMs = dueMs;
    this.timer = setTimeout(() => this.flush(), dueMs - nowMs);
  }

  /** Drops all jobs that are not delivered yet. */
  clear(): void {
    clearTimeout(this.timer);
    this.dueMs = Infinity;
    this.buffered = [];
  }

  private flush(): void {
    const jobs = this.buffered;
    this.clear();
    this.deliveredMs = performance.now();
    this.deliver(jobs);
  }
}
