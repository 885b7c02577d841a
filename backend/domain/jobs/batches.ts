/** Batches: many links in one request. Each link is checked on its own, and the accepted ones become jobs together. */
import { randomUUID } from "node:crypto";
import type { CreateBatch, RefusedLine } from "../../../common/api.ts";
import { ConversionError, UserError } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Domain } from "../domain.ts";
import type { StoredJob } from "./job-model.ts";
import { canonicalLink } from "./link-policy.ts";
import { hasFile } from "./present.ts";
import { addJobs, cancelJob, requireQuality, retryJobs } from "./requests.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";

const NO_VALID_LINK = "Please enter at least one valid YouTube URL";

export interface CreatedBatch {
  readonly batchId: string;
  readonly jobs: StoredJob[];
  /** Lines that were not accepted. Blank lines are left out, but they count in the line numbers. */
  readonly refused: RefusedLine[];
}

/**
 * Queues a job for every accepted link. A repeated request is answered with the jobs that it made the first time.
 * @param requestKey the browser's name for this request
 * @throws UserError pro_required; bad_request for more links than the tier allows at once; invalid_link when no link
 *   is accepted; rate_limited; conflict when the key was used for a different request
 */
export async function createBatch(
  domain: Domain,
  viewer: Viewer,
  input: CreateBatch,
  requestKey?: string,
): Promise<CreatedBatch> {
  const { batchSize } = TIERS[viewer.tier];
  if (batchSize <= 1)
    throw new UserError(
      "pro_required",
      `Pro converts up to ${TIERS.pro.batchSize} links at once; your plan one at a time.`,
    );
  requireQuality(viewer, input);
  const { links, refused } = checkLines(domain, input.urls);
  if (links.length > batchSize)
    throw new UserError("bad_request", `Pro users can process up to ${batchSize} URLs at once`);
  if (links.length === 0) throw new UserError("invalid_link", NO_VALID_LINK);
  const batchId = randomUUID();
  const request = requestKey === undefined ? undefined : { key: requestKey, content: ["many", links, input.format] };
  const jobs = await addJobs(domain, viewer, links, input.format, { batchId, request });
  // A repeated request gets the batch id of the first one.
  return { batchId: jobs[0]?.batchId ?? batchId, jobs, refused };
}

function checkLines(domain: Domain, urls: readonly string[]): { links: string[]; refused: RefusedLine[] } {
  const links = new Set<string>();
  const refused: RefusedLine[] = [];
  for (const [index, url] of urls.entries()) {
    if (url.trim() === "") continue;
    try {
      const link = canonicalLink(url, domain.videoHosts);
      if (links.has(link)) throw new UserError("conflict", "This link is in the list twice");
      links.add(link);
    } catch (error) {
      if (!(error instanceof ConversionError || error instanceof UserError)) throw error;
      refused.push({ line: index + 1, url, code: error.code, message: error.message });
    }
  }
  return { links: [...links], refused };
}

/**
 * @returns the batch's jobs, oldest first
 * @throws UserError not_found
 */
async function jobsOf(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  const jobs = await domain.jobs
    .find({ batchId, ...visibleTo(viewer) })
    .sort({ createdAt: 1 })
    .lean<StoredJob[]>();
  if (jobs.length === 0) throw new UserError("not_found", "That batch does not exist any more.");
  return jobs;
}

/**
 * Cancels the batch's active jobs.
 * @returns the canceled jobs
 * @throws UserError not_found
 */
export async function cancelBatch(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  const active = (await jobsOf(domain, viewer, batchId)).filter((job) => isActive(job.status));
  // From the last to the first, because the queue would otherwise start jobs that are about to be canceled.
  const canceled = await Promise.all(active.toReversed().map((job) => cancelJob(domain, viewer, job._id)));
  return canceled.filter((job) => job !== null).toReversed();
}

/**
 * Retries the batch's failed and canceled jobs.
 * @returns the jobs that were queued again
 * @throws UserError not_found, rate_limited
 */
export async function retryBatch(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  const ended = (await jobsOf(domain, viewer, batchId)).filter(
    (job) => job.status === "failed" || job.status === "canceled",
  );
  return retryJobs(domain, viewer, ended);
}

/**
 * @returns the batch's completed jobs, for a download of all their files
 * @throws UserError not_found, also when none of the files is available any more
 */
export async function getFinishedBatch(
  domain: Domain,
  viewer: Viewer,
  batchId: string,
): Promise<(StoredJob & { fileKey: string })[]> {
  const jobs = await jobsOf(domain, viewer, batchId);
  const completed = jobs.flatMap((job) =>
    job.status === "completed" && job.fileKey !== undefined ? [{ ...job, fileKey: job.fileKey }] : [],
  );
  if (!completed.some((job) => hasFile(job, Date.now())))
    throw new UserError("not_found", "There is no file to download in this batch.");
  return completed;
}
