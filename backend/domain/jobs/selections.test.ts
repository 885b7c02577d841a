import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreateSelection } from "../../../common/lists.ts";
import { domainForTests, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { signIn } from "../accounts/sign-in.ts";
import { changeTier } from "../accounts/tier-sources.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { cancelBatch, retryBatch } from "./batches.ts";
import { SLOT_FIELDS } from "./change.ts";
import type { StoredJob } from "./job-model.ts";
import { presentJob } from "./present.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelJob } from "./end-jobs.ts";
import { deleteOldSelections } from "./selection-end.ts";
import {
  createSelection,
  MAX_OPEN_SELECTIONS,
  queueMore,
  queueMoreIfPossible,
  queueMoreOfAll,
  REFILL_AT,
  ROOM_FOR_OTHERS,
} from "./selections.ts";
import { claimJob, failJob } from "./work.ts";

const ACTIVE_LIMIT = 40;

const domain = domainForTests({ activeJobs: { free: 3, pro: ACTIVE_LIMIT } });
let viewer: Viewer;
beforeEach(async () => {
  viewer = await signUp("pro@example.org");
});

async function signUp(email: string): Promise<Viewer> {
  const { deviceId } = newViewer();
  const user = await signIn(domain, deviceId, { issuer: "https://issuer", subject: email, email });
  await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro", grantedTier: "pro" } });
  return { deviceId, userId: user._id, email, tier: "pro" };
}

const links = (count: number, prefix = "v") =>
  Array.from({ length: count }, (_, index) => `https://video.example/${prefix}${index}`);
const wish = (count: number, prefix?: string): CreateSelection => ({
  title: "Rain of a year",
  urls: links(count, prefix),
  format: "mp3",
});
const jobsOf = (batchId: string) => domain.jobs.find({ batchId }).sort({ createdAt: 1 }).lean<StoredJob[]>();
const selectionOf = (batchId: string) => domain.selections.findById(batchId).lean();

/** Stores that the jobs are completed, all at once. */
async function complete(jobs: readonly StoredJob[]): Promise<void> {
  const ids = jobs.map(({ _id }) => _id);
  const $set = { status: "completed", fileSize: 1, completedAt: new Date(), expiresAt: new Date(Date.now() + 60_000) };
  await domain.jobs.updateMany({ _id: { $in: ids } }, { $set, $unset: SLOT_FIELDS });
}

/** Completes jobs of the batch until so many are active. */
async function completeUntil(batchId: string, active: number): Promise<void> {
  const open = (await jobsOf(batchId)).filter(({ status }) => status === "queued");
  await complete(open.slice(0, open.length - active));
}

describe("createSelection", () => {
  it("queues the first batch and keeps the other links", async () => {
    const { batchId, total, jobs, refused } = await createSelection(domain, viewer, wish(60));
    expect([total, refused]).toEqual([60, []]);
    expect(jobs.map(({ sourceUrl }) => sourceUrl)).toEqual(links(20));
    expect(jobs.map((job) => presentJob(job))).toEqual(
      jobs.map((_, batchPosition): unknown =>
        expect.objectContaining({ batchId, batchTitle: "Rain of a year", batchTotal: 60, batchPosition }),
      ),
    );
    expect(domain.waiting).toHaveLength(20);
    expect(await selectionOf(batchId)).toMatchObject({ queued: 20, total: 60, endedAt: null });
  });

  it.each([
    [1, 1, true],
    [19, 19, true],
    [20, 20, true],
    [21, 20, false],
  ])("of %i links queues %i at once", async (count, queued, isEnded) => {
    const { batchId, jobs } = await createSelection(domain, viewer, wish(count));
    expect(jobs).toHaveLength(queued);
    const stored = await selectionOf(batchId);
    expect(stored?.endedAt !== null).toBe(isEnded);
    expect(stored?.links).toHaveLength(isEnded ? 0 : count);
  });

  it("checks each link on its own and counts the accepted ones", async () => {
    const urls = ["https://video.example/a", "cats", "", "https://video.example/a", "https://video.example/b"];
    const { total, jobs, refused } = await createSelection(domain, viewer, { ...wish(0), urls });
    expect([total, jobs.length]).toEqual([2, 2]);
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [2, "invalid_link"],
      [4, "conflict"],
    ]);
  });

  it.each([
    ["a free visitor", () => newViewer(), wish(2), "pro_required"],
    ["no link that is accepted", () => viewer, { ...wish(0), urls: ["cats"] }, "invalid_link"],
    ["no link at all", () => viewer, wish(0), "invalid_link"],
  ])("refuses %s", async (_, who, input, code) => {
    await expect(createSelection(domain, who(), input)).rejects.toMatchObject({ code });
    expect(await domain.selections.countDocuments()).toBe(0);
  });

  it("takes as many links as there is room for, and refuses when there is none", async () => {
    await createSelection(domain, viewer, wish(20, "a"));
    const second = await createSelection(domain, viewer, wish(19, "b"));
    const third = await createSelection(domain, viewer, wish(30, "c"));
    expect([second.jobs.length, third.jobs.length]).toEqual([19, 1]);
    await expect(createSelection(domain, viewer, wish(30, "d"))).rejects.toMatchObject({ code: "rate_limited" });
    expect(await domain.selections.countDocuments({ endedAt: null })).toBe(1);
  });

  it("limits the open selections of a user, not those of another", async () => {
    for (let n = 0; n < MAX_OPEN_SELECTIONS; n += 1) {
      const { jobs } = await createSelection(domain, viewer, wish(21, `s${n}-`));
      await complete(jobs);
    }
    await expect(createSelection(domain, viewer, wish(21, "more"))).rejects.toMatchObject({ code: "rate_limited" });
    const other = await signUp("other@example.org");
    expect((await createSelection(domain, other, wish(21, "other"))).jobs).toHaveLength(20);
  });

  it("answers a repeated request with the first selection", async () => {
    const key = randomUUID();
    const first = await createSelection(domain, viewer, wish(45), key);
    const second = await createSelection(domain, viewer, wish(45), key);
    expect(second).toEqual(first);
    expect(await domain.jobs.countDocuments()).toBe(20);
    await expect(createSelection(domain, viewer, wish(44), key)).rejects.toMatchObject({ code: "conflict" });
    await expect(createSelection(domain, viewer, { ...wish(45), format: "mp4" }, key)).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("makes one selection of two equal requests at the same moment", async () => {
    const other = { ...domain };
    const key = randomUUID();
    const answers = await Promise.all([
      createSelection(domain, viewer, wish(45), key),
      createSelection(other, viewer, wish(45), key),
    ]);
    expect(answers[0].batchId).toBe(answers[1].batchId);
    expect([await domain.selections.countDocuments(), await domain.jobs.countDocuments()]).toEqual([1, 20]);
  });

  it("goes on with a request that was interrupted before its first batch", async () => {
    const key = randomUUID();
    const { batchId } = await createSelection(domain, viewer, wish(45), key);
    await domain.jobs.deleteMany({});
    await domain.selections.updateOne({ _id: batchId }, { $set: { queued: 0 } });
    const again = await createSelection(domain, viewer, wish(45), key);
    expect([again.batchId, again.jobs.length]).toEqual([batchId, 20]);
  });
});

describe("queueMore", () => {
  it("queues a selection of 60 as three batches, in order, without a gap", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    for (let batch = 1; batch < 3; batch += 1) {
      await completeUntil(batchId, REFILL_AT - 1);
      expect(await queueMore(domain, batchId)).toBe(20);
    }
    const jobs = await jobsOf(batchId);
    expect(jobs.map(({ sourceUrl }) => sourceUrl)).toEqual(links(60));
    expect(jobs.map(({ batchPosition }) => batchPosition)).toEqual(Array.from(jobs, (_, index) => index));
    expect(await selectionOf(batchId)).toMatchObject({ queued: 60, links: [], endedAt: expect.any(Date) as Date });
    await completeUntil(batchId, 0);
    expect(await queueMore(domain, batchId)).toBe(0);
  });

  it.each([
    [REFILL_AT + 1, 0],
    [REFILL_AT, 0],
    [REFILL_AT - 1, 20],
  ])("with %i active jobs of the selection adds %i", async (active, added) => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await completeUntil(batchId, active);
    expect(await queueMore(domain, batchId)).toBe(added);
  });

  it("queues the last links, however few", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(21));
    await completeUntil(batchId, 0);
    expect(await queueMore(domain, batchId)).toBe(1);
    expect((await selectionOf(batchId))?.endedAt).not.toBeNull();
  });

  it.each([
    [ACTIVE_LIMIT - ROOM_FOR_OTHERS - 1, 1],
    [ACTIVE_LIMIT - ROOM_FOR_OTHERS, 0],
    [ACTIVE_LIMIT - ROOM_FOR_OTHERS + 1, 0],
  ])("with %i other jobs of the owner adds %i", async (others, added) => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await completeUntil(batchId, 0);
    for (const youtubeUrl of links(others, "other"))
      await createConversion(domain, viewer, { youtubeUrl, format: "mp3" });
    expect(await queueMore(domain, batchId)).toBe(added);
  });

  it("adds each link once when several processes try at the same moment", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await completeUntil(batchId, 0);
    const processes = Array.from({ length: 4 }, () => ({ ...domain }));
    const added = await Promise.all(processes.map((process) => queueMore(process, batchId)));
    expect(added.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 20]);
    expect((await jobsOf(batchId)).map(({ sourceUrl }) => sourceUrl)).toEqual(links(40));
  });

  it.each([20, 7])("finds %i jobs again that a dead process had added and not counted", async (count) => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await completeUntil(batchId, 0);
    await queueMore(domain, batchId);
    // As after a crash between the two writes.
    const late = (await jobsOf(batchId)).slice(20 + count).map(({ _id }) => _id);
    await domain.jobs.deleteMany({ _id: { $in: late } });
    await domain.selections.updateOne({ _id: batchId }, { $set: { queued: 20 } });
    await completeUntil(batchId, 0);
    for (let queued = 20 + count; queued <= 60; queued += 20) {
      await queueMore(domain, batchId);
      await completeUntil(batchId, 0);
    }
    await queueMore(domain, batchId);
    expect((await jobsOf(batchId)).map(({ sourceUrl }) => sourceUrl)).toEqual(links(60));
  });

  it("is left to the process that adds jobs until its time is over", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await completeUntil(batchId, 0);
    const feedsUntil = new Date(Date.now() + 60_000);
    await domain.selections.updateOne({ _id: batchId }, { $set: { feedsUntil } });
    expect(await queueMore(domain, batchId)).toBe(0);
    expect(await queueMoreOfAll(domain)).toBe(0);
    expect(await queueMoreOfAll(domain, feedsUntil)).toBe(20);
  });

  it.each([
    ["the user is not Pro any more", () => changeTier(domain, "pro@example.org", "free")],
    [
      "the account was deleted",
      () => domain.users.updateOne({ _id: viewer.userId }, { $set: { deletedAt: new Date() } }),
    ],
  ])("ends the selection when %s", async (_, happen) => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await completeUntil(batchId, 0);
    await happen();
    expect(await queueMore(domain, batchId)).toBe(0);
    expect(await selectionOf(batchId)).toMatchObject({ endedAt: expect.any(Date) as Date, links: [], queued: 20 });
    expect((await jobsOf(batchId)).map(({ batchTotal }) => batchTotal)).toEqual(Array.from({ length: 20 }, () => 20));
    expect((await domain.published("job")).at(-1)?.job.batchTotal).toBe(20);
  });

  it("waits when the queue of the plan is full, and keeps the links", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await completeUntil(batchId, 0);
    const full = { ...domain, limits: { ...domain.limits, activeJobsPerTier: 0 } };
    await expect(queueMore(full, batchId)).rejects.toMatchObject({ code: "queue_full" });
    expect(await queueMoreIfPossible(full, batchId)).toBe(0);
    expect(await queueMoreIfPossible(domain, batchId)).toBe(20);
  });
});

