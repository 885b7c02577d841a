/** What a visitor may do with jobs. A job of another owner is answered with not_found, as if it did not exist. */
import { createHash, randomUUID } from "node:crypto";
import type { CreateConversion } from "../../../common/api.ts";
import { chosen, type ConversionChoices } from "../../../common/choices.ts";
import { UserError } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import { CHAPTER_FILES_FOR_PRO, formatForProSentence } from "../../../common/reasons.ts";
import {
  isSameInAllTiers,
  qualityFor,
  tierAllows,
  tierConvertsTo,
  TIERS,
  type Format,
  type Quality,
  type Tier,
} from "../../../common/tiers.ts";
import { publishJob, moveJob, WAIT_FIELDS, WORK_FIELDS } from "./change.ts";
import type { Domain } from "../domain.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import {
  ACTIVE,
  freeSlots,
  readActiveJobs,
  releaseStaleSlots,
  requireCapacity,
  serializeByOwner,
} from "./active-limit.ts";
import type { StoredJob } from "./job-model.ts";
import { releaseAfter } from "./files.ts";
import { canonicalLink } from "./link-policy.ts";
import { hasFile } from "./present.ts";
import { chooseNetworkSlots, requireQueueRoom } from "./network-limit.ts";
import { findRepeated, requestMark, type RequestName } from "./repeated-request.ts";
import { addWithFileOf, findStoredRepeat } from "./stored-repeat.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import { countUsage } from "../accounts/usage.ts";
import { audienceOf, visibleTo, type Viewer } from "../accounts/viewer.ts";
import { subjectsOf } from "../blocks/subjects.ts";

/**
 * Queues a job for one link. A repeated request is answered with the job that it made the first time.
 * @param requestKey the browser's name for this request
 * @throws ConversionError when the link policy refuses the link, or its video is blocked
 * @throws UserError access_blocked; pro_required when the requested quality is above the tier's; rate_limited; network_busy;
 *   queue_full; conflict when the key was used for a different request
 */
export async function createConversion(
  domain: Domain,
  viewer: Viewer,
  input: CreateConversion,
  requestKey?: string,
): Promise<StoredJob> {
  domain.blocks.requireViewer(viewer);
  const sourceUrl = canonicalLink(input.youtubeUrl, domain.videoHosts);
  domain.blocks.requireLink(sourceUrl);
  requireQuality(viewer, input);
  const wanted = wantedOf(input);
  const request =
    requestKey === undefined ? undefined : { key: requestKey, content: ["one", sourceUrl, ...listed(wanted)] };
  const [job] = await addJobs(domain, viewer, [sourceUrl], wanted, { request });
  if (!job) throw new Error("addJobs returned no job for one link");
  return job;
}

/** What is made of a link. */
export type Wanted = Pick<StoredJob, "format" | "choices">;

/** What a request says of what it wants. */
interface WantedOf {
  readonly format: Format;
  readonly choices?: ConversionChoices | undefined;
}

/** @returns what a request asks for; empty choices are left out */
export function wantedOf(input: WantedOf): Wanted {
  const choices = chosen(input.choices ?? {});
  return choices ? { format: input.format, choices } : { format: input.format };
}

/** @returns the parts of a key that differ between different wishes; those without choices are as they always were */
export function listed({ format, choices }: Wanted): readonly unknown[] {
  return choices ? [format, choices] : [format];
}

/** @throws UserError pro_required when only Pro has the format or a choice */
export function requireTier({ tier }: Viewer, { format, choices }: WantedOf): void {
  if (choices?.chapterFiles === true && !TIERS[tier].hasChapterFiles)
    throw new UserError("pro_required", CHAPTER_FILES_FOR_PRO, { name: "chapter_files_for_pro" });
  if (tierConvertsTo(tier, format)) return;
  throw new UserError("pro_required", formatForProSentence(format.toUpperCase()), { name: "format_for_pro", format });
}

const NOTHING_CUT_OUT =
  "The original sound is copied as it is, so nothing can be cut out of it. Choose another format, or marks.";

/** @throws UserError pro_required, with what Pro allows; bad_request for what no plan has */
export function requireQuality(
  viewer: Viewer,
  { format, quality, choices }: WantedOf & { quality?: Quality | undefined },
): void {
  requireTier(viewer, { format, choices });
  if (format === "transcript" && choices?.chapterFiles === true)
    throw new UserError("bad_request", "A transcript is one file. Choose a part to have that of a chapter.");
  if (format === "transcript" && choices?.sponsored !== undefined)
    throw new UserError("bad_request", "A transcript has no marks for sponsored segments. Choose another format.");
  if (format === "original" && choices?.sponsored === "cut") throw new UserError("bad_request", NOTHING_CUT_OUT);
  if (quality === undefined || tierAllows(viewer.tier, format, quality)) return;
  const name = format.toUpperCase();
  const best = qualityFor("pro", format);
  if (!tierAllows("pro", format, quality))
    throw new UserError(
      "bad_request",
      isSameInAllTiers(format) ? `The quality of ${format} is always "${best}".` : `${name} comes in up to ${best}.`,
    );
  throw new UserError(
    "pro_required",
    `Pro converts ${name} up to ${best}; your plan up to ${qualityFor(viewer.tier, format)}.`,
  );
}

