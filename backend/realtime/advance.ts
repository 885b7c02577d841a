/** What may follow the version of a job that browsers already have. */
import { isActive, type Job } from "../../common/job.ts";
import { compareJobs, compareStatus } from "../../common/merge.ts";

/**
 * Makes a version fit to be sent after another one: within an attempt neither status nor percentage
 * goes back, and a page that merges by `common/merge.ts` takes it for the newer one. A version read
 * from the database may have a new picture but an older percentage; it then gets the known percentage.
 * @param known the newest version sent so far
 * @returns what to send, or null when `next` is older than `known`
 */
export function advance(known: Job, next: Job): Job | null {
  const step = compareStatus(next, known);
  if (step < 0) return null;
  if (next.attempt > known.attempt) return next;
  const further = next.progress < known.progress ? withProgressOf(known, next) : next;
  if (step > 0) return further;
  // An ended job changes in the database only, where its time of change is set each time.
  if (!isActive(next.status))
    return next.progress <= known.progress && updatedMs(next) < updatedMs(known) ? null : further;
  if (updatedMs(further) > updatedMs(known) || compareJobs(further, known) === 0) return further;
  return { ...further, updatedAt: new Date(updatedMs(known) + 1).toISOString() };
}

/** The same version, as far as the other one is. */
function withProgressOf(known: Job, next: Job): Job {
  const { progress } = known;
  if (next.status !== "processing" || known.status !== "processing") return { ...next, progress };
  const { etaSeconds: _eta, bytesPerSecond: _speed, ...rest } = next;
  const { stage, etaSeconds, bytesPerSecond } = known;
  return {
    ...rest,
    progress,
    stage,
    ...(etaSeconds === undefined ? {} : { etaSeconds }),
    ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
  };
}

function updatedMs({ updatedAt }: Job): number {
  return Date.parse(updatedAt);
}
