import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../common/durations.ts";
import type { CreateSelection } from "../../../common/lists.ts";
import { JobMessage } from "../../../common/webhook-calls.ts";
import { completeByWorker } from "../../dev/testing/stored-jobs.ts";
import { besideDomain } from "../../dev/testing/test-domain.ts";
import { ACTIVE_LIMIT, BATCH, links, selectionsForTests, wish } from "../../dev/testing/test-selections.ts";
import { applyBlocks, findDueBlocks } from "../blocks/apply-blocks.ts";
import { addBlock } from "../blocks/change-blocks.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { subjectsOf } from "../blocks/subjects.ts";
import { siteOf } from "../sites/site-of.ts";
import { createWebhook } from "../webhooks/webhooks.ts";
import { cancelBatch } from "./batches.ts";
import { cancelJob, cancelOrRemove } from "./end-jobs.ts";
import type { StoredJob } from "./job-model.ts";
import { expireFiles, reissueTickets } from "./maintenance.ts";
import { presentJob } from "./present.ts";
import { retryJob } from "./retry-jobs.ts";
import { createSelection, queueMore } from "./selections.ts";
import { addTape, findTape, followAllSongs, followSongs, songsOf, waitForSongs } from "./tapes.ts";
import { beginProcessing, claimJob, finishJob } from "./work.ts";

const bench = selectionsForTests();
const { domain, jobsOf, complete, completeUntil } = bench;

const tapeOf = (count: number): CreateSelection => ({ ...wish(count), asOneFile: true });
const create = (input: CreateSelection, key?: string) => createSelection(domain, bench.viewer, input, key);
const stored = async (batchId: string): Promise<StoredJob> => {
  const tape = await findTape(domain, batchId);
  if (!tape) throw new Error("there is no tape");
  return tape;
};
const hasTicket = ({ _id }: StoredJob) => domain.waiting.some(({ jobId }) => jobId === _id);
const always = () => Promise.resolve(true);

/** @returns a tape whose songs are all there, with the songs */
async function readyTape(count: number) {
  const { batchId } = await create(tapeOf(count));
  const files = await Promise.all(
    (await jobsOf(batchId)).map(async (job, index) => {
      await domain.jobs.updateOne(
        { _id: job._id },
        { $set: { fileKey: `song-${index}.1.mp3`, title: `Song ${index}` } },
      );
      return job;
    }),
  );
  await complete(files);
  await followSongs(domain, batchId);
  return { batchId, songs: await jobsOf(batchId), tape: await stored(batchId) };
}

describe("a selection as one file", () => {
  it("has one more job, which waits for the others without a ticket", async () => {
    const { batchId, jobs, tape } = await create(tapeOf(3));
    expect(jobs).toHaveLength(3);
    expect(tape).toBeDefined();
    expect(presentJob(await stored(batchId))).toMatchObject({
      id: tape?._id,
      status: "queued",
      title: "Rain of a year",
      format: "mp3",
      tape: { batchId, songs: 3, waitsFor: 3 },
    });
    expect(siteOf((await stored(batchId)).sourceUrl)).toBe("");
    expect(domain.waiting).toHaveLength(3);
    expect(presentJob(await stored(batchId))).not.toHaveProperty("batchId");
    expect(await reissueTickets(domain, new Date(Date.now() + 60_000))).toBe(0);
  });

  it("is not asked for without the field", async () => {
    const { batchId, tape } = await create(wish(3));
    expect([tape, await findTape(domain, batchId)]).toEqual([undefined, null]);
  });

  it("takes as many songs as a batch, and not one more", async () => {
    expect((await create(tapeOf(BATCH))).tape).toBeDefined();
    await expect(create({ ...tapeOf(BATCH + 1), urls: links(BATCH + 1, "w") })).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining(String(BATCH)) as string,
    });
    expect(await domain.jobs.countDocuments()).toBe(BATCH + 1);
  });

  it("gives a repeated request the same tape, and refuses the key for a request without one", async () => {
    const key = randomUUID();
    const first = await create(tapeOf(3), key);
    expect(await create(tapeOf(3), key)).toEqual(first);
    expect(await domain.jobs.countDocuments()).toBe(4);
    await expect(create(wish(3), key)).rejects.toMatchObject({ code: "conflict" });
  });

  it("holds a slot of its owner, and leaves nothing behind where there is none for it and a song", async () => {
    const { jobs } = await create({ ...wish(BATCH), urls: links(BATCH, "x") });
    await create({ ...wish(BATCH), urls: links(BATCH - 1, "y") });
    expect(jobs).toHaveLength(ACTIVE_LIMIT / 2);
    await expect(create(tapeOf(1))).rejects.toMatchObject({ code: "rate_limited" });
    expect(await domain.jobs.countDocuments({ tape: { $exists: true } })).toBe(0);
    await cancelJob(domain, bench.viewer, jobs[0]?._id ?? "");
    expect((await create(tapeOf(1))).tape).toMatchObject({ place: expect.any(String) as string });
  });

  it("makes one tape when a process that has made it dies before the songs are queued", async () => {
    const { batchId } = await create(tapeOf(2));
    const selection = { _id: batchId, title: "Rain of a year", total: 2, format: "mp3" } as const;
    await addTape(domain, bench.viewer, selection);
    expect(await domain.jobs.countDocuments({ "tape.batchId": batchId })).toBe(1);
  });
});