describe("queueMoreOfAll", () => {
  it("goes on with the selections of all users", async () => {
    const other = await signUp("other@example.org");
    const batches = [await createSelection(domain, viewer, wish(30)), await createSelection(domain, other, wish(35))];
    for (const { batchId } of batches) await completeUntil(batchId, 0);
    expect(await queueMoreOfAll(domain)).toBe(10 + 15);
    expect(await queueMoreOfAll(domain)).toBe(0);
  });
});

describe("a batch of a selection", () => {
  it("is canceled with the links that were not queued yet", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    const canceled = await cancelBatch(domain, viewer, batchId);
    expect(canceled).toHaveLength(20);
    expect(await queueMore(domain, batchId)).toBe(0);
    expect((await jobsOf(batchId)).map(({ status, batchTotal }) => [status, batchTotal])).toEqual(
      Array.from({ length: 20 }, () => ["canceled", 20]),
    );
  });

  it("cancels jobs that were being added meanwhile", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await completeUntil(batchId, 0);
    let isCanceled = false;
    const slow: TestDomain = {
      ...domain,
      tickets: {
        ...domain.tickets,
        async enqueue(ticket) {
          if (!isCanceled) await domain.selections.updateOne({ _id: batchId }, { $set: { endedAt: new Date() } });
          isCanceled = true;
          await domain.tickets.enqueue(ticket);
        },
      },
    };
    await queueMore(slow, batchId);
    const jobs = await jobsOf(batchId);
    expect(jobs.slice(20).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => "canceled"));
    expect(new Set(jobs.map(({ batchTotal }) => batchTotal))).toEqual(new Set([40]));
  });

  it("cannot be canceled by another user", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    const other = await signUp("other@example.org");
    await expect(cancelBatch(domain, other, batchId)).rejects.toMatchObject({ code: "not_found" });
    expect((await selectionOf(batchId))?.endedAt).toBeNull();
  });

  it("can be canceled when none of its jobs is left", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    await domain.jobs.deleteMany({});
    expect(await cancelBatch(domain, viewer, batchId)).toEqual([]);
    await expect(cancelBatch(domain, viewer, batchId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("goes on when one job is canceled", async () => {
    const { batchId, jobs } = await createSelection(domain, viewer, wish(40));
    for (const job of jobs) await cancelJob(domain, viewer, job._id);
    expect(await queueMore(domain, batchId)).toBe(20);
  });

  it("retries as many jobs as there is room for", async () => {
    const { batchId } = await createSelection(domain, viewer, wish(60));
    for (let batch = 0; batch < 3; batch += 1) {
      for (const job of (await jobsOf(batchId)).filter(({ status }) => status === "queued")) {
        await claimJob(domain, job._id, "w");
        await failJob(domain, job, "unavailable", { message: "It is gone." });
      }
      await queueMore(domain, batchId);
    }
    expect(await retryBatch(domain, viewer, batchId)).toHaveLength(ACTIVE_LIMIT);
    await expect(retryBatch(domain, viewer, batchId)).rejects.toMatchObject({ code: "rate_limited" });
  });
});

it("deletes the selections of a deleted account", async () => {
  await createSelection(domain, viewer, wish(60));
  await deleteAccount(domain, viewer.userId ?? "");
  expect(await domain.selections.countDocuments()).toBe(0);
});

it("deletes selections a day after their end, and no open ones", async () => {
  const ended = await createSelection(domain, viewer, wish(2, "a"));
  const open = await createSelection(domain, viewer, wish(30, "b"));
  const endedAt = (await selectionOf(ended.batchId))?.endedAt?.getTime() ?? 0;
  const day = 24 * 60 * 60 * 1_000;
  expect(await deleteOldSelections(domain, new Date(endedAt + day - 1))).toBe(0);
  expect(await deleteOldSelections(domain, new Date(endedAt + day))).toBe(1);
  expect((await domain.selections.find().lean()).map(({ _id }) => _id)).toEqual([open.batchId]);
});
