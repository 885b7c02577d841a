/** Cancels and removes jobs of a visitor. */
import { UserError } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import { moveJob, publishFeed, WORK_FIELDS } from "./change.ts";
import type { Domain } from "../domain.ts";
import { ACTIVE } from "./active-limit.ts";
import type { StoredJob } from "./job-model.ts";
import { releaseAfter } from "./files.ts";
import { countUsage } from "../accounts/usage.ts";
import { audienceOf, visibleTo, type Viewer } from "../accounts/viewer.ts";
import { getJob } from "./read-jobs.ts";

/**
 * Cancels an active job, or removes an ended one together with its file.
 * @param mustBeActive the visitor means to cancel, so a job that has just ended keeps its file
 * @returns the canceled job, or null when it was removed
 * @throws UserError not_found; conflict when the job's status has changed meanwhile
 */
export async function cancelOrRemove(
  domain: Domain,
  viewer: Viewer,
  id: string,
  mustBeActive = false,
): Promise<StoredJob | null> {
  const canceled = await cancelJob(domain, viewer, id);
  if (canceled) return canceled;
  const job = await getJob(domain, viewer, id);
  if (isActive(job.status)) throw new UserError("conflict");
  if (mustBeActive) throw UserError.because("conflict", "ended_before_cancel");
  await removeJob(domain, job);
  return null;
}

/** Cancels an active job of the viewer. @returns null when the viewer has no active job with this id */
export async function cancelJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob | null> {
  const canceled = await moveJob(domain, { _id: id, ...visibleTo(viewer) }, "canceled", { $unset: WORK_FIELDS });
  if (!canceled) return null;
  // The worker is told first, because its tools still run for this job.
  domain.bus.publish("job:stop", { id, attempt: canceled.attempt });
  await domain.tickets.remove(id);
  return canceled;
}

/**
 * Removes an ended job, and its files unless another job references them.
 * @throws UserError conflict when the job has changed meanwhile
 */
export async function removeJob(domain: Domain, job: StoredJob): Promise<void> {
  // Before the job is deleted, because usage is counted from its record.
  if (job.status === "completed") await countUsage(domain, job);
  await releaseAfter(domain, [job.fileKey, job.thumbnailKey], async () => {
    const { deletedCount } = await domain.jobs.deleteOne({
      _id: job._id,
      attempt: job.attempt,
      status: { $nin: ACTIVE },
    });
    if (deletedCount === 0) throw new UserError("conflict");
    domain.bus.publish("job:removed", { audience: audienceOf(job), id: job._id });
    publishFeed(domain, job);
  });
}