describe("the wait for songs", () => {
  it("is told with each song that ends, whatever its end, and is over with the last one", async () => {
    const { batchId, jobs } = await create(tapeOf(3));
    await completeUntil(batchId, 2);
    expect(await followSongs(domain, batchId)).toBe(false);
    expect((await stored(batchId)).tape).toMatchObject({ waitsFor: 2 });
    await cancelJob(domain, bench.viewer, jobs[2]?._id ?? "");
    await completeUntil(batchId, 0);
    expect(await followSongs(domain, batchId)).toBe(true);
    const tape = await stored(batchId);
    expect([tape.tape, hasTicket(tape)]).toEqual([{ batchId, songs: 3 }, true]);
    expect(await followSongs(domain, batchId)).toBe(false);
    const pushed = (await domain.published("job")).flatMap(({ job }) =>
      job.id === tape._id ? [job.tape?.waitsFor] : [],
    );
    expect(pushed).toEqual([3, 2, undefined]);
  });

  it("is looked after by the sweep, and counts links that are not queued yet", async () => {
    // So many other jobs that one link of three finds room.
    await create({ ...wish(BATCH), urls: links(BATCH, "x") });
    await create({ ...wish(BATCH), urls: links(BATCH - 2, "y") });
    const { batchId, jobs } = await create(tapeOf(3));
    expect(jobs).toHaveLength(1);
    await completeUntil(batchId, 0);
    expect(await followAllSongs(domain)).toBe(0);
    expect((await stored(batchId)).tape).toMatchObject({ waitsFor: 2 });
    await domain.jobs.updateMany(
      { tape: null, batchId: { $ne: batchId } },
      { $set: { status: "canceled" }, $unset: { place: 1 } },
    );
    await queueMore(domain, batchId);
    expect(await jobsOf(batchId)).toHaveLength(3);
    await completeUntil(batchId, 0);
    expect(await followAllSongs(domain)).toBe(1);
    expect(await domain.jobs.countDocuments({ "tape.batchId": batchId })).toBe(1);
  });

  it("is over once, also where two processes see its end at the same moment", async () => {
    const { batchId } = await create(tapeOf(2));
    await completeUntil(batchId, 0);
    const followed = await Promise.all([domain, besideDomain(domain)].map((each) => followSongs(each, batchId)));
    expect(followed.filter(Boolean)).toEqual([true]);
  });

  it("gets a ticket by the sweep when the process died before it had one", async () => {
    const { tape } = await readyTape(2);
    domain.waiting.length = 0;
    expect(await reissueTickets(domain, new Date(Date.now() + 60_000))).toBe(1);
    expect(hasTicket(tape)).toBe(true);
  });

  it("begins again when a song is retried before the tape is made", async () => {
    const { batchId, songs, tape } = await readyTape(2);
    const claimed = await claimJob(domain, tape._id, "worker");
    await domain.jobs.updateOne({ _id: songs[0]?._id }, { $set: { status: "failed" } });
    await retryJob(domain, bench.viewer, songs[0]?._id ?? "");
    expect(await waitForSongs(domain, claimed ?? tape)).not.toBeNull();
    expect(await stored(batchId)).toMatchObject({ status: "queued", attempt: 2, tape: { waitsFor: 1 } });
    expect(await reissueTickets(domain, new Date(Date.now() + 60_000))).toBe(0);
  });
});

