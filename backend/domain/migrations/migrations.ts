/**
 * All changes to stored data, oldest first. Each migration runs once on a database.
 *
 * Processes of the previous version are still running during a migration. So it may only add: data that they read
 * stays in place, and data that they write must be valid without the change. Old data is removed by a migration of the
 * next version, when no process reads it any more. A migration that a crash interrupts is run again from its start.
 * Indexes are not listed here, because `openModels` creates them.
 */
import type { Connection } from "mongoose";
import { Tier } from "../../../common/tiers.ts";
import { subjectsOf } from "../blocks/subjects.ts";

export interface Migration {
  /** One more than the version of the previous migration. */
  readonly version: number;
  readonly name: string;
  run(database: NonNullable<Connection["db"]>): Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: "a tier from before there were subscriptions was granted",
    async run(database) {
      const users = database.collection("users");
      for (const tier of Tier.options)
        await users.updateMany(
          { tier, grantedTier: { $exists: false } },
          { $set: { grantedTier: tier, subscriptionTier: "free", subscriptionRead: 0 } },
        );
    },
  },
  {
    version: 2,
    name: "jobs say in codes what they are about, for the block list",
    run: addSubjects,
  },
];

const JOBS_PER_WRITE = 1_000;

/** The link tells video and hosts; the channels of these jobs stay unknown. Jobs without copies need no codes. */
async function addSubjects(database: NonNullable<Connection["db"]>): Promise<void> {
  const jobs = database.collection<{ _id: string; sourceUrl: string }>("jobs");
  const hasCopies = [{ status: "completed", isExpired: { $ne: true } }, { thumbnailKey: { $exists: true } }];
  const isActive = { status: { $in: ["queued", "pending", "processing"] } };
  const found = jobs.find(
    { subjects: { $exists: false }, $or: [...hasCopies, isActive] },
    { projection: { sourceUrl: 1 } },
  );
  let writes: Parameters<typeof jobs.bulkWrite>[0][number][] = [];
  const flush = async (): Promise<void> => {
    if (writes.length > 0) await jobs.bulkWrite(writes, { ordered: false });
    writes = [];
  };
  for await (const { _id, sourceUrl } of found) {
    const filter = { _id, subjects: { $exists: false } };
    writes.push({ updateOne: { filter, update: { $set: { subjects: subjectsOf(sourceUrl) } } } });
    if (writes.length === JOBS_PER_WRITE) await flush();
  }
  await flush();
}

/** The version of the database that this code expects. */
export const CODE_VERSION = MIGRATIONS.at(-1)?.version ?? 0;