export interface AddOptions {
  readonly batchId?: string | undefined;
  /** Given for a request that the browser may repeat: the second one makes no new jobs. */
  readonly request?: RequestName | undefined;
  /** Given for links that were chosen from a list. */
  readonly selected?: {
    /** Of the list. */
    readonly title: string;
    /** Links that were chosen. */
    readonly total: number;
    /** Position of the first link among them, from 0. */
    readonly first: number;
  };
}

/**
 * Adds jobs for checked links, each with a ticket.
 * @param links canonical links, in the order in which they should be converted
 * @throws UserError rate_limited when the viewer would have too many active jobs, network_busy, queue_full, conflict
 */
export function addJobs(
  domain: Domain,
  viewer: Viewer,
  links: readonly string[],
  wanted: Wanted,
  options: AddOptions = {},
): Promise<StoredJob[]> {
  return serializeByOwner(domain, viewer, async () => {
    for (;;) {
      const jobs = await tryToAddJobs(domain, viewer, links, wanted, options);
      if (jobs) return jobs;
    }
  });
}

/** @returns null when another process took a slot or received the same request at the same moment: try again */
async function tryToAddJobs(
  domain: Domain,
  viewer: Viewer,
  links: readonly string[],
  wanted: Wanted,
  { batchId, request, selected }: AddOptions,
): Promise<StoredJob[] | null> {
  const repeated = request ? await findRepeated(domain, viewer, request, links.length) : [];
  if (repeated.length > 0) return repeated;
  // The jobs of a batch belong together, and go by the queue.
  const single = batchId === undefined && links.length === 1 ? links[0] : undefined;
  const [active, withFile] = await Promise.all([
    readActiveJobs(domain, viewer),
    single === undefined ? null : findStoredRepeat(domain, keyOfRequest(domain, viewer, single, wanted)),
  ]);
  requireCapacity(domain, viewer, links.length, active.count);
  await requireQueueRoom(domain, viewer.tier, links.length);
  const slots = freeSlots(viewer, active, links.length);
  const networkSlots = await chooseNetworkSlots(domain, viewer, viewer.tier, links.length);
  const now = new Date();
  const jobs = links.map((sourceUrl, index): StoredJob => {
    const job = newJob(domain, viewer, {
      ...wanted,
      sourceUrl,
      priority: priorityOf(viewer, active.count + index),
      now,
    });
    // One millisecond apart, so that sorting by time gives the order of the lines.
    job.createdAt = new Date(now.getTime() + index);
    // Left out when they are not set: null would count in the unique indexes.
    if (slots[index] !== undefined) job.place = slots[index];
    Object.assign(job, networkSlots[index]);
    if (batchId !== undefined) job.batchId = batchId;
    if (selected)
      Object.assign(job, {
        batchTitle: selected.title,
        batchTotal: selected.total,
        batchPosition: selected.first + index,
      } satisfies Partial<StoredJob>);
    if (request) Object.assign(job, requestMark(viewer, request, index));
    return job;
  });
  const [first] = jobs;
  if (first && withFile) {
    const added = await addWithFileOf(domain, first, withFile);
    return added && [added];
  }
  return addToQueue(domain, viewer, jobs, slots);
}

/** @returns null when another process took a slot or received the same request at the same moment */
async function addToQueue(
  domain: Domain,
  viewer: Viewer,
  jobs: StoredJob[],
  slots: readonly string[],
): Promise<StoredJob[] | null> {
  try {
    await domain.jobs.insertMany(jobs);
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    // None of the jobs has been published yet, so those that were inserted can be deleted.
    await domain.jobs.deleteMany({ _id: { $in: jobs.map(({ _id }) => _id) } });
    await releaseStaleSlots(domain, viewer, slots);
    return null;
  }
  for (const job of jobs) {
    publishJob(domain, job);
    domain.journal.moved(job);
  }
  // If the process dies between these two lines, the sweeper finds the jobs without a ticket.
  await Promise.all(jobs.map((job) => domain.tickets.enqueue({ jobId: job._id, priority: job.priority })));
  return jobs;
}