describe("a tape that is made", () => {
  it("is announced to webhooks as a job with its songs, and with what is missing", async () => {
    await createWebhook(domain, bench.viewer.userId ?? "", { url: "https://hooks.example/" });
    const { batchId, tape } = await readyTape(2);
    await claimJob(domain, tape._id, "w");
    await beginProcessing(domain, tape, { stage: "store", progress: 99 });
    await domain.jobs.updateOne({ _id: tape._id }, { $set: { songsMissing: "Song 1" } });
    await finishJob(domain, tape, { fileKey: "tape.1.mp3", fileSize: 1 }, tape.tier);
    const { deliveries } = domain.webhookRecords;
    await expect.poll(() => deliveries.countDocuments({ messageId: `${tape._id}.1` })).toBe(1);
    const delivery = await deliveries.findOne({ messageId: `${tape._id}.1` }).lean();
    const message = JobMessage.parse(JSON.parse(delivery?.body ?? ""));
    expect(message).toMatchObject({
      type: "job.completed",
      job: { id: tape._id, title: "Rain of a year", tape: { batchId, songs: 2 }, songsMissing: "Song 1" },
    });
    expect(message.job).not.toHaveProperty("tape.waitsFor");
  });

  it("expires as any file, and its songs at their own time", async () => {
    const { batchId, songs, tape } = await readyTape(2);
    await completeByWorker(domain, tape);
    const due = new Date(Date.now() + 30 * DAY_MS);
    await domain.jobs.updateMany({ batchId }, { $set: { expiresAt: new Date(due.getTime() + 1) } });
    await expireFiles(domain, due);
    expect(await domain.stored(tape._id)).toMatchObject({ status: "completed", isExpired: true });
    expect(domain.removedFiles).toEqual([`${tape._id}.1.mp3`]);
    expect(await domain.jobs.countDocuments({ batchId, isExpired: { $ne: true } })).toBe(songs.length);
  });
});

describe("the songs of a tape", () => {
  it("are those that are there, in the order of the list, and the others are named", async () => {
    const { songs, tape } = await readyTape(5);
    const [first, second, third, fourth] = songs;
    await domain.jobs.updateOne({ _id: first?._id }, { $set: { status: "failed", title: "x".repeat(81) } });
    await domain.jobs.updateOne({ _id: second?._id }, { $set: { expiresAt: new Date(0) } });
    await cancelOrRemove(domain, bench.viewer, fourth?._id ?? "");
    const isStored = ({ _id }: StoredJob) => Promise.resolve(_id !== third?._id);
    const found = await songsOf(domain, tape.tape ?? { batchId: "", songs: 0 }, isStored);
    expect(found.songs.map(({ title }) => title)).toEqual(["Song 4"]);
    expect(found.missing).toBe(`${"x".repeat(80)}… · Song 1 · Song 2 · +1`);
    expect(found.waitsFor).toBe(0);
    expect(found.subjects).toEqual(subjectsOf(songs[4]?.sourceUrl ?? ""));
  });

  it("are left alone when the tape is canceled, and the tape is canceled with all of them", async () => {
    const one = await create(tapeOf(2));
    await cancelJob(domain, bench.viewer, one.tape?._id ?? "");
    expect((await jobsOf(one.batchId)).map(({ status }) => status)).toEqual(["queued", "queued"]);
    const other = await create({ ...tapeOf(2), urls: links(2, "other") });
    await cancelBatch(domain, bench.viewer, other.batchId);
    expect(await stored(other.batchId)).toMatchObject({ status: "canceled" });
  });

  it("are not waited for by a canceled tape that is retried after they have ended", async () => {
    const { batchId, tape } = await create(tapeOf(2));
    await cancelJob(domain, bench.viewer, tape?._id ?? "");
    await completeUntil(batchId, 0);
    const retried = await retryJob(domain, bench.viewer, tape?._id ?? "");
    expect([retried.tape, hasTicket(retried)]).toEqual([{ batchId, songs: 2 }, true]);
  });

  it("take the tape with them when one of them is blocked", async () => {
    const { songs, tape } = await readyTape(2);
    const { subjects } = await songsOf(domain, tape.tape ?? { batchId: "", songs: 0 }, always);
    const made = {
      status: "completed",
      fileKey: "tape.1.mp3",
      fileSize: 1,
      expiresAt: new Date(Date.now() + 60_000),
      subjects,
    };
    await domain.jobs.updateOne({ _id: tape._id }, { $set: made });
    await addBlock(domain, { kind: "video", value: songs[1]?.sourceUrl ?? "", reason: "a claim", by: "alice" });
    await applyBlocks(domain, await findDueBlocks(domain));
    expect(await domain.stored(tape._id)).toMatchObject({ isBlocked: true, isExpired: true });
    expect(domain.removedFiles).toContain("tape.1.mp3");
  });

  it("go with the account, and the tape with them", async () => {
    const { batchId } = await create(tapeOf(2));
    await deleteAccount(domain, bench.viewer.userId ?? "");
    expect(await findTape(domain, batchId)).toMatchObject({ status: "canceled" });
  });
});
