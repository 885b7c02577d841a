import { describe, expect, it } from "vitest";
import type { ConversionChoices } from "../../../common/choices.ts";
import { domainForTests, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import { createBatch } from "./batches.ts";
import type { StoredJob } from "./job-model.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import { getFinishedJob, getJob, listJobs } from "./read-jobs.ts";
import { retryJob } from "./retry-jobs.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { beginProcessing, claimJob, failJob, finishJob } from "./work.ts";

const domain = domainForTests({ listLength: 3 });

const NOT_FOUND = expect.objectContaining({ code: "not_found" });
const CONFLICT = expect.objectContaining({ code: "conflict" });

function create(viewer: Viewer, name = "a"): Promise<StoredJob> {
  return createConversion(domain, viewer, { youtubeUrl: `https://video.example/${name}`, format: "mp3" });
}
async function complete(job: StoredJob): Promise<StoredJob | null> {
  await claimJob(domain, job._id, "w");
  await beginProcessing(domain, job, { stage: "store", progress: 99 });
  return finishJob(domain, job, { fileKey: `${job._id}.1.mp3`, fileSize: 1 }, job.tier);
}
async function fail(job: StoredJob): Promise<StoredJob | null> {
  await claimJob(domain, job._id, "w");
  return failJob(domain, job, "private");
}

describe("createConversion", () => {
  it("queues a job with its canonical link and a ticket, and publishes it to its owner", async () => {
    const viewer = newViewer();
    const job = await createConversion(domain, viewer, { youtubeUrl: " youtu.be/dQw4w9WgXcQ?si=x ", format: "mp4" });
    expect(job).toMatchObject({
      status: "queued",
      attempt: 1,
      finalAttempt: 3,
      progress: 0,
      format: "mp4",
      quality: "480p",
      tier: "free",
      sourceUrl: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      title: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    });
    expect(await domain.stored(job._id)).toEqual(job);
    expect(domain.waiting).toEqual([{ jobId: job._id, priority: job.priority }]);
    expect(await domain.published("job")).toEqual([
      { audience: { deviceId: viewer.deviceId }, job: expect.objectContaining({ id: job._id, status: "queued" }) },
    ]);
  });

  it.each([
    ["free", "mp3", "128kbps"],
    ["free", "mp4", "480p"],
    ["pro", "mp3", "320kbps"],
    ["pro", "mp4", "1080p"],
  ] as const)("on %s gives %s the quality %s, requested or not", async (tier, format, quality) => {
    const viewer = newViewer({ tier });
    const youtubeUrl = "https://video.example/a";
    expect(await createConversion(domain, viewer, { youtubeUrl, format })).toMatchObject({ tier, quality });
    expect(await createConversion(domain, viewer, { youtubeUrl, format, quality })).toMatchObject({ quality });
  });

  it("refuses a quality above the plan and stores nothing", async () => {
    await expect(
      createConversion(domain, newViewer(), {
        youtubeUrl: "https://video.example/a",
        format: "mp3",
        quality: "320kbps",
      }),
    ).rejects.toThrow(expect.objectContaining({ code: "pro_required" }));
    expect(await domain.jobs.countDocuments()).toBe(0);
    expect(domain.waiting).toEqual([]);
  });

  it("stores nothing for a refused link", async () => {
    await expect(
      createConversion(domain, newViewer(), { youtubeUrl: "https://evil.example/?youtu.be", format: "mp3" }),
    ).rejects.toThrow(expect.objectContaining({ code: "unsupported_host" }));
    expect(await domain.jobs.countDocuments()).toBe(0);
  });

  it("gives equal requests the same conversion key, and different requests different ones", async () => {
    const viewer = newViewer();
    const keyOf = async (youtubeUrl: string, format: "mp3" | "mp4", asker = viewer) =>
      (await createConversion(domain, asker, { youtubeUrl, format })).conversionKey;
    const key = await keyOf("https://youtu.be/dQw4w9WgXcQ?si=x", "mp3");
    expect(await keyOf("youtube.com/shorts/dQw4w9WgXcQ", "mp3", newViewer())).toBe(key);
    expect(await keyOf("https://youtu.be/dQw4w9WgXcQ", "mp4")).not.toBe(key);
    expect(await keyOf("https://youtu.be/dQw4w9WgXcR", "mp3")).not.toBe(key);
    expect(await keyOf("https://youtu.be/dQw4w9WgXcQ", "mp3", newViewer({ tier: "pro" }))).not.toBe(key);
  });
});

describe("the choices of a request", () => {
  const youtubeUrl = "https://video.example/talk";
  const part = { startSeconds: 62, endSeconds: 185.25 };

  it("are stored with the job and make another conversion than the whole video", async () => {
    const viewer = newViewer();
    const ask = (choices?: ConversionChoices) =>
      createConversion(domain, viewer, { youtubeUrl, format: "mp3", choices });
    const whole = await ask();
    const some = await ask({ part });
    expect(await domain.stored(some._id)).toMatchObject({ choices: { part } });
    expect(some.conversionKey).not.toBe(whole.conversionKey);
    expect((await ask({ part: { ...part, endSeconds: 186 } })).conversionKey).not.toBe(some.conversionKey);
    await fail(some);
    expect((await ask({ part })).conversionKey).toBe(some.conversionKey);
    await fail(whole);
    expect(await ask({})).toMatchObject({ conversionKey: whole.conversionKey });
    expect(await domain.stored(whole._id)).not.toHaveProperty("choices");
  });

  it("stay with a retry, also after an upgrade", async () => {
    const free = newViewer({ userId: "user-2" });
    const pro = { ...free, tier: "pro" } as const;
    const request = { youtubeUrl, format: "mp3", choices: { part } } as const;
    const tried = await createConversion(domain, free, request);
    await fail(tried);
    const retried = await retryJob(domain, pro, tried._id);
    const { conversionKey } = await createConversion(domain, pro, request);
    expect(retried).toMatchObject({ tier: "pro", choices: { part }, conversionKey });
  });

  it("belong to the idempotency key: other choices under it are a conflict", async () => {
    const viewer = newViewer();
    const ask = (choices: ConversionChoices) =>
      createConversion(domain, viewer, { youtubeUrl, format: "mp3", choices }, "key");
    const first = await ask({ part });
    expect((await ask({ part }))._id).toBe(first._id);
    await expect(ask({})).rejects.toThrow(CONFLICT);
  });

  it("count for each link of a batch", async () => {
    const viewer = newViewer({ tier: "pro" });
    const urls = [youtubeUrl, `${youtubeUrl}-2`];
    const { jobs } = await createBatch(domain, viewer, { urls, format: "mp3", choices: { part } });
    expect(jobs.map(({ choices }) => choices)).toEqual([{ part }, { part }]);
  });
});

it("gives equal requests of different visitors different conversion keys unless files are shared", async () => {
  const apart: TestDomain = { ...domain, limits: { ...domain.limits, sharesFiles: false } };
  const link = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" } as const;
  const keyOf = async (viewer: Viewer) => (await createConversion(apart, viewer, link)).conversionKey;
  const [anonymous, other] = [newViewer(), newViewer()];
  const user = newViewer({ userId: "u" });
  const keys = [await keyOf(anonymous), await keyOf(other), await keyOf(user)];
  expect(new Set(keys).size).toBe(3);
  expect(await keyOf(anonymous)).toBe(keys[0]);
  // A user's devices are one visitor.
  expect(await keyOf(newViewer({ userId: "u" }))).toBe(keys[2]);
});

describe("the priority of jobs", () => {
  it("ranks Pro before free, and the first job of every owner before the second of any", async () => {
    const many = newViewer();
    const few = newViewer();
    const pro = newViewer({ tier: "pro" });
    const proMany = newViewer({ tier: "pro" });
    const order: [string, StoredJob][] = [];
    for (let n = 1; n <= 3; n += 1) order.push([`many ${n}`, await create(many, `m${n}`)]);
    for (let n = 1; n <= 20; n += 1) order.push([`pro batch ${n}`, await create(proMany, `p${n}`)]);
    order.push(["few 1", await create(few)], ["pro 1", await create(pro)]);
    const sorted = order.toSorted(([, a], [, b]) => b.priority - a.priority).map(([name]) => name);
    const rank = (name: string) => sorted.indexOf(name);
    expect(rank("pro 1")).toBeLessThan(rank("pro batch 2"));
    expect(rank("pro batch 20")).toBeLessThan(rank("many 1"));
    expect(rank("few 1")).toBeLessThan(rank("many 2"));
    expect(rank("many 2")).toBeLessThan(rank("many 3"));
  });

  it("counts active jobs only", async () => {
    const viewer = newViewer();
    const first = await create(viewer, "a");
    const second = await create(viewer, "b");
    expect(second.priority).toBeLessThan(first.priority);
    await complete(first);
    await cancelOrRemove(domain, viewer, second._id);
    expect((await create(viewer, "c")).priority).toBe(first.priority);
  });
});

describe("a job of another owner", () => {
  it("is answered with not_found and not listed", async () => {
    const owner = newViewer();
    const user = newViewer({ userId: "user-1" });
    const job = await create(owner);
    const users = await create(user);
    const strangers = [
      newViewer(),
      newViewer({ userId: "user-2" }),
      newViewer({ deviceId: user.deviceId }),
      newViewer({ deviceId: owner.deviceId, userId: "user-3" }),
    ];
    for (const stranger of strangers) {
      for (const { _id } of stranger.deviceId === owner.deviceId || stranger.deviceId === user.deviceId
        ? [users]
        : [job, users]) {
        await expect(getJob(domain, stranger, _id)).rejects.toThrow(NOT_FOUND);
        await expect(getFinishedJob(domain, stranger, _id)).rejects.toThrow(NOT_FOUND);
        await expect(cancelOrRemove(domain, stranger, _id)).rejects.toThrow(NOT_FOUND);
        await expect(retryJob(domain, stranger, _id)).rejects.toThrow(NOT_FOUND);
      }
      expect(await listJobs(domain, stranger)).toEqual([]);
    }
    expect(await domain.stored(job._id)).toEqual(job);
    expect(await domain.stored(users._id)).toEqual(users);
  });

  it("is found by its user on every device", async () => {
    const job = await create(newViewer({ userId: "user-1" }));
    expect(await getJob(domain, newViewer({ userId: "user-1" }), job._id)).toEqual(job);
  });
});

describe("listJobs", () => {
  it("returns the newest jobs first, and all active jobs however old", async () => {
    const viewer = newViewer();
    const created: StoredJob[] = [];
    for (let n = 0; n < 6; n += 1) {
      const job = await create(viewer, String(n));
      await domain.jobs.updateOne({ _id: job._id }, { $set: { createdAt: new Date(Date.UTC(2026, 0, 1, n)) } });
      created.push(job);
    }
    const [oldestActive, , ...others] = created;
    for (const job of [...others, created[1]]) if (job) await complete(job);
    const listed = (await listJobs(domain, viewer)).map((job) => job._id);
    expect(listed).toEqual([created[5]?._id, created[4]?._id, created[3]?._id, oldestActive?._id]);
  });
});

describe("cancelOrRemove", () => {
  it.each(["queued", "pending", "processing"] as const)(
    "cancels a %s job with its ticket and its worker, and keeps the record",
    async (status) => {
      const viewer = newViewer();
      const job = await create(viewer);
      if (status !== "queued") await claimJob(domain, job._id, "w");
      if (status === "processing") await beginProcessing(domain, job, { stage: "download", progress: 30 });
      expect(await cancelOrRemove(domain, viewer, job._id)).toMatchObject({ status: "canceled" });
      expect(domain.waiting).toEqual([]);
      expect(await domain.published("job:stop")).toEqual([{ id: job._id, attempt: job.attempt }]);
      expect(await domain.stored(job._id)).not.toHaveProperty("workerId");
    },
  );

  it("removes an ended job with its file and thumbnail", async () => {
    const viewer = newViewer();
    const job = await create(viewer);
    await complete(job);
    await domain.jobs.updateOne({ _id: job._id }, { $set: { thumbnailKey: "p.1.jpg" } });
    expect(await cancelOrRemove(domain, viewer, job._id)).toBeNull();
    expect(await domain.stored(job._id)).toBeNull();
    expect(domain.removedFiles).toEqual([`${job._id}.1.mp3`, "p.1.jpg"]);
    expect(await domain.published("job:removed")).toEqual([{ audience: { deviceId: viewer.deviceId }, id: job._id }]);
    await expect(cancelOrRemove(domain, viewer, job._id)).rejects.toThrow(NOT_FOUND);
  });
});

describe("retryJob", () => {
  it("queues a failed or canceled job again with a ticket", async () => {
    const viewer = newViewer();
    const failed = await create(viewer, "a");
    await fail(failed);
    const canceled = await create(viewer, "b");
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
    const tried = await create(free);
    await fail(tried);
    const retried = await retryJob(domain, pro, tried._id);
    const anew = await create(pro);
    expect(retried).toMatchObject({
      attempt: 2,
      tier: "pro",
      quality: "320kbps",
      conversionKey: anew.conversionKey,
      priority: 1_000,
    });
    expect(domain.waiting).toContainEqual({ jobId: tried._id, priority: 1_000 });
    await fail(anew);
    expect(await retryJob(domain, free, anew._id)).toMatchObject({ attempt: 2, tier: "pro", quality: "320kbps" });
  });

  it("refuses an active or completed job with conflict", async () => {
    const viewer = newViewer();
    const job = await create(viewer);
    await expect(retryJob(domain, viewer, job._id)).rejects.toThrow(CONFLICT);
    await complete(job);
    await expect(retryJob(domain, viewer, job._id)).rejects.toThrow(CONFLICT);
  });

  it("queues a job once when it is called ten times at once", async () => {
    const viewer = newViewer();
    const job = await create(viewer);
    await fail(job);
    domain.waiting.length = 0;
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => retryJob(domain, viewer, job._id)));
    expect(tries.filter((attempt) => attempt.status === "fulfilled")).toHaveLength(1);
    expect(domain.waiting).toHaveLength(1);
    expect(await domain.stored(job._id)).toMatchObject({ attempt: 2 });
  });
});

describe("getFinishedJob", () => {
  it("returns a completed job until its file expires, and not_found otherwise", async () => {
    const viewer = newViewer();
    const job = await create(viewer);
    await expect(getFinishedJob(domain, viewer, job._id)).rejects.toThrow(NOT_FOUND);
    await complete(job);
    expect(await getFinishedJob(domain, viewer, job._id)).toMatchObject({ fileKey: `${job._id}.1.mp3` });
    await domain.jobs.updateOne({ _id: job._id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    await expect(getFinishedJob(domain, viewer, job._id)).rejects.toThrow(NOT_FOUND);
  });
});
