/** What happens to a person's account: coming in, changing tier, taking the data along, leaving. */
import { randomUUID } from "node:crypto";
import type { Tier } from "../../../common/tiers.ts";
import { isActive } from "../../../common/job.ts";
import { publishJob, moveJob, WORK_FIELDS } from "../jobs/change.ts";
import type { Domain } from "../domain.ts";
import { releaseFile } from "../jobs/files.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { presentJob } from "../jobs/present.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import { endAllSessions, type StoredSession } from "./sessions.ts";
import { setTierSource } from "./tier-sources.ts";
import { adoptUsage } from "./usage.ts";
import type { StoredUser } from "./user-model.ts";

/** What a verified identity says. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly firstName?: string;
}

/** The user of an identity, made on first contact; what the device made so far becomes theirs. */
export async function signIn(domain: Domain, deviceId: string, identity: Identity): Promise<StoredUser> {
  const user = await findOrCreate(domain, identity);
  await adoptJobs(domain, deviceId, user._id);
  await adoptUsage(domain, deviceId, user._id);
  return user;
}

async function findOrCreate(domain: Domain, { issuer, subject, email, firstName }: Identity): Promise<StoredUser> {
  const write = () => {
    const now = new Date();
    return domain.users
      .findOneAndUpdate(
        { issuer, subject },
        {
          $set: { email: email.toLowerCase(), ...(firstName === undefined ? {} : { firstName }) },
          ...(firstName === undefined ? { $unset: { firstName: 1 } } : {}),
          $setOnInsert: {
            _id: randomUUID(),
            tier: "free",
            grantedTier: "free",
            subscriptionTier: "free",
            subscriptionRead: 0,
            tierChangedAt: now,
            createdAt: now,
            deletedAt: null,
          },
        },
        { upsert: true, returnDocument: "after" },
      )
      .lean<StoredUser>();
  };
  const user = await write().catch((error: unknown) => {
    // Two first sign-ins at once: the other one made the record.
    if (isDuplicateKeyError(error)) return write();
    throw error;
  });
  if (!user) throw new Error("a user was neither found nor made");
  return user;
}

async function adoptJobs(domain: Domain, deviceId: string, userId: string): Promise<void> {
  const made = await domain.jobs.find({ deviceId, userId: null }, { _id: 1 }).lean<{ _id: string }[]>();
  for (const { _id } of made) {
    const job = await domain.jobs
      .findOneAndUpdate(
        { _id, deviceId, userId: null },
        { $set: { userId }, $unset: { place: 1 } },
        { returnDocument: "after" },
      )
      .lean<StoredJob>();
    if (!job) continue;
    domain.bus.publish("job:adopted", { id: _id, userId });
    publishJob(domain, job);
  }
}

export interface TierChange {
  /** How many accounts have the address. */
  readonly accounts: number;
  /** How many of them stay Pro because a subscription pays for it. */
  readonly paying: number;
}

/**
 * Grants Pro to everybody with this email address, or takes what was granted back; web processes
 * notice and tell their browsers. A subscription is neither touched nor outdone.
 */
export async function changeTier(domain: Pick<Domain, "users">, email: string, tier: Tier): Promise<TierChange> {
  const theirs = { email: email.trim().toLowerCase(), deletedAt: null };
  await setTierSource(domain.users, { ...theirs, grantedTier: { $ne: tier } }, "grantedTier", tier, {
    tierChangedAt: new Date(),
  });
  return {
    accounts: await domain.users.countDocuments(theirs),
    paying: await domain.users.countDocuments({ ...theirs, subscriptionTier: "pro" }),
  };
}

