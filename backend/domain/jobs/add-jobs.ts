/** Adds jobs for links: checked, within the limits of their owner, each with a ticket. */
import { randomUUID } from "node:crypto";
import type { CreateConversion } from "../../../common/api.ts";
import type { Part } from "../../../common/choices.ts";
import { qualityFor, TIERS, type Tier } from "../../../common/tiers.ts";
import { toMilliseconds } from "../../../common/times.ts";
import { publishJob } from "./change.ts";
import type { Domain } from "../domain.ts";
import { freeJobSlots, readActiveJobs, releaseStaleSlots, requireCapacity, serializeByOwner } from "./active-limit.ts";
import type { CutSource, JobWithFile, QueuedJob, StoredJob } from "./job-model.ts";
import { canonicalLink } from "./link-policy.ts";
import { chooseNetworkSlots, requireQueueCapacity } from "./network-limit.ts";
import { findRepeated, requestMark, type RequestName } from "./repeated-request.ts";
import { addWithFileOf, findStoredRepeat } from "./stored-repeat.ts";
import { setFields } from "./set-fields.ts";
import { ticketOf } from "./ticket-of.ts";
import { isDuplicateKeyError, untilKeyIsFree } from "../database/duplicate-key.ts";
import { type Viewer } from "../accounts/viewer.ts";
import { subjectsOf } from "../blocks/subjects.ts";
import { conversionKeyOf, keyOfCut, keyOfRequest } from "./conversion-key.ts";
import { keyPartsOf, outputOf, requireQuality, type Output } from "./output.ts";

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
  const output = outputOf(input);
  const request =
    requestKey === undefined ? undefined : { key: requestKey, content: ["one", sourceUrl, ...keyPartsOf(output)] };
  const [job] = await addJobs(domain, viewer, [sourceUrl], output, { request });
  if (!job) throw new Error("addJobs returned no job for one link");
  return job;
}

export interface AddOptions {
  readonly batchId?: string | undefined;
  /** Given for a request that the browser may repeat: the second one makes no new jobs. */
  readonly request?: RequestName | undefined;
  /** Given for a cut: the job of the stored file that it is made of, and what the file is of its video. */
  readonly cut?: { readonly of: JobWithFile; readonly source: CutSource; readonly part: Part };
  /** Given for links that were chosen from a list. */
  readonly selected?: {
    /** Of the list. */
    readonly title: string;
    /** Links that were chosen. */
    readonly total: number;
    /** Position of the first link among them, from 0. */
    readonly first: number;
    /** Number of each chosen link in the album that the choices name. */
    readonly tracks?: readonly number[] | undefined;
  };
}

/**
 * @param position of the link among those that were chosen, from 0
 * @returns the output with the link's number in the album
 */
function withTrack(output: Output, tracks: readonly number[], position: number): Output {
  const { format, choices } = output;
  const track = tracks[position];
  if (!choices?.album || track === undefined) return output;
  return { format, choices: { ...choices, album: { ...choices.album, track } } };
}

/**
 * Adds jobs for checked links, each with a ticket.
 * @param links canonical links, in the order in which they should be converted
 * @throws UserError rate_limited when the viewer would have too many active jobs, network_busy, queue_full, conflict,
 *   unavailable_now
 */
export function addJobs(
  domain: Domain,
  viewer: Viewer,
  links: readonly string[],
  output: Output,
  options: AddOptions = {},
): Promise<StoredJob[]> {
  return serializeByOwner(domain, viewer, () =>
    untilKeyIsFree(() => tryToAddJobs(domain, viewer, links, output, options)),
  );
}

