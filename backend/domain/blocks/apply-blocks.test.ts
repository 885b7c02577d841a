import { beforeEach, describe, expect, it, vi } from "vitest";
import { SENTENCES, type UserError } from "../../../common/errors.ts";
import { besideDomain, domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import type { Domain } from "../domain.ts";
import { fileKeyOf, isFileInUse } from "../jobs/files.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { presentJob } from "../jobs/present.ts";
import { createBatch, getFinishedBatch, retryBatch } from "../jobs/batches.ts";
import { createConversion } from "../jobs/add-jobs.ts";
import { removeJob } from "../jobs/end-jobs.ts";
import { getFinishedJob } from "../jobs/read-jobs.ts";
import { retryJob } from "../jobs/retry-jobs.ts";
import { claimJob, describeJob, failJob, finishJob } from "../jobs/work.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { applyBlocks, findDueBlocks } from "./apply-blocks.ts";
import type { BlockKind } from "../../../common/block-kinds.ts";
import {
  addBlock,
  deleteEndedBlocks,
  deleteOldBlockLog,
  listBlocks,
  readBlockLog,
  readBlockVersion,
  removeBlock,
} from "./change-blocks.ts";
import { subjectsOf, videoSubject } from "./subjects.ts";
import { watchBlocks } from "./watch-blocks.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const domain = domainForTests();

/** As the watch of a process does. */
const applyDue = async (now?: Date) => applyBlocks(domain, await findDueBlocks(domain, now));
const linkOf = (id: string) => `https://youtu.be/${id.padEnd(11, "x")}`;
const block = (kind: BlockKind, value: string, until?: Date) =>
  addBlock(domain, { kind, value, reason: "a claim", by: "alice", until });

async function start(link: string, viewer: Viewer = newViewer()): Promise<StoredJob> {
  const { _id } = await createConversion(domain, viewer, { youtubeUrl: link, format: "mp3" });
  const job = await claimJob(domain, _id, "worker");
  if (!job) throw new Error("a job could not be claimed");
  return job;
}

async function complete(link: string, viewer?: Viewer, channelIds: string[] = []): Promise<StoredJob> {
  const job = await start(link, viewer);
  const subjects = subjectsOf(job.sourceUrl, { channelIds, hosts: ["media.example"] });
  await describeJob(domain, job, { thumbnailKey: `${job._id}.1.jpg`, subjects });
  await domain.jobs.updateOne({ _id: job._id }, { status: "processing" });
  const done = await finishJob(domain, job, { fileKey: fileKeyOf(job), fileSize: 1 }, "free");
  if (!done) throw new Error("a job could not be completed");
  return done;
}

describe("a blocked video", () => {
  it("loses its file and its picture, and its jobs say why", async () => {
    const viewer = newViewer();
    const job = await complete(linkOf("a"), viewer);
    const other = await complete(linkOf("b"), viewer);
    await block("video", "youtube:axxxxxxxxxx");
    expect(await applyDue()).toBe(1);
    expect(domain.removedFiles.toSorted()).toEqual([`${job._id}.1.jpg`, `${job._id}.1.mp3`]);
    const wire = presentJob((await domain.stored(job._id)) as StoredJob);
    expect(wire).toMatchObject({ status: "completed", isBlocked: true });
    expect(wire).not.toHaveProperty("downloadUrl");
    expect(wire).not.toHaveProperty("thumbnailUrl");
    expect(await isFileInUse(domain, `${other._id}.1.mp3`)).toBe(true);
    expect((await domain.published("job")).at(-1)?.job).toMatchObject({ id: job._id, isBlocked: true });
    await expect(getFinishedJob(domain, viewer, job._id)).rejects.toMatchObject({ code: "blocked" });
    expect(await getFinishedJob(domain, viewer, other._id)).toMatchObject({ _id: other._id });
    expect(
      (await readBlockLog(domain)).map(({ by, action, files, pictures }) => [by, action, files, pictures]),
    ).toEqual([
      ["alice", "added", undefined, undefined],
      ["server", "applied", 1, 1],
    ]);
    // The visitor can still remove the row.
    await removeJob(domain, (await domain.stored(job._id)) as StoredJob);
  });

  it("ends its queued and running jobs, and no others", async () => {
    const queued = await createConversion(domain, newViewer(), { youtubeUrl: linkOf("a"), format: "mp3" });
    const running = await start(linkOf("a"));
    const other = await start(linkOf("b"));
    await block("video", "youtube:axxxxxxxxxx");
    await applyDue();
    const statuses = await Promise.all(
      [queued, running, other].map(async ({ _id }) => (await domain.stored(_id))?.status),
    );
    expect(statuses).toEqual(["failed", "failed", "pending"]);
    expect((await domain.stored(running._id))?.error).toEqual({ code: "blocked", message: SENTENCES.blocked });
    expect((await domain.published("job:stop")).map(({ id }) => id)).toEqual(
      expect.arrayContaining([queued._id, running._id]),
    );
    expect(domain.waiting.map(({ jobId }) => jobId)).not.toContain(queued._id);
    // What the worker still wrote is not the job's.
    expect(await finishJob(domain, running, { fileKey: "late", fileSize: 1 }, "free")).toBeNull();
  });

  it("shares its file with other jobs of the video: it is deleted once, and counted once", async () => {
    const one = await complete(linkOf("a"));
    const two = await complete(linkOf("a"));
    await domain.jobs.updateOne({ _id: two._id }, { fileKey: one.fileKey, $unset: { thumbnailKey: 1 } });
    await block("video", "youtube:axxxxxxxxxx");
    await applyDue();
    expect(domain.removedFiles.filter((key) => key === one.fileKey)).toHaveLength(1);
    expect((await readBlockLog(domain)).at(-1)).toMatchObject({ files: 1, pictures: 1 });
  });

  it("is blocked by all its addresses where jobs know that they lead to it", async () => {
    const origin = { videoId: "videos:7", channelIds: [], hosts: [] };
    const completeRead = async (link: string): Promise<StoredJob> => {
      const job = await complete(link);
      const about = { subjects: subjectsOf(job.sourceUrl, origin), video: videoSubject("videos:7") };
      await domain.jobs.updateOne({ _id: job._id }, { $set: about });
      return job;
    };
    const one = await completeRead("https://video.example/watch/7");
    const two = await completeRead("https://video.example/embed/7");
    const other = await complete("https://video.example/watch/8");
    await using watch = await watching();
    const { _id } = await block("video", "https://video.example/watch/7");
    await watch.untilApplied(_id);
    const kept = await Promise.all([one, two, other].map(({ fileKey = "" }) => isFileInUse(domain, fileKey)));
    expect(kept).toEqual([false, false, true]);
    // A third address of it is refused once it was read.
    const refusal = (videoId: string): unknown => {
      try {
        return domain.blocks.requireVideo("https://video.example/v/1", { ...origin, videoId });
      } catch (error) {
        return error;
      }
    };
    await expect.poll(() => refusal("videos:7")).toMatchObject({ code: "blocked" });
    expect(refusal("videos:8")).toBeUndefined();
  });

  it("cannot be asked for or retried any more, and can after the entry was removed", async () => {
    const viewer = newViewer({ tier: "pro" });
    const job = await start(linkOf("a"), viewer);
    await failJob(domain, job, "network");
    const batch = await createBatch(domain, viewer, { urls: [linkOf("a"), linkOf("b")], format: "mp3" });
    for (const { _id } of batch.jobs) await failJob(domain, (await claimJob(domain, _id, "w")) as StoredJob, "network");
    await block("video", "youtube:axxxxxxxxxx");
    await using watch = await watching();
    await expect(retryJob(domain, viewer, job._id)).rejects.toMatchObject({ code: "blocked" });
    expect((await retryBatch(domain, viewer, batch.batchId)).map(({ sourceUrl }) => sourceUrl)).toEqual([
      "https://www.youtube.com/watch?v=bxxxxxxxxxx",
    ]);
    const ask = { youtubeUrl: linkOf("a"), format: "mp3" } as const;
    await expect(createConversion(domain, viewer, ask)).rejects.toMatchObject({ code: "blocked" });
    const again = await createBatch(domain, viewer, { urls: [linkOf("a"), linkOf("c")], format: "mp3" });
    expect(again.refused).toMatchObject([{ line: 1, code: "blocked", message: SENTENCES.blocked }]);
    await removeBlock(domain, { kind: "video", value: "youtube:axxxxxxxxxx", by: "bob" });
    await watch.untilAllowed("https://www.youtube.com/watch?v=axxxxxxxxxx");
    expect(await createConversion(domain, viewer, ask)).toMatchObject({ status: "queued" });
  });
});

it.each<[BlockKind, string]>([
  ["channel", "youtube:UCabcdefghijklmnopqrstuv"],
  ["host", "media.example"],
  ["host", "youtube.com"],
])("a blocked %s (%s) loses the copies of its videos", async (kind, value) => {
  const job = await complete(linkOf("a"), undefined, ["youtube:UCabcdefghijklmnopqrstuv"]);
  const elsewhere = await complete("https://video.example/a", undefined, ["other:1"]);
  await domain.jobs.updateOne({ _id: elsewhere._id }, { subjects: subjectsOf(elsewhere.sourceUrl) });
  await block(kind, value);
  await applyDue();
  expect((await domain.stored(job._id))?.isBlocked).toBe(true);
  expect((await domain.stored(elsewhere._id))?.isBlocked).toBeUndefined();
});

it("a picture goes also where the file has expired or the job failed", async () => {
  const expired = await complete(linkOf("a"));
  await domain.jobs.updateOne({ _id: expired._id }, { isExpired: true });
  const failed = await start(linkOf("a"));
  await describeJob(domain, failed, { thumbnailKey: "failed.jpg" });
  await failJob(domain, failed, "network");
  await block("video", "youtube:axxxxxxxxxx");
  await applyDue();
  expect(domain.removedFiles.toSorted()).toEqual([`${expired._id}.1.jpg`, "failed.jpg"].toSorted());
  expect((await readBlockLog(domain)).at(-1)).toMatchObject({ files: 0, pictures: 2 });
});

describe("a blocked visitor", () => {
  const userId = "3b4e28ba-2fa1-4d2a-883f-0016d3cca427";
  const deviceId = "4b4e28ba-2fa1-4d2a-883f-0016d3cca427";
  const refusal = { code: "access_blocked" };
  const tier = "pro";
  const ask = { youtubeUrl: linkOf("d"), format: "mp3" } as const;
  const askMany = { urls: [linkOf("e")], format: "mp3" as const };

  beforeEach(async () => {
    const now = new Date();
    const about = { issuer: "i", subject: "s", email: "m@example.org", tierChangedAt: now, createdAt: now };
    await domain.users.create({ _id: userId, tier, ...about });
  });

  it.each<[BlockKind, string, Viewer]>([
    ["device", deviceId, { deviceId, userId: null, tier }],
    ["user", "m@example.org", newViewer({ userId, email: "m@example.org", tier })],
    ["user", userId, newViewer({ userId, email: "changed@example.org", tier })],
  ])("by %s %s: running jobs end, files stay, and nothing can be had", async (kind, value, viewer) => {
    const done = await complete(linkOf("a"), viewer);
    const running = await start(linkOf("b"), viewer);
    const { batchId } = await createBatch(domain, viewer, { urls: [linkOf("c")], format: "mp3" });
    const others = await start(linkOf("b"));
    await using watch = await watching();
    const entry = await block(kind, value);
    await watch.untilApplied(entry._id);
    expect(await domain.stored(running._id)).toMatchObject({ status: "failed", error: { code: "blocked" } });
    expect((await domain.stored(others._id))?.status).toBe("pending");
    expect((await domain.stored(done._id))?.isBlocked).toBeUndefined();
    await expect(getFinishedJob(domain, viewer, done._id)).rejects.toMatchObject(refusal);
    await expect(retryJob(domain, viewer, running._id)).rejects.toMatchObject(refusal);
    await expect(createConversion(domain, viewer, ask)).rejects.toMatchObject(refusal);
    await expect(createBatch(domain, viewer, askMany)).rejects.toMatchObject(refusal);
    await expect(getFinishedBatch(domain, viewer, batchId)).rejects.toMatchObject(refusal);
    await expect(retryBatch(domain, viewer, batchId)).rejects.toMatchObject(refusal);
  });
});

it("one of several processes applies an entry, and one looks again when all have heard of it", async () => {
  await complete(linkOf("a"));
  await block("video", "youtube:axxxxxxxxxx");
  expect((await Promise.all([applyDue(), applyDue(), applyDue()])).toSorted()).toEqual([0, 0, 1]);
  // Completed by a process that had not heard of the entry.
  await complete(linkOf("a"));
  const { dueAt } = (await domain.blockRecords.entries.findOne().orFail().lean()) as { readonly dueAt: Date };
  expect(await applyDue(new Date(dueAt.getTime() - 1))).toBe(0);
  expect(await applyDue(dueAt)).toBe(1);
  expect(await applyDue(new Date(dueAt.getTime() + DAY_MS))).toBe(0);
  expect((await readBlockLog(domain)).flatMap(({ files }) => files ?? [])).toEqual([1, 1]);
});

it("an entry that has ended before a server ran deletes nothing", async () => {
  const job = await complete(linkOf("a"));
  const until = new Date(Date.now() + 60_000);
  await block("video", "youtube:axxxxxxxxxx", until);
  expect(await applyDue(until)).toBe(0);
  expect((await domain.stored(job._id))?.isBlocked).toBeUndefined();
  expect(await applyDue(new Date(until.getTime() - 1))).toBe(1);
});

it("an entry whose process died is applied by another one after its lease", async () => {
  const { _id } = await block("video", "youtube:axxxxxxxxxx");
  const { entries } = domain.blockRecords;
  await entries.updateOne({ _id }, { dueAt: new Date(Date.now() + 60_000) });
  expect(await applyDue()).toBe(0);
  expect(await applyDue(new Date(Date.now() + 60_001))).toBe(1);
});

it("every change has a line in the log and raises the version; the log loses a line after two years", async () => {
  const before = await readBlockVersion(domain.blockRecords);
  const until = new Date(Date.now() + 60_000);
  await block("network", "203.0.113.0/24");
  await block("network", "203.0.113.0/24", until);
  await block("host", "videos.example", until);
  expect((await listBlocks(domain)).map(({ value }) => value)).toEqual(["videos.example", "203.0.113.0/24"]);
  expect(await listBlocks(domain, "host")).toHaveLength(1);
  await removeBlock(domain, { kind: "network", value: "203.0.113.0/24", by: "bob", reason: "a mistake" });
  await expect(removeBlock(domain, { kind: "network", value: "203.0.113.0/24", by: "bob" })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await deleteEndedBlocks(domain, new Date(until.getTime() - 1))).toBe(0);
  expect(await deleteEndedBlocks(domain, until)).toBe(1);
  expect(await readBlockVersion(domain.blockRecords)).toBe(before + 5);
  expect((await readBlockLog(domain)).map(({ by, action, value, reason }) => [by, action, value, reason])).toEqual([
    ["alice", "added", "203.0.113.0/24", "a claim"],
    ["alice", "changed", "203.0.113.0/24", "a claim"],
    ["alice", "added", "videos.example", "a claim"],
    ["bob", "removed", "203.0.113.0/24", "a mistake"],
    ["server", "ended", "videos.example", undefined],
  ]);
  expect((await readBlockLog(domain, 1)).map(({ action }) => action)).toEqual(["ended"]);
  expect(await deleteOldBlockLog(domain, new Date(Date.now() + 729 * DAY_MS))).toBe(0);
  expect(await deleteOldBlockLog(domain, new Date(until.getTime() + 730 * DAY_MS))).toBe(5);
});

it("a change by another process is in force at the next look", async () => {
  await using watch = await watching(20);
  await addBlock(besideDomain(domain), { kind: "device", value: "d1", reason: "r", by: "alice" });
  await watch.untilChanged();
  expect(() => domain.blocks.requireDevice("d1")).toThrow(SENTENCES.access_blocked);
});

it("a change on the bus is in force at once", async () => {
  // No look at an interval comes in the time of a test.
  await using watch = await watching(HOUR_MS);
  await block("device", "d2");
  await watch.untilChanged();
  expect(() => domain.blocks.requireDevice("d2")).toThrow(SENTENCES.access_blocked);
});

it("a process refuses an entry before it applies it, also before the entry is announced", async () => {
  const link = linkOf("a");
  await complete(link);
  const refusals: unknown[] = [];
  const ask = { youtubeUrl: link, format: "mp3" } as const;
  const removeFile = async () => {
    refusals.push(await createConversion(domain, newViewer(), ask).catch(({ code }: UserError) => code));
  };
  await using watch = await watching(20, { ...domain, removeFile });
  const now = new Date();
  const video = { kind: "video", value: "youtube:axxxxxxxxxx", reason: "a claim", by: "alice" } as const;
  await domain.blockRecords.entries.create({
    _id: "1",
    ...video,
    createdAt: now,
    until: null,
    state: "new",
    dueAt: now,
  });
  await watch.untilApplied("1");
  expect(refusals).toEqual(["blocked", "blocked"]);
});

async function watching(pollMs = 20, watched: Domain = domain) {
  let changed = Promise.withResolvers<void>();
  const watch = await watchBlocks(watched, pollMs, (error) => expect.unreachable(String(error)));
  const leave = domain.blocks.onChange(() => changed.resolve());
  return {
    /** Resolves at the next change after the last call. */
    async untilChanged() {
      await changed.promise;
      changed = Promise.withResolvers<void>();
    },
    /** Not by the next change: entries that are due change the list, too. */
    async untilAllowed(link: string) {
      await vi.waitFor(() => watched.blocks.requireLink(link), { timeout: 240_000 });
    },
    async untilApplied(_id: string) {
      await expect.poll(async () => (await domain.blockRecords.entries.findById(_id).lean())?.state).not.toBe("new");
    },
    async [Symbol.asyncDispose]() {
      leave();
      await watch.stop();
    },
  };
}
