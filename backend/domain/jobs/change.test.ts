import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JobStatus } from "../../../common/job.ts";
import { openTestDomain, type TestDomain } from "../../dev/testing/test-domain.ts";
import { moveJob } from "./change.ts";
import type { StoredJob } from "./job-model.ts";
import { isLegal, sourcesOf } from "./transitions.ts";
import { claimJob } from "./work.ts";

/** Everything that may follow, written once more by hand: from the row to the column. */
const MAY_FOLLOW: Record<JobStatus, JobStatus[]> = {
  queued: ["pending", "canceled"],
  pending: ["queued", "processing", "failed", "canceled"],
  processing: ["queued", "completed", "failed", "canceled"],
  completed: [],
  failed: ["queued"],
  canceled: ["queued"],
};
const PAIRS = JobStatus.options.flatMap((from) =>
  JobStatus.options.map((to) => [from, to, MAY_FOLLOW[from].includes(to)] as const),
);

let domain: TestDomain;
beforeAll(async () => {
  domain = await openTestDomain();
});
afterAll(() => domain.close());

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

describe("a job", () => {
  it.each(PAIRS)("that is %s becomes %s: %s", async (from, to, legal) => {
    const job = jobIn(from);
    await domain.jobs.create(job);
    const moved = await moveJob(domain, { _id: job._id }, to, {});
    expect(isLegal(from, to)).toBe(legal);
    expect(sourcesOf(to).includes(from)).toBe(legal);
    expect(moved?.status ?? null).toBe(legal ? to : null);
    const stored = await domain.stored(job._id);
    expect(stored?.status).toBe(legal ? to : from);
    expect((stored?.updatedAt.getTime() ?? 0) > job.updatedAt.getTime()).toBe(legal);
    const told = (await domain.published("job")).filter((message) => message.job.id === job._id);
    expect(told.map((message) => message.job.status)).toEqual(legal ? [to] : []);
  });

  it("is moved only when it also fits the condition", async () => {
    const job = jobIn("processing");
    await domain.jobs.create(job);
    expect(await moveJob(domain, { _id: job._id, attempt: 2 }, "completed", {})).toBeNull();
    expect(await moveJob(domain, { _id: job._id, status: "pending" }, "failed", {})).toBeNull();
    expect((await domain.stored(job._id))?.status).toBe("processing");
  });

  it("has one winner when twenty workers claim it at once", async () => {
    const job = jobIn("queued");
    await domain.jobs.create(job);
    const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => claimJob(domain, job._id, `worker-${n}`)));
    const won = claims.flatMap((claim) => (claim ? [claim] : []));
    expect(won).toHaveLength(1);
    expect((await domain.stored(job._id))?.workerId).toBe(won[0]?.workerId);
  });

  it("has one outcome when it is finished, failed and canceled at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const job = jobIn("processing");
      await domain.jobs.create(job);
      const ends = await Promise.all(
        (["completed", "failed", "canceled"] as const).map((to) => moveJob(domain, { _id: job._id }, to, {})),
      );
      const won = ends.flatMap((end) => (end ? [end.status] : []));
      expect(won).toEqual([(await domain.stored(job._id))?.status]);
    }
  });

  it("is told of to its owner alone", async () => {
    const mine = jobIn("queued");
    const users = { ...jobIn("queued"), userId: "user-1" };
    await domain.jobs.create(mine);
    await domain.jobs.create(users);
    await moveJob(domain, { _id: mine._id }, "canceled", {});
    await moveJob(domain, { _id: users._id }, "canceled", {});
    const said = await domain.published("job");
    expect(said.filter((message) => message.job.id === mine._id).map((message) => message.audience)).toEqual([
      { deviceId: mine.deviceId },
    ]);
    expect(said.filter((message) => message.job.id === users._id).map((message) => message.audience)).toEqual([
      { deviceId: users.deviceId, userId: "user-1" },
    ]);
  });
});
