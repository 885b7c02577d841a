import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { ConversionChoices } from "../../../common/choices.ts";
import { HOUR_MS } from "../../../common/durations.ts";
import type { CreateSelection } from "../../../common/lists.ts";
import { besideDomain, newViewer } from "../../dev/testing/test-domain.ts";
import { BATCH, links, selectionsForTests, wish } from "../../dev/testing/test-selections.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { changeTier } from "../accounts/tier-sources.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelBatch, createBatch } from "./batches.ts";
import { presentJob } from "./present.ts";
import { deleteOldSelections } from "./selection-end.ts";
import { createSelection, queueMore, queueMoreOfAll, REFILL_AT, spareOf } from "./selections.ts";

const bench = selectionsForTests();
const { domain, signUp, jobsOf, selectionOf, completeUntil } = bench;

describe("createSelection", () => {
  it("queues the first batch and keeps the other links", async () => {
    const { batchId, total, jobs, refused } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    expect([total, refused]).toEqual([3 * BATCH, []]);
    expect(jobs.map(({ sourceUrl }) => sourceUrl)).toEqual(links(BATCH));
    expect(jobs.map((job) => presentJob(job))).toEqual(
      jobs.map((_, batchPosition): unknown =>
        expect.objectContaining({ batchId, batchTitle: "Rain of a year", batchTotal: 3 * BATCH, batchPosition }),
      ),
    );
    expect(domain.waiting).toHaveLength(BATCH);
    expect(await selectionOf(batchId)).toMatchObject({ queued: BATCH, total: 3 * BATCH, endedAt: null });
  });

  it.each([
    [1, 1, true],
    [BATCH - 1, BATCH - 1, true],
    [BATCH, BATCH, true],
    [BATCH + 1, BATCH, false],
  ])("of %i links queues %i at once", async (count, queued, isEnded) => {
    const { batchId, jobs } = await createSelection(domain, bench.viewer, wish(count));
    expect(jobs).toHaveLength(queued);
    const stored = await selectionOf(batchId);
    expect(stored?.endedAt !== null).toBe(isEnded);
    expect(stored?.links).toHaveLength(isEnded ? 0 : count);
  });

  it("checks each link on its own and counts the accepted ones", async () => {
    const urls = ["https://video.example/a", "cats", "", "https://video.example/a", "https://video.example/b"];
    const { total, jobs, refused } = await createSelection(domain, bench.viewer, { ...wish(0), urls });
    expect([total, jobs.length]).toEqual([2, 2]);
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [2, "invalid_link"],
      [4, "conflict"],
    ]);
  });

  it.each([
    ["a free visitor", () => newViewer(), wish(2), "pro_required"],
    ["no link that is accepted", () => bench.viewer, { ...wish(0), urls: ["cats"] }, "invalid_link"],
    ["no link at all", () => bench.viewer, wish(0), "invalid_link"],
  ])("refuses %s", async (_, who, input, code) => {
    await expect(createSelection(domain, who(), input)).rejects.toMatchObject({ code });
    expect(await domain.selections.countDocuments()).toBe(0);
  });

  it("answers a repeated request with the first selection", async () => {
    const key = randomUUID();
    const first = await createSelection(domain, bench.viewer, wish(2 * BATCH + 5), key);
    const second = await createSelection(domain, bench.viewer, wish(2 * BATCH + 5), key);
    expect(second).toEqual(first);
    expect(await domain.jobs.countDocuments()).toBe(BATCH);
    await expect(createSelection(domain, bench.viewer, wish(2 * BATCH + 4), key)).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(
      createSelection(domain, bench.viewer, { ...wish(2 * BATCH + 5), format: "mp4" }, key),
    ).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("makes one selection of two equal requests at the same moment, and answers both with its first jobs", async () => {
    const other = { ...domain };
    const key = randomUUID();
    const answers = await Promise.all([
      createSelection(domain, bench.viewer, wish(2 * BATCH + 5), key),
      createSelection(other, bench.viewer, wish(2 * BATCH + 5), key),
    ]);
    expect(answers[0].batchId).toBe(answers[1].batchId);
    expect(answers.map(({ jobs }) => jobs.length)).toEqual([BATCH, BATCH]);
    expect([await domain.selections.countDocuments(), await domain.jobs.countDocuments()]).toEqual([1, BATCH]);
  });

  it("refuses a repeated request, too, whose first one is refused while it waits for it", async () => {
    const key = randomUUID();
    const { batchId } = await createSelection(domain, bench.viewer, wish(BATCH + 1), key);
    await domain.jobs.deleteMany({});
    for (const urls of [links(BATCH, "a"), links(BATCH, "b")])
      await createBatch(domain, bench.viewer, { urls, format: "mp3" });
    // Another process is about to queue its links.
    const feedsUntil = new Date(Date.now() + HOUR_MS);
    await domain.selections.updateOne({ _id: batchId }, { $set: { queued: 0, feedsUntil } });
    const turns = vi.spyOn(domain.selections, "findOneAndUpdate");
    const repeated = createSelection(domain, bench.viewer, wish(BATCH + 1), key);
    await expect.poll(() => turns.mock.calls.length).toBeGreaterThan(0);
    turns.mockRestore();
    await domain.selections.deleteOne({ _id: batchId });
    await expect(repeated).rejects.toMatchObject({ code: "rate_limited" });
    expect(await domain.selections.countDocuments()).toBe(0);
  });

  it.each([
    [1, 0],
    [2, 1],
    [10, 9],
    [11, 10],
    [1_000, 10],
  ])("of a user who may have %i jobs at once leaves %i of them free later", (slots, spare) =>
    expect(spareOf(slots)).toBe(spare),
  );

  it("goes on where its owner may have few jobs at once", async () => {
    const few = besideDomain(domain, { activeJobs: { free: 1, pro: 2 } });
    const { batchId, jobs } = await createSelection(few, bench.viewer, wish(3));
    expect(jobs).toHaveLength(2);
    await completeUntil(batchId, 0);
    expect(await queueMore(few, batchId)).toBe(1);
  });
});

