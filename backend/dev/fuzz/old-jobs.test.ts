import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { expect, it } from "vitest";
import { testDatabaseUri } from "../testing/test-connection.ts";
import { deleteOldJobs } from "./old-jobs.ts";

it("deletes ended jobs of more than a minute ago, except for those that requests name", async () => {
  const uri = testDatabaseUri(`test-${randomUUID()}`);
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    const jobs = client.db().collection<{ _id: string }>("jobs");
    const deliveries = client.db().collection<{ _id: string }>("webhook_deliveries");
    const longAgo = new Date(Date.now() - 61_000);
    const job = (_id: string, more: object = {}) => ({ _id, status: "completed", updatedAt: longAgo, ...more });
    await jobs.insertMany([
      job("old"),
      job("old, failed", { status: "failed", batchId: "another batch" }),
      job("running", { status: "processing" }),
      job("recent", { updatedAt: new Date() }),
      job("named"),
      job("named, failed", { status: "failed" }),
      job("of the named batch", { batchId: "batch" }),
    ]);
    const message = (_id: string, more: object = {}) => ({ _id, state: "delivered", createdAt: longAgo, ...more });
    await deliveries.insertMany([
      message("old"),
      message("waiting", { state: "waiting" }),
      message("recent", { createdAt: new Date() }),
    ]);
    await deleteOldJobs(uri, [{ job: "named", failedJob: "named, failed", batch: "batch" }]);
    const idsOf = async (collection: mongoose.mongo.Collection<{ _id: string }>) =>
      (await collection.find().toArray()).map(({ _id }) => _id).toSorted();
    expect(await idsOf(jobs)).toEqual(["named", "named, failed", "of the named batch", "recent", "running"]);
    expect(await idsOf(deliveries)).toEqual(["recent", "waiting"]);
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
});