/** @returns null when another process took a slot or received the same request at the same moment: try again */
async function tryToAddJobs(
  domain: Domain,
  viewer: Viewer,
  links: readonly string[],
  output: Output,
  { batchId, request, selected, cut }: AddOptions,
): Promise<StoredJob[] | null> {
  const repeated = request ? await findRepeated(domain, viewer, request, links.length) : [];
  if (repeated.length > 0) return repeated;
  // The jobs of a batch belong together, and go by the queue.
  const single = batchId === undefined && links.length === 1 ? links[0] : undefined;
  const [active, withFile] = await Promise.all([
    readActiveJobs(domain, viewer),
    single === undefined ? null : findStored(domain, viewer, single, output, cut),
  ]);
  requireCapacity(domain, viewer, links.length, active.count);
  await requireQueueCapacity(domain, viewer.tier, links.length);
  const slots = freeJobSlots(viewer, active, links.length);
  const networkSlots = await chooseNetworkSlots(domain, viewer, viewer.tier, links.length);
  const now = new Date();
  const jobs = links.map((sourceUrl, index): QueuedJob => {
    const job = newJob(domain, viewer, {
      ...(selected?.tracks ? withTrack(output, selected.tracks, selected.first + index) : output),
      sourceUrl,
      priority: priorityOf(viewer, active.count + index),
      now,
    });
    // One millisecond apart, so that sorting by time gives the order of the lines.
    job.createdAt = new Date(now.getTime() + index);
    if (cut) Object.assign(job, fieldsOfCut(cut));
    // Left out when they are not set: null would count in the unique indexes.
    if (slots[index] !== undefined) job.place = slots[index];
    Object.assign(job, networkSlots[index]);
    if (batchId !== undefined) job.batchId = batchId;
    if (selected)
      Object.assign(job, {
        batchTitle: selected.title,
        batchTotal: selected.total,
        batchPosition: selected.first + index,
      } satisfies Partial<QueuedJob>);
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

/** @returns the job whose file answers the same request; for a cut also the same part that was made from the link */
async function findStored(
  domain: Domain,
  viewer: Viewer,
  sourceUrl: string,
  output: Output,
  cut: AddOptions["cut"],
): Promise<JobWithFile | null> {
  if (!cut) return findStoredRepeat(domain, keyOfRequest(domain, viewer, sourceUrl, output));
  const { quality, tier } = cut.of;
  const byLink = conversionKeyOf(domain, viewer, { sourceUrl, quality, tier, ...output });
  return (await findStoredRepeat(domain, byLink)) ?? findStoredRepeat(domain, keyOfCut(cut.source, cut.part));
}

/** @returns what is known of a cut before it is made */
function fieldsOfCut({ of, source, part }: NonNullable<AddOptions["cut"]>): Partial<QueuedJob> {
  const { quality, title, thumbnailKey, subjects } = of;
  return {
    cutOf: source,
    conversionKey: keyOfCut(source, part),
    quality,
    title,
    durationSeconds: toMilliseconds(part.endSeconds - part.startSeconds),
    ...setFields({ thumbnailKey, subjects }),
  };
}

/** @returns null when another process took a slot or received the same request at the same moment */
async function addToQueue(
  domain: Domain,
  viewer: Viewer,
  jobs: QueuedJob[],
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
  await Promise.all(jobs.map((job) => domain.tickets.enqueue(ticketOf(job))));
  return jobs;
}

export function newJob(
  domain: Domain,
  viewer: Viewer,
  { now, ...asked }: Output & Pick<StoredJob, "sourceUrl" | "priority"> & { readonly now: Date },
): QueuedJob {
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

/** @returns nothing for a viewer who did not call the API, because the database would store it as null */
export function askedBy({ call }: Viewer, at: Date): Pick<StoredJob, "call"> {
  return call === undefined ? {} : { call: { ...call, at } };
}

/**
 * Pro ranks before free. Within a tier the n-th active job of one owner ranks below the first job of another, so that
 * an owner with many jobs does not block the others.
 * @param activeBefore number of active jobs that the owner has before this one
 */
export function priorityOf({ tier }: { tier: Tier }, activeBefore: number): number {
  return TIERS[tier].priority - Math.min(activeBefore, TIERS.pro.priority - 1);
}
