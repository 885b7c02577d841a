/** Keeps the database of a long run small: the embedded one reads all jobs for most queries. */
import mongoose from "mongoose";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import type { FuzzVisitor } from "./visitors.ts";

/** Nothing of a conversion happens later than this after its end. */
const OLD_MS = 60_000;

/** Deletes old ended jobs, and messages about them, except for the jobs that requests name. */
export async function deleteOldJobs(
  mongodbUri: string,
  visitors: readonly Pick<FuzzVisitor, "job" | "failedJob" | "batch">[],
): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(mongodbUri).connect();
  try {
    const before = new Date(Date.now() - OLD_MS);
    await client
      .db()
      .collection<StoredJob>("jobs")
      .deleteMany({
        _id: { $nin: visitors.flatMap(({ job, failedJob }) => [job, failedJob]) },
        batchId: { $nin: visitors.map(({ batch }) => batch) },
        status: { $in: ["completed", "failed", "canceled"] },
        updatedAt: { $lt: before },
      });
    await client
      .db()
      .collection("webhook_deliveries")
      .deleteMany({ state: { $ne: "waiting" }, createdAt: { $lt: before } });
  } finally {
    await client.close();
  }
}
