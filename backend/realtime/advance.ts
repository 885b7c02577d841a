/** Decides which version of a job may be sent after the one that browsers already have. */
import { isActive, type Job } from "../../common/job.ts";
import { compareJobs, compareStatus } from "../../common/merge.ts";

/** Versions to compare others with are kept of the jobs that changed last. */
export const KEPT_JOBS = { keptMs: 60 * 60 * 1_000, maxSize: 10_000 } as const;

/**
 * Adapts a version so that it can be sent after another one: within an attempt neither status nor percentage goes back,
 * and a page that merges by `common/merge.ts` takes it as the newer one. A version read from the database may have a
 * new picture but an older percentage; it then gets the known percentage.
 *
 * @param known the newest version sent so far
 * @param next the version to send
 * @returns the version to send instead of `next`, or null if `next` is older than `known`
 */
export function advance(known: Job, next: Job): Job | null {
  const statusOrder = compareStatus(next, known);
  if (statusOrder < 0) return null;
  if (next.attempt > known.attempt) return next;
  const adapted = next.progress < known.progress ? withProgressOf(known, next) : next;
  if (statusOrder > 0) return adapted;
  // An ended job changes in the database only, which sets a new time of change each time.
  if (!isActive(next.status))
    return next.progress <= known.progress && updatedMs(next) < updatedMs(known) ? null : adapted;
  if (updatedMs(adapted) > updatedMs(known) || compareJobs(adapted, known) === 0) return adapted;
  return { ...adapted, updatedAt: new Date(updatedMs(known) + 1).toISOString() };
}

/** @returns `next` with the progress of `known` */
function withProgressOf(known: Job, next: Job): Job {
  const { progress } = known;
  if (next.status !== "processing" || known.status !== "processing") return { ...next, progress };
  const { stage, etaSeconds, bytesPerSecond } = known;
  return { ...next, progress, stage, etaSeconds, bytesPerSecond };
}

function updatedMs({ updatedAt }: Job): number {
  return Date.parse(updatedAt);
}
