/**
 * Writes the messages about jobs that have ended. Each webhook gets at least one message of each end, even after a
 * crash: the change that ends the job also marks it, and the mark is removed when the messages are stored. The sweeper
 * writes those of jobs that still have the mark; this writes no second message, because its id is made from the job.
 * A job that was retried or removed in the seconds after a crash gets no message of its earlier end.
 */
import { TIERS } from "../../../common/tiers.ts";
import type { JobMessage } from "../../../common/webhook-calls.ts";
import type { StoredUser } from "../accounts/user-model.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import type { Domain } from "../domain.ts";
import { findJobs } from "../jobs/find-jobs.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { presentJob } from "../jobs/present.ts";
import { disableWebhook } from "./disable-webhook.ts";
import { deliveryOf, type StoredDelivery, type StoredWebhook } from "./webhook-model.ts";

/** A job that has its mark for longer than this was left by a crash. */
const LOST_MS = 30_000;
const JOBS_PER_SWEEP = 100;
/** A program that leaves so many messages waiting takes none, or too few. */
const MAX_WAITING = 1_000;

/**
 * @param condition matches the job that is about to end
 * @returns whether its user has a webhook that wants to know
 */
export async function hasListener(domain: Domain, condition: object): Promise<boolean> {
  const job = await domain.jobs.findOne(condition, { userId: 1 }).lean<Pick<StoredJob, "userId">>();
  return job !== null && (await userListens(domain, job.userId));
}

/** @returns whether the user has a webhook that wants to know of ends */
export async function userListens(domain: Domain, userId: string | null): Promise<boolean> {
  if (userId === null) return false;
  return (await domain.webhookRecords.webhooks.exists({ userId, disabledReason: null })) !== null;
}

/** Stores the messages about a marked job, queues them, and removes the mark. Can be repeated. */
export async function announceEnd(domain: Domain, job: StoredJob): Promise<void> {
  if (job.status === "completed" || job.status === "failed")
    await Promise.all((await findListeners(domain, job.userId)).map((webhook) => addMessage(domain, webhook, job)));
  // With its time, because the job may have ended once more meanwhile.
  await domain.jobs.updateOne({ _id: job._id, announcedAfter: job.announcedAfter }, { $unset: { announcedAfter: 1 } });
}

/**
 * Writes the messages that a crash has left unwritten.
 * @returns number of jobs
 */
export async function announceMissedEnds(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - LOST_MS);
  const missed = await findJobs(domain, { announcedAfter: { $lte: before } }, { limit: JOBS_PER_SWEEP });
  for (const job of missed) await announceEnd(domain, job);
  return missed.length;
}

/** A former user of Pro keeps the webhooks, of which the oldest one gets messages. */
async function findListeners(domain: Domain, userId: string | null): Promise<StoredWebhook[]> {
  const user = await domain.users.findOne({ _id: userId, deletedAt: null }).lean<StoredUser>();
  if (!user) return [];
  const webhooks = await domain.webhookRecords.webhooks
    .find({ userId: user._id })
    .sort({ createdAt: 1 })
    .limit(TIERS[user.tier].maxWebhooks)
    .lean<StoredWebhook[]>();
  return webhooks.filter(({ disabledReason }) => disabledReason === null);
}

async function addMessage(domain: Domain, webhook: StoredWebhook, job: StoredJob): Promise<void> {
  const { webhooks, deliveries } = domain.webhookRecords;
  const waiting = await deliveries.countDocuments({ webhookId: webhook._id, state: "waiting" });
  if (waiting >= MAX_WAITING) return disableWebhook(domain, webhook._id, "failing");
  const now = new Date();
  const message: JobMessage = {
    id: `${job._id}.${job.attempt}`,
    type: job.status === "completed" ? "job.completed" : "job.failed",
    createdAt: job.updatedAt.toISOString(),
    job: presentJob(job),
  };
  const delivery: StoredDelivery = {
    ...deliveryOf(message, webhook),
    body: JSON.stringify(message),
    createdAt: now,
    state: "waiting",
    tries: 0,
    status: null,
    problem: null,
    nextTryAt: now,
  };
  try {
    await deliveries.create(delivery);
  } catch (error) {
    // It was stored before the crash, and may be delivered already.
    if (!isDuplicateKeyError(error)) throw error;
  }
  await webhooks.updateOne({ _id: webhook._id }, { $set: { dueAt: now } });
  await domain.webhookQueue.enqueue({ kind: "webhook", id: webhook._id });
}
