import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { JobStatus } from "../../../common/job.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { moveJob } from "./change.ts";
import type { StoredJob } from "./job-model.ts";
import { isLegal, sourcesOf } from "./transitions.ts";
import { claimJob } from "./work.ts";

/** All legal status changes, repeated here as literals: from the key to each of the values. */
const MAY_FOLLOW: Record<JobStatus, JobStatus[]> = {
  queued: ["pending", "failed", "canceled"],
  pending: ["queued", "processing", "failed", "canceled"],
  processing: ["queued", "completed", "failed", "canceled"],
  completed: [],
  failed: ["queued"],
  canceled: ["queued"],
};
const PAIRS = JobStatus.options.flatMap((from) =>
  JobStatus.options.map((to) => [from, to, MAY_FOLLOW[from].includes(to)] as const),
);

const domain = await ofFile(openTestDomain());

function jobIn(status: JobStatus): StoredJob {
  const now = new Date(Date.now() - 1_000);
  return {
    _id: randomUUID(),
    deviceId: randomUUID(),
    userId: null,
    tier: "free",
    sourceUrl: "https://video.example/a",
    conversionKey: "k",
    format: "mp3",
    quality: "128kbps",
    status,
    attempt: 1,
    finalAttempt: 3,
    priority: 0,
    progress: 0,
    stage: "download",
    title: "t",
    error: { code: "network", message: "m" },
    fileSize: 1,
    expiresAt: now,
    createdAt: now,
    updatedAt: now,
  };
}

describe("moveJob", () => {
  it.each(PAIRS)("from %s to %s: %s", async (from, to, isAllowed) => {
    const job = jobIn(from);
    await domain.jobs.create(job);
    const moved = await moveJob(domain, { _id: job._id }, to, {});
    expect(isLegal(from, to)).toBe(isAllowed);
    expect(sourcesOf(to).includes(from)).toBe(isAllowed);
    expect(moved?.status ?? null).toBe(isAllowed ? to : null);
    const stored = await domain.stored(job._id);
    expect(stored?.status).toBe(isAllowed ? to : from);
    expect((stored?.updatedAt.getTime() ?? 0) > job.updatedAt.getTime()).toBe(isAllowed);
    const published = (await domain.published("job")).filter((message) => message.job.id === job._id);
    expect(published.map((message) => message.job.status)).toEqual(isAllowed ? [to] : []);
  });

  it("changes nothing when the condition does not match", async () => {
    const job = jobIn("processing");
    await domain.jobs.create(job);
    expect(await moveJob(domain, { _id: job._id, attempt: 2 }, "completed", {})).toBeNull();
    expect(await moveJob(domain, { _id: job._id, status: "pending" }, "failed", {})).toBeNull();
    expect((await domain.stored(job._id))?.status).toBe("processing");
  });

  it("gives a job to one of twenty workers that claim it at the same moment", async () => {
    const job = jobIn("queued");
    await domain.jobs.create(job);
    const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => claimJob(domain, job._id, `worker-${n}`)));
    const winners = claims.flatMap((claim) => (claim ? [claim] : []));
    expect(winners).toHaveLength(1);
    expect((await domain.stored(job._id))?.workerId).toBe(winners[0]?.workerId);
  });

  it("lets one of three ends win when a job is completed, failed and canceled at the same moment", async () => {
    for (let round = 0; round < 10; round += 1) {
      const job = jobIn("processing");
      await domain.jobs.create(job);
      const ends = await Promise.all(
        (["completed", "failed", "canceled"] as const).map((to) => moveJob(domain, { _id: job._id }, to, {})),
      );
      const winners = ends.flatMap((end) => (end ? [end.status] : []));
      expect(winners).toEqual([(await domain.stored(job._id))?.status]);
    }
  });

  it("publishes a job to its owner's audience only", async () => {
    const mine = jobIn("queued");
    const users = { ...jobIn("queued"), userId: "user-1" };
    await domain.jobs.create(mine);
    await domain.jobs.create(users);
    await moveJob(domain, { _id: mine._id }, "canceled", {});
    await moveJob(domain, { _id: users._id }, "canceled", {});
    const published = await domain.published("job");
    expect(published.filter((message) => message.job.id === mine._id).map((message) => message.audience)).toEqual([
      { deviceId: mine.deviceId },
    ]);
    expect(published.filter((message) => message.job.id === users._id).map((message) => message.audience)).toEqual([
      { deviceId: users.deviceId, userId: "user-1" },
    ]);
  });
});
