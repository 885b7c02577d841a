import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { TestDomain } from "../../dev/testing/test-domain.ts";
import { ACTIVE_LIMIT, BATCH, links, selectionsForTests, wish } from "../../dev/testing/test-selections.ts";
import { cancelBatch, retryBatch } from "./batches.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelJob } from "./end-jobs.ts";
import {
  createSelection,
  MAX_OPEN_SELECTIONS,
  queueMore,
  queueMoreIfPossible,
  queueMoreOfAll,
  REFILL_AT,
  spareOf,
} from "./selections.ts";
import { claimJob, failJob } from "./work.ts";

const bench = selectionsForTests();
const { domain, signUp, jobsOf, selectionOf, complete, completeUntil } = bench;

describe("createSelection", () => {
  it("limits the open selections of a user, not those of another", async () => {
    for (let n = 0; n < MAX_OPEN_SELECTIONS; n += 1) {
      const { jobs } = await createSelection(domain, bench.viewer, wish(BATCH + 1, `s${n}-`));
      await complete(jobs);
    }
    await expect(createSelection(domain, bench.viewer, wish(BATCH + 1, "more"))).rejects.toMatchObject({
      code: "rate_limited",
    });
    const other = await signUp("other@example.org");
    expect((await createSelection(domain, other, wish(BATCH + 1, "other"))).jobs).toHaveLength(BATCH);
  });

  it("takes as many links as slots are free, and refuses when none is", async () => {
    await createSelection(domain, bench.viewer, wish(BATCH, "a"));
    const second = await createSelection(domain, bench.viewer, wish(BATCH - 1, "b"));
    const third = await createSelection(domain, bench.viewer, wish(BATCH + 10, "c"));
    expect([second.jobs.length, third.jobs.length]).toEqual([BATCH - 1, 1]);
    await expect(createSelection(domain, bench.viewer, wish(BATCH + 10, "d"))).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(await domain.selections.countDocuments({ endedAt: null })).toBe(1);
  });

  it("goes on with a request that was interrupted before its first batch", async () => {
    const key = randomUUID();
    const { batchId } = await createSelection(domain, bench.viewer, wish(2 * BATCH + 5), key);
    await domain.jobs.deleteMany({});
    await domain.selections.updateOne({ _id: batchId }, { $set: { queued: 0 } });
    const again = await createSelection(domain, bench.viewer, wish(2 * BATCH + 5), key);
    expect([again.batchId, again.jobs.length]).toEqual([batchId, BATCH]);
  });
});

describe("queueMore", () => {
  it("queues the last links, however few", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(BATCH + 1));
    await completeUntil(batchId, 0);
    expect(await queueMore(domain, batchId)).toBe(1);
    expect((await selectionOf(batchId))?.endedAt).not.toBeNull();
  });

  it.each([
    [ACTIVE_LIMIT - spareOf(ACTIVE_LIMIT) - 1, 1],
    [ACTIVE_LIMIT - spareOf(ACTIVE_LIMIT), 0],
    [ACTIVE_LIMIT - spareOf(ACTIVE_LIMIT) + 1, 0],
  ])("with %i other jobs of the owner adds %i", async (others, added) => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    await completeUntil(batchId, 0);
    for (const youtubeUrl of links(others, "other"))
      await createConversion(domain, bench.viewer, { youtubeUrl, format: "mp3" });
    expect(await queueMore(domain, batchId)).toBe(added);
  });

  it.each([BATCH, 7])("finds %i jobs again that a dead process had added and not counted", async (count) => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    await completeUntil(batchId, 0);
    await queueMore(domain, batchId);
    // As after a crash between the two writes.
    const late = (await jobsOf(batchId)).slice(BATCH + count).map(({ _id }) => _id);
    await domain.jobs.deleteMany({ _id: { $in: late } });
    await domain.selections.updateOne({ _id: batchId }, { $set: { queued: BATCH } });
    await completeUntil(batchId, 0);
    for (let queued = BATCH + count; queued <= 3 * BATCH; queued += BATCH) {
      await queueMore(domain, batchId);
      await completeUntil(batchId, 0);
    }
    await queueMore(domain, batchId);
    expect((await jobsOf(batchId)).map(({ sourceUrl }) => sourceUrl)).toEqual(links(3 * BATCH));
  });

  it("is left to the process that adds jobs until its time is over", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    await completeUntil(batchId, 0);
    const feedsUntil = new Date(Date.now() + 60_000);
    await domain.selections.updateOne({ _id: batchId }, { $set: { feedsUntil } });
    expect(await queueMore(domain, batchId)).toBe(0);
    expect(await queueMoreOfAll(domain)).toBe(0);
    expect(await queueMoreOfAll(domain, feedsUntil)).toBe(BATCH);
  });

  it("waits when the queue of the plan is full, and keeps the links", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    await completeUntil(batchId, 0);
    const full = { ...domain, limits: { ...domain.limits, activeJobsPerTier: 0 } };
    await expect(queueMore(full, batchId)).rejects.toMatchObject({ code: "queue_full" });
    expect(await queueMoreIfPossible(full, batchId)).toBe(0);
    expect(await queueMoreIfPossible(domain, batchId)).toBe(BATCH);
  });

  it.each([
    [REFILL_AT + 1, 0],
    [REFILL_AT, 0],
    [REFILL_AT - 1, BATCH],
  ])("with %i active jobs of the selection adds %i", async (active, added) => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    await completeUntil(batchId, active);
    expect(await queueMore(domain, batchId)).toBe(added);
  });
});

describe("a batch of a selection", () => {
  it("cancels jobs that were being added meanwhile", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
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
    expect(jobs.slice(BATCH).map(({ status }) => status)).toEqual(Array.from({ length: BATCH }, () => "canceled"));
    expect(new Set(jobs.map(({ batchTotal }) => batchTotal))).toEqual(new Set([2 * BATCH]));
  });

  it("cannot be canceled by another user", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    const other = await signUp("other@example.org");
    await expect(cancelBatch(domain, other, batchId)).rejects.toMatchObject({ code: "not_found" });
    expect((await selectionOf(batchId))?.endedAt).toBeNull();
  });

  it("can be canceled when none of its jobs is left", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    await domain.jobs.deleteMany({});
    expect(await cancelBatch(domain, bench.viewer, batchId)).toEqual([]);
    await expect(cancelBatch(domain, bench.viewer, batchId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("goes on when one job is canceled", async () => {
    const { batchId, jobs } = await createSelection(domain, bench.viewer, wish(2 * BATCH));
    for (const job of jobs) await cancelJob(domain, bench.viewer, job._id);
    expect(await queueMore(domain, batchId)).toBe(BATCH);
  });

  it("retries as many jobs as slots are free", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    for (let batch = 0; batch < 3; batch += 1) {
      for (const job of (await jobsOf(batchId)).filter(({ status }) => status === "queued")) {
        await claimJob(domain, job._id, "w");
        await failJob(domain, job, "unavailable", { message: "It is gone." });
      }
      await queueMore(domain, batchId);
    }
    expect(await retryBatch(domain, bench.viewer, batchId)).toHaveLength(ACTIVE_LIMIT);
    await expect(retryBatch(domain, bench.viewer, batchId)).rejects.toMatchObject({ code: "rate_limited" });
  });
});
