/** Reads jobs of a visitor. A job of another owner is answered with not_found, as if it did not exist. */
import { UserError } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import type { Domain } from "../domain.ts";
import { ACTIVE } from "./active-limit.ts";
import { findJob, findJobs } from "./find-jobs.ts";
import type { JobWithFile, ProcessingJob, StoredJob } from "./job-model.ts";
import { hasFile } from "./present.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";

/** @returns the viewer's jobs, newest first: all active ones, and the newest of the others */
export async function listJobs(domain: Domain, viewer: Viewer): Promise<StoredJob[]> {
  const ownJobs = visibleTo(viewer);
  const sort = { createdAt: -1 } as const;
  const newest = await findJobs(domain, ownJobs, { sort, limit: domain.limits.listLength });
  if (newest.length < domain.limits.listLength) return newest;
  const newestIds = new Set(newest.map((job) => job._id));
  const active = await findJobs(domain, { ...ownJobs, status: { $in: ACTIVE } }, { sort });
  return [...newest, ...active.filter((job) => !newestIds.has(job._id))];
}

/** @throws UserError not_found */
export async function getJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob> {
  const job = await findJob(domain, { _id: id, ...visibleTo(viewer) });
  if (!job) throw new UserError("not_found");
  return job;
}

const NOT_READY = "This file is not ready yet. It can be downloaded once the conversion is far enough.";

/**
 * @returns a job whose file may be downloaded while it is made; null when the job is at another point
 * @throws UserError not_found; access_blocked
 */
export async function getEarlyJob(
  domain: Domain,
  viewer: Viewer,
  id: string,
): Promise<(ProcessingJob & { earlyName: string }) | null> {
  domain.blocks.requireViewer(viewer);
  const job = await getJob(domain, viewer, id);
  return job.status === "processing" && job.earlyName !== undefined ? { ...job, earlyName: job.earlyName } : null;
}

/**
 * @returns a completed job whose file can be downloaded
 * @throws UserError not_found, also when the file has expired; blocked when it was deleted because of that;
 *   access_blocked
 */
export async function getFinishedJob(domain: Domain, viewer: Viewer, id: string): Promise<JobWithFile> {
  domain.blocks.requireViewer(viewer);
  const job = await getJob(domain, viewer, id);
  if (isActive(job.status)) throw new UserError("not_found", NOT_READY);
  if (job.status === "completed" && job.isBlocked === true) throw new UserError("blocked");
  if (job.status !== "completed" || job.fileKey === undefined || !hasFile(job, Date.now()))
    throw UserError.because("not_found", "file_gone");
  return { ...job, fileKey: job.fileKey };
}