function newJob(
  domain: Domain,
  viewer: Viewer,
  { now, ...asked }: Wanted & Pick<StoredJob, "sourceUrl" | "priority"> & { readonly now: Date },
): StoredJob {
  const { sourceUrl, format } = asked;
  return {
    _id: randomUUID(),
    deviceId: viewer.deviceId,
    userId: viewer.userId,
    tier: viewer.tier,
    ...asked,
    conversionKey: keyOfRequest(domain, viewer, sourceUrl, asked),
    quality: qualityFor(viewer.tier, format),
    status: "queued",
    attempt: 1,
    finalAttempt: domain.limits.maxAttempts,
    progress: 0,
    title: sourceUrl,
    subjects: subjectsOf(sourceUrl),
    ...askedBy(viewer, now),
    queuedAt: now,
    createdAt: now,
    updatedAt: now,
  };
}

/** @returns the key of the conversion that a viewer's request for a link needs */
function keyOfRequest(domain: Domain, viewer: Viewer, sourceUrl: string, { format, choices }: Wanted): string {
  const { tier } = viewer;
  const quality = qualityFor(tier, format);
  return conversionKeyOf(domain, viewer, { sourceUrl, format, quality, tier, ...(choices ? { choices } : {}) });
}

/** @returns nothing for a viewer who did not call the API, because the database would store it as null */
function askedBy({ call }: Viewer, at: Date): Pick<StoredJob, "call"> {
  return call === undefined ? {} : { call: { ...call, at } };
}

/** @returns the viewer's jobs, newest first: all active ones, and the newest of the others */
export async function listJobs(domain: Domain, viewer: Viewer): Promise<StoredJob[]> {
  const ownJobs = visibleTo(viewer);
  const newest = await domain.jobs
    .find(ownJobs)
    .sort({ createdAt: -1 })
    .limit(domain.limits.listLength)
    .lean<StoredJob[]>();
  if (newest.length < domain.limits.listLength) return newest;
  const listed = new Set(newest.map((job) => job._id));
  const active = await domain.jobs
    .find({ ...ownJobs, status: { $in: ACTIVE } })
    .sort({ createdAt: -1 })
    .lean<StoredJob[]>();
  return [...newest, ...active.filter((job) => !listed.has(job._id))];
}

/** @throws UserError not_found */
export async function getJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob> {
  const job = await domain.jobs.findOne({ _id: id, ...visibleTo(viewer) }).lean<StoredJob>();
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
): Promise<(StoredJob & { earlyName: string }) | null> {
  domain.blocks.requireViewer(viewer);
  const job = await getJob(domain, viewer, id);
  const { earlyName, status } = job;
  return status === "processing" && earlyName !== undefined ? { ...job, earlyName } : null;
}

/**
 * @returns a completed job whose file can be downloaded
 * @throws UserError not_found, also when the file has expired; blocked when it was deleted because of that;
 *   access_blocked
 */
export async function getFinishedJob(
  domain: Domain,
  viewer: Viewer,
  id: string,
): Promise<StoredJob & { fileKey: string }> {
  domain.blocks.requireViewer(viewer);
  const job = await getJob(domain, viewer, id);
  if (job.isBlocked === true) throw new UserError("blocked");
  if (isActive(job.status)) throw new UserError("not_found", NOT_READY);
  if (job.status !== "completed" || job.fileKey === undefined || !hasFile(job, Date.now()))
    throw UserError.because("not_found", "file_gone");
  return { ...job, fileKey: job.fileKey };
}

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
  await countUsage(domain, job);
  await releaseAfter(domain, [job.fileKey, job.thumbnailKey], async () => {
    const { deletedCount } = await domain.jobs.deleteOne({ _id: job._id, attempt: job.attempt, status: job.status });
    if (deletedCount === 0) throw new UserError("conflict");
    domain.bus.publish("job:removed", { audience: audienceOf(job), id: job._id });
  });
}

/**
 * Queues a failed or canceled job again, with as many attempts as a new job has.
 * @throws UserError not_found; conflict when the job is neither failed nor canceled; pro_required when its format is not
 *   of the viewer's tier any more; rate_limited; network_busy; queue_full; access_blocked
 * @throws ConversionError blocked
 */
export async function retryJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob> {
  domain.blocks.requireViewer(viewer);
  const job = await getJob(domain, viewer, id);
  domain.blocks.requireSubjects(job.subjects ?? subjectsOf(job.sourceUrl));
  if (job.status !== "failed" && job.status !== "canceled") throw new UserError("conflict");
  requireTier(viewer, job);
  const [retried] = await retryJobs(domain, viewer, [job]);
  if (!retried) throw new UserError("conflict");
  return retried;
}

