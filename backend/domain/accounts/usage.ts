/**
 * Counts each completed job exactly once, even after a crash. The entry is written after the job is completed, and the
 * job is then marked as counted. The sweeper counts completed jobs without the mark; this writes no second entry,
 * because the entry has the job's id.
 */
import type { Usage } from "../../../common/api.ts";
import { DAY_MS } from "../../../common/durations.ts";
import { TIERS } from "../../../common/tiers.ts";
import { USAGE_DAYS, type UsageDay } from "../../../common/usage-days.ts";
import type { AccountHook, Domain } from "../domain.ts";
import { changeJob, findJobs } from "../jobs/find-jobs.ts";
import type { CompletedJob } from "../jobs/job-model.ts";
import { EXPORT_BATCH } from "./export-account.ts";
import type { UsageEntry } from "./usage-model.ts";
import { audienceOf, visibleTo, type Viewer } from "./viewer.ts";

/** @returns the calendar month in UTC, as YYYY-MM */
export function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** @returns this month's usage of the user or, when not signed in, of the device */
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

/** @returns usage of the last {@link USAGE_DAYS} days in UTC, oldest first, with the days without conversions */
export async function usageByDay(
  domain: Domain,
  viewer: Pick<Viewer, "deviceId" | "userId">,
  now: Date = new Date(),
): Promise<UsageDay[]> {
  const startMs = Math.floor(now.getTime() / DAY_MS - (USAGE_DAYS - 1)) * DAY_MS;
  const start = new Date(startMs);
  const days = Array.from({ length: USAGE_DAYS }, (_, index) =>
    new Date(startMs + index * DAY_MS).toISOString().slice(0, 10),
  );
  // For the index.
  const months = [...new Set(days.map((day) => monthOf(new Date(day))))];
  const used = await domain.usage.aggregate<Omit<UsageDay, "day"> & { readonly _id: number }>([
    { $match: { ...visibleTo(viewer), month: { $in: months }, completedAt: { $gte: start } } },
    {
      $group: {
        _id: { $floor: { $divide: [{ $subtract: ["$completedAt", start] }, DAY_MS] } },
        conversions: { $sum: 1 },
        dataUsed: { $sum: "$sizeBytes" },
      },
    },
  ]);
  return days.map((day, index) => {
    const { conversions = 0, dataUsed = 0 } = used.find(({ _id }) => _id === index) ?? {};
    return { day, conversions, dataUsed };
  });
}

/** Counts a completed job for its owner and publishes the owner's usage. Can be repeated. */
export async function countUsage(domain: Domain, job: CompletedJob): Promise<void> {
  if (job.isUsageCounted) return;
  const completedAt = new Date(job.expiresAt.getTime() - TIERS[job.tier].retentionSeconds * 1_000);
  if (job.deletedAt === undefined || job.deletedAt === null) {
    const entry: UsageEntry = {
      _id: job._id,
      deviceId: job.deviceId,
      userId: job.userId,
      month: monthOf(completedAt),
      sizeBytes: job.fileSize,
      completedAt,
    };
    await domain.usage.bulkWrite([
      { updateOne: { filter: { _id: entry._id }, update: { $setOnInsert: withoutId(entry) }, upsert: true } },
    ]);
  }
  // A sign-in may have adopted the job while the entry was written. Adoption changes jobs before entries, so either it
  // has already changed the job that is read here, or it will find the entry.
  const counted = await changeJob(domain, { _id: job._id }, { $set: { isUsageCounted: true } });
  const owner = counted ?? job;
  if (owner.userId !== job.userId) await domain.usage.updateOne({ _id: job._id }, { $set: { userId: owner.userId } });
  await publishUsage(domain, owner);
}

/**
 * Counts completed jobs that were not counted because of a crash.
 * @returns number of jobs, at most 1,000
 */
export async function countMissedUsage(domain: Domain, now: Date = new Date()): Promise<number> {
  // The process that adds a repeat may just be making sure that the file is there, and counts it afterwards.
  const beingAdded = { isRepeat: true, completedAt: { $gt: new Date(now.getTime() - domain.limits.leaseMs) } };
  const isMissed = { status: "completed" as const, isUsageCounted: { $ne: true }, $nor: [beingAdded] };
  const missed = await findJobs(domain, isMissed, { limit: 1_000 });
  for (const job of missed) if (job.status === "completed") await countUsage(domain, job);
  return missed.length;
}

/**
 * Gives this month's anonymous usage of a device to a user. Entries that already have a user keep it. Call it after the
 * jobs were adopted.
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
  if (modifiedCount > 0) await publishUsage(domain, { deviceId, userId });
}

/**
 * Deletes entries that are older than `usageLogMs`.
 * @returns number of deleted entries
 */
export async function deleteOldUsage(domain: Domain, now: Date = new Date()): Promise<number> {
  const { deletedCount } = await domain.usage.deleteMany({
    completedAt: { $lte: new Date(now.getTime() - domain.limits.usageLogMs) },
  });
  return deletedCount;
}

/** The usage log's part in the deletion and the export of an account. */
export function usageAccountHook(usage: Domain["usage"]): AccountHook {
  return {
    async onDeleted(userId) {
      await usage.deleteMany({ userId });
    },
    export: (userId) => Promise.resolve({ usage: exportEntries(usage, userId) }),
  };
}

async function* exportEntries(usage: Domain["usage"], userId: string): AsyncGenerator<object> {
  const entries = usage.find({ userId }).sort({ completedAt: -1 }).lean<UsageEntry[]>();
  for await (const entry of entries.cursor({ batchSize: EXPORT_BATCH }) as AsyncIterable<UsageEntry>) {
    const { _id, month, sizeBytes, completedAt } = entry;
    yield { conversionId: _id, month, sizeBytes, completedAt };
  }
}

async function publishUsage(domain: Domain, owner: { deviceId: string; userId: string | null }): Promise<void> {
  domain.bus.publish("usage", { audience: audienceOf(owner), usage: await usageOf(domain, owner) });
}

function withoutId({ _id, ...entry }: UsageEntry): Omit<UsageEntry, "_id"> {
  return entry;
}