describe("a selection of an album", () => {
  const album = { title: "Weather", artist: "Rain", of: 9_000 };
  const ofAlbum = (count: number): CreateSelection => ({
    ...wish(count),
    choices: { album },
    tracks: links(count).map((_, index) => 2 * index + 1),
  });
  const tracksOf = async (batchId: string) => (await jobsOf(batchId)).map(({ choices }) => choices?.album?.track);

  it("gives each job its number in the whole album, also those that are queued later", async () => {
    const input = ofAlbum(2 * BATCH + 5);
    const { batchId, jobs } = await createSelection(domain, bench.viewer, input);
    expect(jobs[1]?.choices).toEqual({ album: { ...album, track: 3 } });
    for (const _ of [1, 2]) {
      await completeUntil(batchId, 0);
      await queueMore(domain, batchId);
    }
    expect(await tracksOf(batchId)).toEqual(input.tracks);
  });

  it("keeps the numbers of the accepted links where others are refused", async () => {
    const urls = ["cats", ...links(2), "", ...links(3)];
    const input = { ...ofAlbum(0), urls, tracks: [1, 2, 3, 4, 5, 6, 7] };
    const { batchId } = await createSelection(domain, bench.viewer, input);
    expect(await tracksOf(batchId)).toEqual([2, 3, 7]);
  });

  it("shares the file of a song with equal requests, and with no others", async () => {
    const { jobs } = await createSelection(domain, bench.viewer, ofAlbum(2));
    const keyOf = async (choices?: ConversionChoices) => {
      const input = { youtubeUrl: links(2)[1] ?? "", format: "mp3", choices } as const;
      return (await createConversion(domain, bench.viewer, input)).conversionKey;
    };
    const key = jobs[1]?.conversionKey;
    expect(await keyOf({ album: { ...album, track: 3 } })).toBe(key);
    expect(await keyOf({ album: { ...album, track: 4 } })).not.toBe(key);
    expect(await keyOf({ album: { ...album, title: "Best of", track: 3 } })).not.toBe(key);
    expect(await keyOf({ album: { ...album, track: 3 }, tags: { artist: "Me" } })).not.toBe(key);
    expect(await keyOf()).not.toBe(key);
  });

  it("takes a repeated request with other numbers for a different one", async () => {
    const key = randomUUID();
    const { batchId } = await createSelection(domain, bench.viewer, ofAlbum(2), key);
    expect((await createSelection(domain, bench.viewer, ofAlbum(2), key)).batchId).toBe(batchId);
    const other = createSelection(domain, bench.viewer, { ...ofAlbum(2), tracks: [4, 5] }, key);
    await expect(other).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("queueMore", () => {
  it("queues a selection of three batches, in order, without a gap", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    for (let batch = 1; batch < 3; batch += 1) {
      await completeUntil(batchId, REFILL_AT - 1);
      expect(await queueMore(domain, batchId)).toBe(BATCH);
    }
    const jobs = await jobsOf(batchId);
    expect(jobs.map(({ sourceUrl }) => sourceUrl)).toEqual(links(3 * BATCH));
    expect(jobs.map(({ batchPosition }) => batchPosition)).toEqual(Array.from(jobs, (_, index) => index));
    expect(await selectionOf(batchId)).toMatchObject({
      queued: 3 * BATCH,
      links: [],
      endedAt: expect.any(Date) as Date,
    });
    await completeUntil(batchId, 0);
    expect(await queueMore(domain, batchId)).toBe(0);
  });

  it("adds each link once when several processes try at the same moment", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    await completeUntil(batchId, 0);
    const processes = Array.from({ length: 4 }, () => ({ ...domain }));
    const added = await Promise.all(processes.map((process) => queueMore(process, batchId)));
    expect(added.toSorted((a, b) => a - b)).toEqual([0, 0, 0, BATCH]);
    expect((await jobsOf(batchId)).map(({ sourceUrl }) => sourceUrl)).toEqual(links(2 * BATCH));
  });

  it.each([
    ["the user is not Pro any more", () => changeTier(domain, "pro@example.org", "free")],
    [
      "the account was deleted",
      () => domain.users.updateOne({ _id: bench.viewer.userId }, { $set: { deletedAt: new Date() } }),
    ],
  ])("ends the selection when %s", async (_, happen) => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    await completeUntil(batchId, 0);
    await happen();
    expect(await queueMore(domain, batchId)).toBe(0);
    expect(await selectionOf(batchId)).toMatchObject({ endedAt: expect.any(Date) as Date, links: [], queued: BATCH });
    expect((await jobsOf(batchId)).map(({ batchTotal }) => batchTotal)).toEqual(
      Array.from({ length: BATCH }, () => BATCH),
    );
    expect((await domain.published("job")).at(-1)?.job.batchTotal).toBe(BATCH);
  });
});

describe("queueMoreOfAll", () => {
  it("goes on with the selections of all users", async () => {
    const other = await signUp("other@example.org");
    const batches = [
      await createSelection(domain, bench.viewer, wish(BATCH + 10)),
      await createSelection(domain, other, wish(BATCH + 15)),
    ];
    for (const { batchId } of batches) await completeUntil(batchId, 0);
    expect(await queueMoreOfAll(domain)).toBe(10 + 15);
    expect(await queueMoreOfAll(domain)).toBe(0);
  });
});

describe("a batch of a selection", () => {
  it("is canceled with the links that were not queued yet", async () => {
    const { batchId } = await createSelection(domain, bench.viewer, wish(3 * BATCH));
    const canceled = await cancelBatch(domain, bench.viewer, batchId);
    expect(canceled).toHaveLength(BATCH);
    expect(await queueMore(domain, batchId)).toBe(0);
    expect((await jobsOf(batchId)).map(({ status, batchTotal }) => [status, batchTotal])).toEqual(
      Array.from({ length: BATCH }, () => ["canceled", BATCH]),
    );
  });
});

it("deletes the selections of a deleted account", async () => {
  await createSelection(domain, bench.viewer, wish(3 * BATCH));
  await deleteAccount(domain, bench.viewer.userId ?? "");
  expect(await domain.selections.countDocuments()).toBe(0);
});

it("deletes selections a day after their end, and no open ones", async () => {
  const ended = await createSelection(domain, bench.viewer, wish(2, "a"));
  const open = await createSelection(domain, bench.viewer, wish(BATCH + 10, "b"));
  const endedAt = (await selectionOf(ended.batchId))?.endedAt?.getTime() ?? 0;
  const day = 24 * 60 * 60 * 1_000;
  expect(await deleteOldSelections(domain, new Date(endedAt + day - 1))).toBe(0);
  expect(await deleteOldSelections(domain, new Date(endedAt + day))).toBe(1);
  expect((await domain.selections.find().lean()).map(({ _id }) => _id)).toEqual([open.batchId]);
});