/** Everything that is stored about a user, without what opens doors. */
export async function exportAccount(domain: Domain, userId: string): Promise<Record<string, unknown>> {
  const user = await domain.users.findById(userId).lean<StoredUser>();
  const jobs = await domain.jobs.find({ userId }).sort({ createdAt: -1 }).lean<StoredJob[]>();
  const sessions = await domain.sessions.find({ userId, endedAt: null }).lean<StoredSession[]>();
  return {
    exportedAt: new Date().toISOString(),
    user: user && {
      id: user._id,
      issuer: user.issuer,
      subject: user.subject,
      email: user.email,
      firstName: user.firstName,
      tier: user.tier,
      grantedTier: user.grantedTier,
      tierChangedAt: user.tierChangedAt,
      createdAt: user.createdAt,
    },
    conversions: jobs.map((job) => ({
      ...presentJob(job),
      sourceUrl: job.sourceUrl,
      deviceId: job.deviceId,
      tier: job.tier,
    })),
    sessions: sessions.map(({ deviceId, createdAt, expiresAt }) => ({ deviceId, createdAt, expiresAt })),
    ...Object.assign(
      {},
      ...(await Promise.all(domain.accountHooks.map(async (hook) => (await hook.export?.(userId)) ?? {}))),
    ),
  };
}

/** Whom a deleted account's jobs belong to until they are removed: nobody who could sign in. */
const ownerOnceDeleted = (userId: string) => `deleted:${userId}`;

/**
 * Takes an account away: to everybody at once, from the database in time. Sessions and sockets are
 * closed, work is called off, files are deleted.
 */
export async function deleteAccount(domain: Domain, userId: string): Promise<void> {
  const now = new Date();
  // The person's name goes at once, so that the same person may come back as somebody new.
  await domain.users.updateOne(
    { _id: userId },
    {
      $set: {
        deletedAt: now,
        subject: ownerOnceDeleted(userId),
        email: "",
        tier: "free",
        grantedTier: "free",
        subscriptionTier: "free",
      },
      $unset: { firstName: 1 },
    },
  );
  await clear(domain, userId, now);
}

/**
 * Does it once more for accounts deleted a while ago: a crash may have cut the deletion short, and
 * a call that was under way may have made another job. @returns how many accounts
 */
export async function finishDeletions(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - domain.limits.leaseMs);
  const deleted = await domain.users
    .find({ deletedAt: { $ne: null, $lte: before }, isCleared: { $ne: true } })
    .lean<StoredUser[]>();
  for (const { _id } of deleted) {
    await clear(domain, _id, now);
    await domain.users.updateOne({ _id }, { $set: { isCleared: true } });
  }
  return deleted.length;
}

/** Safe to call again. */
async function clear(domain: Domain, userId: string, now: Date): Promise<void> {
  await endAllSessions(domain, userId);
  const jobs = await domain.jobs.find({ userId }).lean<StoredJob[]>();
  for (const job of jobs) await takeAway(domain, job, now);
  // After the jobs: one that finishes meanwhile may still have written something down.
  for (const hook of domain.accountHooks) await hook.onDeleted?.(userId);
}

async function takeAway(domain: Domain, job: StoredJob, now: Date): Promise<void> {
  const canceled = isActive(job.status)
    ? await moveJob(domain, { _id: job._id }, "canceled", { $unset: WORK_FIELDS })
    : null;
  if (canceled) {
    domain.bus.publish("job:canceled", { id: job._id, attempt: canceled.attempt });
    await domain.tickets.remove(job._id);
  }
  const last = await domain.jobs
    .findOneAndUpdate(
      { _id: job._id },
      { $set: { userId: ownerOnceDeleted(job.userId ?? ""), deletedAt: now }, $unset: { fileKey: 1, thumbnailKey: 1 } },
      { returnDocument: "before" },
    )
    .lean<StoredJob>();
  for (const key of [last?.fileKey, last?.thumbnailKey]) if (key !== undefined) await releaseFile(domain, key);
}

/** Removes what deleted accounts have left behind. @returns how many records */
export async function purgeDeleted(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - domain.limits.accountPurgeMs);
  const due = { deletedAt: { $ne: null, $lte: before } };
  const jobs = await domain.jobs.deleteMany(due);
  const users = await domain.users.find(due, { _id: 1 }).lean<{ _id: string }[]>();
  if (users.length === 0) return jobs.deletedCount;
  const ids = users.map(({ _id }) => _id);
  // Ended long ago; the marks they leave may be meant to stay for longer than this.
  const sessions = await domain.sessions.deleteMany({ userId: { $in: ids } });
  await domain.users.deleteMany({ _id: { $in: ids } });
  return jobs.deletedCount + sessions.deletedCount + users.length;
}
