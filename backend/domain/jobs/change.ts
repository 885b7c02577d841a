/**
 * The one way the status of a stored job is changed: compare and set, then published to the job's audience and webhooks.
 */
import type { UpdateQuery } from "mongoose";
import { FINDING_NAMES } from "../../../common/findings.ts";
import { isYouTubeLink } from "../../../common/hosts.ts";
import { isActive } from "../../../common/job.ts";
import type { Domain } from "../domain.ts";
import { changeJob, isEnded } from "./find-jobs.ts";
import type { EndedJob, JobDocument, StoredJob } from "./job-model.ts";
import { presentJob } from "./present.ts";
import { sourcesOf } from "./transitions.ts";
import { audienceOf } from "../accounts/viewer.ts";
import { announceEnd, hasListener } from "../webhooks/announce-end.ts";

/** One attempt of one job. Every write of a worker names it, so that a worker that lost the job changes nothing. */
export interface Fence {
  readonly _id: string;
  readonly attempt: number;
}

/** @returns a filter that matches the job as long as that attempt of it runs */
export function fencedBy(fence: Fence): object {
  return { _id: fence._id, attempt: fence.attempt, status: { $in: ["pending", "processing"] } };
}

/**
 * Moves a job to the status `to`, if that is legal from its present status and if it matches the condition.
 * @returns the job after the change; null when it did not match, and then nothing is changed
 */
export async function moveJob<Status extends StoredJob["status"]>(
  domain: Domain,
  condition: object,
  to: Status,
  update: UpdateQuery<JobDocument>,
): Promise<Extract<StoredJob, { status: Status }> | null> {
  const isEnd = !isActive(to);
  const updatedAt = new Date();
  const isAnnounced = (to === "completed" || to === "failed") && (await hasListener(domain, condition));
  const job = await changeJob(
    domain,
    { $and: [condition, { status: { $in: sourcesOf(to) } }] },
    {
      ...update,
      $set: {
        ...update.$set,
        status: to,
        updatedAt,
        ...(to === "queued" ? { queuedAt: updatedAt } : {}),
        ...(isAnnounced ? { announcedAfter: updatedAt } : {}),
      },
      ...(isEnd ? { $unset: { ...update.$unset, ...SLOT_FIELDS } } : {}),
    },
  );
  if (!job) return null;
  publishJob(domain, job);
  domain.journal.moved(job);
  if (isEnded(job)) publishEnd(domain, job);
  // The job has ended even if that could not be stored; the sweeper does it later.
  if (isAnnounced) await announceEnd(domain, job).catch(() => undefined);
  return job as Extract<StoredJob, { status: Status }>;
}

/** Publishes a job as it is now to all browsers that may see it, and to the feed that may have it. */
export function publishJob(domain: Domain, job: StoredJob): void {
  domain.bus.publish("job", { audience: audienceOf(job), job: presentJob(job) });
  if (job.status === "completed") publishFeed(domain, job);
}

/** Publishes that a completed job has come, changed or gone. */
export function publishFeed({ bus }: Domain, { userId }: StoredJob): void {
  if (userId !== null) bus.publish("feed:changed", { userId });
}

/** Publishes the end of a job to those who count ends. @param job as it is now */
export function publishEnd(domain: Domain, job: EndedJob): void {
  const isRepeat = job.status === "completed" && job.isRepeat === true;
  domain.bus.publish("job:ended", {
    format: job.format,
    outcome: job.status === "failed" ? job.error.code : job.status,
    isNewFromYouTube: !isRepeat && !job.cutOf && isYouTubeLink(job.sourceUrl),
    shortfall: job.status === "completed" ? job.shortfall?.reason : undefined,
  });
}

/** Fields that only an active job has. */
export const SLOT_FIELDS = { place: 1, network: 1, networkSlot: 1 } as const;

/** What is known only while a job is processing. */
export const PROGRESS_FIELDS = { stage: 1, etaSeconds: 1, bytesPerSecond: 1, earlyName: 1 } as const;

/** What an attempt has found out, and its end. */
export const FINDING_FIELDS = {
  error: 1,
  note: 1,
  resumesAt: 1,
  isCatchingUp: 1,
  videoKey: 1,
  chapters: 1,
  ...Object.fromEntries(FINDING_NAMES.map((name) => [name, 1] as const)),
} as const;

/** Fields that an attempt sets and that the next attempt must not inherit. */
export const WORK_FIELDS = {
  ...PROGRESS_FIELDS,
  ...FINDING_FIELDS,
  workerId: 1,
  leaseExpiresAt: 1,
  // Set before the attempt is completed: see referenceFile.
  fileKey: 1,
} as const;

/** What a job knows of its waits, until the visitor retries it. */
export const WAIT_FIELDS = { waitsSince: 1, refusedMs: 1, toolWaits: 1 } as const;

const { error: _error, ...butError } = WORK_FIELDS;
/** For a job that fails: the error is what it failed with. */
export const WORK_FIELDS_BUT_ERROR = butError;
