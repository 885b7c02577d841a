/** Many links at once: each is judged on its own, and those that are good start together. */
import { randomUUID } from "node:crypto";
import type { CreateBatch, RefusedLine } from "../../../common/api.ts";
import { ConversionError, UserError } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Domain } from "../domain.ts";
import type { StoredJob } from "./job-model.ts";
import { judgeLink } from "./link-policy.ts";
import { hasFile } from "./present.ts";
import { addJobs, cancelJob, requireQuality, retryJobs } from "./requests.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";

const NONE_VALID = "Please enter at least one valid YouTube URL";
const SINGLE = 1;

export interface CreatedBatch {
  readonly batchId: string;
  readonly jobs: StoredJob[];
  /** Lines that were not taken; blank ones are no lines, but they count in the numbering. */
  readonly refused: RefusedLine[];
}

/**
 * Puts every good link into the queue; the same request sent again is answered with the jobs it made.
 * @throws UserError pro_required, bad_request for more good links than the tier takes at once,
 *   invalid_link when there is none, rate_limited, conflict when the key was used for something else
 */
export async function createBatch(
  domain: Domain,
  viewer: Viewer,
  input: CreateBatch,
  requestKey?: string,
): Promise<CreatedBatch> {
  const { batchSize } = TIERS[viewer.tier];
  if (batchSize <= SINGLE)
    throw new UserError(
      "pro_required",
      `Pro converts up to ${TIERS.pro.batchSize} links at once; your plan one at a time.`,
    );
  requireQuality(viewer, input);
  const { links, refused } = judgeLines(domain, input.urls);
  if (links.length > batchSize)
    throw new UserError("bad_request", `Pro users can process up to ${batchSize} URLs at once`);
  if (links.length === 0) throw new UserError("invalid_link", NONE_VALID);
  const batchId = randomUUID();
  const jobs = await addJobs(domain, viewer, links, input.format, {
    batchId,
    ...(requestKey === undefined ? {} : { request: { key: requestKey, content: ["many", links, input.format] } }),
  });
  // Another one when the same request made it before.
  return { batchId: jobs[0]?.batchId ?? batchId, jobs, refused };
}

function judgeLines(domain: Domain, urls: readonly string[]): { links: string[]; refused: RefusedLine[] } {
  const links = new Set<string>();
  const refused: RefusedLine[] = [];
  for (const [index, url] of urls.entries()) {
    if (url.trim() === "") continue;
    try {
      const link = judgeLink(url, domain.videoHosts);
      if (links.has(link)) throw new UserError("conflict", "This link is in the list twice");
      links.add(link);
    } catch (error) {
      if (!(error instanceof ConversionError || error instanceof UserError)) throw error;
      refused.push({ line: index + 1, url, code: error.code, message: error.message });
    }
  }
  return { links: [...links], refused };
}

/** The batch's jobs, oldest first. @throws UserError not_found */
async function jobsOf(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  const jobs = await domain.jobs
    .find({ batchId, ...visibleTo(viewer) })
    .sort({ createdAt: 1 })
    .lean<StoredJob[]>();
  if (jobs.length === 0) throw new UserError("not_found", "That batch does not exist any more.");
  return jobs;
}

/** Stops what has not ended. @returns the jobs that were stopped @throws UserError not_found */
export async function cancelBatch(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  const active = (await jobsOf(domain, viewer, batchId)).filter((job) => isActive(job.status));
  // The last first, or the queue would hand out those that are about to be stopped.
  const canceled = await Promise.all(active.toReversed().map((job) => cancelJob(domain, viewer, job._id)));
  return canceled.filter((job) => job !== null).toReversed();
}

/**
 * Starts what failed or was canceled over. @returns the jobs that start over @throws UserError not_found, rate_limited
 */
export async function retryBatch(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  const ended = (await jobsOf(domain, viewer, batchId)).filter(
    (job) => job.status === "failed" || job.status === "canceled",
  );
  return retryJobs(domain, viewer, ended);
}

/** The jobs whose files can be had, for whoever wants them all. @throws UserError not_found, also when there is none */
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
