import { describe, expect, it } from "vitest";
import { addJob, completeByWorker, failByWorker } from "../../dev/testing/stored-jobs.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import { retryJob, retryJobs } from "./retry-jobs.ts";
import { ticketOf } from "./ticket-of.ts";

const domain = domainForTests();

const CONFLICT = expect.objectContaining({ code: "conflict" });

describe("retryJob", () => {
  it("queues a failed or canceled job again with a ticket", async () => {
    const viewer = newViewer();
    const failed = await addJob(domain, viewer, "a");
    await failByWorker(domain, failed);
    const canceled = await addJob(domain, viewer, "b");
    await cancelOrRemove(domain, viewer, canceled._id);
    domain.waiting.length = 0;
    for (const job of [failed, canceled]) {
      expect(await retryJob(domain, viewer, job._id)).toMatchObject({
        status: "queued",
        attempt: 2,
        finalAttempt: 4,
        progress: 0,
      });
    }
    expect(domain.waiting.map((ticket) => ticket.jobId)).toEqual([failed._id, canceled._id]);
  });

  it("uses the new tier after an upgrade and keeps the old one after a downgrade", async () => {
    const free = newViewer({ userId: "user-1" });
    const pro = { ...free, tier: "pro" } as const;
    const tried = await addJob(domain, free);
    await failByWorker(domain, tried);
    const retried = await retryJob(domain, pro, tried._id);
    const anew = await addJob(domain, pro);
    expect(retried).toMatchObject({
      attempt: 2,
      tier: "pro",
      quality: "320kbps",
      conversionKey: anew.conversionKey,
      priority: 1_000,
    });
    expect(domain.waiting).toContainEqual(ticketOf({ ...tried, priority: 1_000 }));
    await failByWorker(domain, anew);
    expect(await retryJob(domain, free, anew._id)).toMatchObject({ attempt: 2, tier: "pro", quality: "320kbps" });
  });

  it("refuses an active or completed job with conflict", async () => {
    const viewer = newViewer();
    const job = await addJob(domain, viewer);
    await expect(retryJob(domain, viewer, job._id)).rejects.toThrow(CONFLICT);
    await completeByWorker(domain, job);
    await expect(retryJob(domain, viewer, job._id)).rejects.toThrow(CONFLICT);
  });

  it("leaves a job alone whose account is deleted meanwhile", async () => {
    const viewer = newViewer({ userId: "user-1" });
    const job = await addJob(domain, viewer);
    const failed = await failByWorker(domain, job);
    await domain.jobs.updateOne({ _id: job._id }, { $set: { userId: "deleted:user-1", deletedAt: new Date() } });
    expect(await retryJobs(domain, viewer, [failed])).toEqual([]);
    expect(await domain.stored(job._id)).toMatchObject({ status: "failed" });
  });

  it("queues a job once when it is called ten times at once", async () => {
    const viewer = newViewer();
    const job = await addJob(domain, viewer);
    await failByWorker(domain, job);
    domain.waiting.length = 0;
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => retryJob(domain, viewer, job._id)));
    expect(tries.filter((attempt) => attempt.status === "fulfilled")).toHaveLength(1);
    expect(domain.waiting).toHaveLength(1);
    expect(await domain.stored(job._id)).toMatchObject({ attempt: 2 });
  });
});
