/**
 * What is used, counted once for each completed job whatever crashes. A job is completed first and
 * its entry written after that; the job then remembers that it was counted. A crash in between
 * leaves a job that does not remember, and the sweeper counts it: the entry's key is the job's id,
 * so counting again finds it there.
 */
import type { Usage } from "../../../common/api.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { AccountHook, Domain } from "../domain.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import type { UsageEntry } from "./usage-model.ts";
import { audienceOf, visibleTo, type Viewer } from "./viewer.ts";

/** The calendar month in UTC, as YYYY-MM. */
export function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** What the user, or the device of somebody not signed in, has used this month. */
export async function usageOf(
  domain: Domain,
  viewer: Pick<Viewer, "deviceId" | "userId">,
  now: Date = new Date(),
): Promise<Usage> {
  const month = monthOf(now);
  const [sum] = await domain.usage.aggregate<Omit<Usage, "month">>([
    { $match: { ...visibleTo(viewer), month } },
    { $group: { _id: null, totalConversions: { $sum: 1 }, totalDataUsed: { $sum: "$sizeBytes" } } },
  ]);
  return { month, totalConversions: sum?.totalConversions ?? 0, totalDataUsed: sum?.totalDataUsed ?? 0 };
}

/** Counts a completed job to its owner and tells the owner's browsers. Safe to call again. */
export async function countUsage(domain: Domain, job: StoredJob): Promise<void> {
  if (job.status !== "completed" || job.isUsageCounted || job.expiresAt === undefined) return;
  const completedAt = new Date(job.expiresAt.getTime() - TIERS[job.tier].retentionSeconds * 1_000);
  if (job.deletedAt === undefined || job.deletedAt === null) {
    const entry: UsageEntry = {
      _id: job._id,
      deviceId: job.deviceId,
      userId: job.userId,
      month: monthOf(completedAt),
      sizeBytes: job.fileSize ?? 0,
      completedAt,
    };
    await domain.usage.bulkWrite([
      { updateOne: { filter: { _id: entry._id }, update: { $setOnInsert: withoutId(entry) }, upsert: true } },
    ]);
  }
  // The job may have become a user's while the entry was written. Adoption changes the job before
  // the entries, so whichever comes last of it and this line has seen the other.
  const owned = await domain.jobs
    .findOneAndUpdate({ _id: job._id }, { $set: { isUsageCounted: true } }, { returnDocument: "after" })
    .lean<StoredJob>();
  const owner = owned ?? job;
  if (owner.userId !== job.userId) await domain.usage.updateOne({ _id: job._id }, { $set: { userId: owner.userId } });
  await tellUsage(domain, owner);
}

/** Counts what a crash has left uncounted. @returns how many jobs */
export async function countMissedUsage(domain: Domain): Promise<number> {
  const missed = await domain.jobs
    .find({ status: "completed", isUsageCounted: { $ne: true } })
    .limit(1_000)
    .lean<StoredJob[]>();
  for (const job of missed) await countUsage(domain, job);
  return missed.length;
}

/**
 * What the device has used this month without a user becomes the user's, once: an entry that has a
 * user keeps it. Called after the jobs were adopted.
 */
export async function adoptUsage(
  domain: Domain,
  deviceId: string,
  userId: string,
  now: Date = new Date(),
): Promise<void> {
  const { modifiedCount } = await domain.usage.updateMany(
    { deviceId, userId: null, month: monthOf(now) },
    { $set: { userId } },
  );
  if (modifiedCount > 0) await tellUsage(domain, { deviceId, userId });
}

/** Forgets entries that are past their time. @returns how many */
export async function forgetOldUsage(domain: Domain, now: Date = new Date()): Promise<number> {
  const { deletedCount } = await domain.usage.deleteMany({
    completedAt: { $lte: new Date(now.getTime() - domain.limits.usageLogMs) },
  });
  return deletedCount;
}

/** What an account has in the log goes with the account, and can be taken along before. */
export function usageAccountHook(usage: Domain["usage"]): AccountHook {
  return {
    async onDeleted(userId) {
      await usage.deleteMany({ userId });
    },
    async export(userId) {
      const entries = await usage.find({ userId }).sort({ completedAt: -1 }).lean<UsageEntry[]>();
      return {
        usage: entries.map(({ _id, month, sizeBytes, completedAt }) => ({
          conversionId: _id,
          month,
          sizeBytes,
          completedAt,
        })),
      };
    },
  };
}

async function tellUsage(domain: Domain, owner: { deviceId: string; userId: string | null }): Promise<void> {
  domain.bus.publish("usage", { audience: audienceOf(owner), usage: await usageOf(domain, owner) });
}

function withoutId({ _id, ...entry }: UsageEntry): Omit<UsageEntry, "_id"> {
  return entry;
}
