/**
 * Pushes on their way to the page. Twenty jobs push a hundred times a second; bars flow from one
 * figure to the next by themselves, so ten drawings a second show the same and cost a tenth.
 */
import type { Job } from "../../../common/job.ts";

/** Half of the least time between two pushes about one job: no push of a job waits for its next one. */
export const DRAW_INTERVAL_MS = 100;
/** What else comes in the same moment is drawn with it. */
const MOMENT_MS = 16;

export interface Gathering {
  /** Progress waits for its turn; any other news is there at once. */
  add(job: Job): void;
  /** Forgets what has not been delivered yet. */
  drop(): void;
}

export function createGathering(deliver: (jobs: readonly Job[]) => void): Gathering {
  let gathered: Job[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueMs = Infinity;
  let deliveredMs = -Infinity;

  function take(): readonly Job[] {
    clearTimeout(timer);
    dueMs = Infinity;
    const all = gathered;
    gathered = [];
    return all;
  }

  return {
    add(job) {
      gathered.push(job);
      const nowMs = performance.now();
      const soonMs = nowMs + MOMENT_MS;
      const wantedMs = job.status === "processing" ? Math.max(soonMs, deliveredMs + DRAW_INTERVAL_MS) : soonMs;
      if (wantedMs >= dueMs) return;
      clearTimeout(timer);
      dueMs = wantedMs;
      timer = setTimeout(() => {
        deliveredMs = performance.now();
        deliver(take());
      }, wantedMs - nowMs);
    },
    drop() {
      take();
    },
  };
}