/**
 * Queues failed or canceled jobs again.
 * @returns the queued jobs; those that another request has queued meanwhile are left out
 * @throws UserError rate_limited, network_busy, queue_full when no job could be queued
 */
export function retryJobs(domain: Domain, viewer: Viewer, jobs: readonly StoredJob[]): Promise<StoredJob[]> {
  return serializeByOwner(domain, viewer, async () => {
    const active = await readActiveJobs(domain, viewer);
    requireCapacity(domain, viewer, jobs.length, active.count);
    await requireQueueRoom(domain, viewer.tier, jobs.length);
    const slots = freeSlots(viewer, active, jobs.length);
    const results = await Promise.allSettled(
      jobs.map((job, index) => retryInSlot(domain, viewer, job, active.count + index, slots[index])),
    );
    const retried = results.flatMap((result) => (result.status === "fulfilled" ? (result.value ?? []) : []));
    await Promise.all(retried.map((job) => domain.tickets.enqueue({ jobId: job._id, priority: job.priority })));
    const failed = results.find((result) => result.status === "rejected");
    // Some jobs may be queued although another process has taken the other slots.
    if (failed && (retried.length === 0 || !(failed.reason instanceof RateLimitedError))) throw failed.reason;
    return retried;
  });
}

/**
 * @param firstSlot tried first; another free slot is chosen when another process has taken it
 * @returns null when another request has queued the job meanwhile
 * @throws RateLimitedError when all slots are taken
 */
async function retryInSlot(
  domain: Domain,
  viewer: Viewer,
  job: StoredJob,
  activeBefore: number,
  firstSlot: string | undefined,
): Promise<StoredJob | null> {
  const upgraded = { ...job, ...upgradeTo(domain, viewer, job) };
  const { tier, quality, conversionKey } = upgraded;
  let slot = firstSlot;
  for (;;) {
    const [networkSlot] = await chooseNetworkSlots(domain, viewer, tier, 1);
    try {
      return await moveJob(domain, { _id: job._id, attempt: job.attempt }, "queued", {
        $set: {
          tier,
          quality,
          conversionKey,
          // Left out when there is none: null would count in the unique index.
          ...(slot === undefined ? {} : { place: slot }),
          ...networkSlot,
          ...askedBy(viewer, new Date()),
          attempt: job.attempt + 1,
          finalAttempt: job.attempt + domain.limits.maxAttempts,
          progress: 0,
          priority: priorityOf(upgraded, activeBefore),
        },
        $unset: { ...WORK_FIELDS, ...WAIT_FIELDS },
      });
    } catch (error) {
      if (!isDuplicateKeyError(error) || slot === undefined) throw error;
      await releaseStaleSlots(domain, viewer, [slot]);
      const active = await readActiveJobs(domain, viewer);
      requireCapacity(domain, viewer, 1, active.count);
      slot = freeSlots(viewer, active, 1)[0];
    }
  }
}

/**
 * A job keeps the tier it was created with, with one exception: a retry after an upgrade uses the new tier, because
 * the job may have failed at a limit of the old one. A downgrade changes nothing, except that a format of Pro is not
 * converted to again.
 * @returns the fields that change
 */
function upgradeTo(domain: Domain, viewer: Viewer, job: StoredJob): Partial<StoredJob> {
  const { tier } = viewer;
  if (TIERS[tier].priority <= TIERS[job.tier].priority) return {};
  const quality = qualityFor(tier, job.format);
  return { tier, quality, conversionKey: conversionKeyOf(domain, viewer, { ...job, quality, tier }) };
}

/**
 * Pro ranks before free. Within a tier the n-th active job of one owner ranks below the first job of another, so that
 * an owner with many jobs does not block the others.
 * @param activeBefore number of active jobs that the owner has before this one
 */
function priorityOf({ tier }: { tier: Tier }, activeBefore: number): number {
  return TIERS[tier].priority - Math.min(activeBefore, TIERS.pro.priority - 1);
}

/**
 * Jobs with equal keys share one conversion. An instant answer shows that the video was converted before, so without
 * `sharesFiles` the keys of different visitors differ.
 */
function conversionKeyOf(
  { limits }: Domain,
  { userId, deviceId }: Viewer,
  { sourceUrl, quality, tier, ...wanted }: Wanted & Pick<StoredJob, "sourceUrl" | "quality" | "tier">,
): string {
  const [format, ...choices] = listed(wanted);
  const request = [sourceUrl, format, quality, ...choices];
  // Where the quality does not tell the tier, its limits still differ: one may fail where the other does not.
  if (isSameInAllTiers(wanted.format)) request.push(tier);
  return createHash("sha256")
    .update(JSON.stringify(limits.sharesFiles ? request : [...request, userId ?? deviceId]))
    .digest("hex");
}
