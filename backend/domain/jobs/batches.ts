/** Batches: many links in one request. Each link is checked on its own, and the accepted ones become jobs together. */
import { randomUUID } from "node:crypto";
import type { CreateBatch, RefusedLine } from "../../../common/api.ts";
import { ConversionError, UserError } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Domain } from "../domain.ts";
import { readActiveJobs } from "./active-limit.ts";
import { findJobs } from "./find-jobs.ts";
import type { JobWithFile, StoredJob } from "./job-model.ts";
import { canonicalLinks } from "./link-policy.ts";
import { hasFile } from "./present.ts";
import { endSelectionOf } from "./selection-end.ts";
import { addJobs } from "./add-jobs.ts";
import { cancelJob } from "./end-jobs.ts";
import { keyPartsOf, outputOf, requireQuality, requireTier } from "./output.ts";
import { retryJobs } from "./retry-jobs.ts";
import { findTape } from "./tapes.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";

export interface CreatedBatch {
  readonly batchId: string;
  readonly jobs: StoredJob[];
  /** Lines that were not accepted. Blank lines are left out, but they count in the line numbers. */
  readonly refused: RefusedLine[];
}

/**
 * Queues a job for every accepted link. A repeated request is answered with the jobs that it made the first time.
 * @param requestKey the browser's name for this request
 * @throws UserError access_blocked; pro_required; bad_request for more links than the tier allows at once; invalid_link when no link
 *   is accepted; rate_limited; conflict when the key was used for a different request
 */
export async function createBatch(
  domain: Domain,
  viewer: Viewer,
  input: CreateBatch,
  requestKey?: string,
): Promise<CreatedBatch> {
  domain.blocks.requireViewer(viewer);
  const batchSize = requireBatches(viewer);
  requireQuality(viewer, input);
  const { links, refused } = checkLines(domain, input.urls, canonicalLinks);
  if (links.length > batchSize)
    throw new UserError("bad_request", `Pro users can process up to ${batchSize} URLs at once`, {
      name: "links_at_once",
      most: batchSize,
    });
  requireSomeLink(links);
  const batchId = randomUUID();
  const wanted = outputOf(input);
  const request =
    requestKey === undefined ? undefined : { key: requestKey, content: ["many", links, ...keyPartsOf(wanted)] };
  const jobs = await addJobs(domain, viewer, links, wanted, { batchId, request });
  // A repeated request gets the batch id of the first one.
  return { batchId: jobs[0]?.batchId ?? batchId, jobs, refused };
}

/**
 * @returns the most links in a batch of the viewer's plan
 * @throws UserError pro_required when the plan has no batches
 */
export function requireBatches({ tier }: Viewer): number {
  const { batchSize } = TIERS[tier];
  if (batchSize > 1) return batchSize;
  throw new UserError(
    "pro_required",
    `Pro converts up to ${TIERS.pro.batchSize} links at once; your plan one at a time.`,
    { name: "links_at_once", most: TIERS.pro.batchSize },
  );
}

/** @throws UserError invalid_link when there is none */
export function requireSomeLink(links: readonly string[]): void {
  if (links.length === 0) throw UserError.because("invalid_link", "no_valid_link");
}

/**
 * Checks each line on its own.
 * @param read reads a line, which may be a text with several links
 * @returns the accepted links in canonical form with the index of the line of each, and the other lines that are not
 *   blank
 */
export function checkLines(
  domain: Domain,
  urls: readonly string[],
  read: typeof canonicalLinks,
): { links: string[]; lines: number[]; refused: RefusedLine[] } {
  const links = new Map<string, number>();
  const refused: RefusedLine[] = [];
  const add = (link: string, line: number): void => {
    if (links.has(link)) throw UserError.because("conflict", "listed_twice");
    domain.blocks.requireLink(link);
    links.set(link, line);
  };
  for (const [index, url] of urls.entries()) {
    const orRefuse = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        if (!(error instanceof ConversionError || error instanceof UserError)) throw error;
        refused.push({ line: index + 1, url, code: error.code, message: error.message, reason: error.reason });
      }
    };
    if (url.trim() !== "")
      orRefuse(() => read(url, domain.videoHosts).forEach((link) => orRefuse(() => add(link, index))));
  }
  return { links: [...links.keys()], lines: [...links.values()], refused };
}

/**
 * @returns the batch's jobs, oldest first
 * @throws UserError not_found
 */
async function jobsOf(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  const jobs = await findJobs(domain, { batchId, ...visibleTo(viewer) }, { sort: { createdAt: 1 } });
  if (jobs.length === 0) throw new UserError("not_found", "That batch does not exist any more.");
  return jobs;
}

/**
 * Cancels the batch's active jobs, and queues no more of it.
 * @returns the canceled jobs
 * @throws UserError not_found
 */
export async function cancelBatch(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  const isEnded = await endSelectionOf(domain, viewer, batchId);
  const tape = await findTape(domain, batchId);
  if (tape) await cancelJob(domain, viewer, tape._id);
  const jobs = await jobsOf(domain, viewer, batchId).catch((error: unknown) => {
    // None of the selection's links has become a job yet.
    if (isEnded && error instanceof UserError) return [];
    throw error;
  });
  const active = jobs.filter((job) => isActive(job.status));
  // From the last to the first, because the queue would otherwise start jobs that are about to be canceled.
  const canceled = await Promise.all(active.toReversed().map((job) => cancelJob(domain, viewer, job._id)));
  return canceled.filter((job) => job !== null).toReversed();
}

/**
 * Retries the batch's failed and canceled jobs, as many as may be active at a time, the oldest first.
 * @returns the jobs that were queued again; those that are blocked are left out
 * @throws UserError not_found; pro_required when their format is not of the viewer's tier any more; rate_limited;
 *   access_blocked
 */
export async function retryBatch(domain: Domain, viewer: Viewer, batchId: string): Promise<StoredJob[]> {
  domain.blocks.requireViewer(viewer);
  const ended = (await jobsOf(domain, viewer, batchId)).filter(
    (job) => (job.status === "failed" || job.status === "canceled") && domain.blocks.refusalOf(job) === undefined,
  );
  for (const job of ended) requireTier(viewer, job);
  // What was chosen from a list may be more than may be active at a time.
  const { count } = await readActiveJobs(domain, viewer);
  const free = Math.max(1, domain.limits.activeJobs[viewer.tier] - count);
  return retryJobs(domain, viewer, ended.slice(0, free));
}

/**
 * @returns the batch's completed jobs, for a download of all their files
 * @throws UserError not_found, also when none of the files is available any more; access_blocked
 */
export async function getFinishedBatch(domain: Domain, viewer: Viewer, batchId: string): Promise<JobWithFile[]> {
  domain.blocks.requireViewer(viewer);
  const jobs = await jobsOf(domain, viewer, batchId);
  const completed = jobs.flatMap((job) =>
    job.status === "completed" && job.fileKey !== undefined ? [{ ...job, fileKey: job.fileKey }] : [],
  );
  if (!completed.some((job) => hasFile(job, Date.now())))
    throw new UserError("not_found", "There is no file to download in this batch.");
  return completed;
}
