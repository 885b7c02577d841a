import { describe, expect, it } from "vitest";
import type { ConversionChoices } from "../../../common/choices.ts";
import { addJob, completeByWorker, failByWorker } from "../../dev/testing/stored-jobs.ts";
import { domainForTests, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { createConversion } from "./add-jobs.ts";
import { createBatch } from "./batches.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import type { StoredJob } from "./job-model.ts";
import { retryJob } from "./retry-jobs.ts";

const domain = domainForTests();

const CONFLICT = expect.objectContaining({ code: "conflict" });

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
    expect(domain.waiting).toEqual([{ jobId: job._id, site: "youtube.com", priority: job.priority }]);
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
    await failByWorker(domain, some);
    expect((await ask({ part })).conversionKey).toBe(some.conversionKey);
    await failByWorker(domain, whole);
    expect(await ask({})).toMatchObject({ conversionKey: whole.conversionKey });
    expect(await domain.stored(whole._id)).not.toHaveProperty("choices");
  });

  it("stay with a retry, also after an upgrade", async () => {
    const free = newViewer({ userId: "user-2" });
    const pro = { ...free, tier: "pro" } as const;
    const request = { youtubeUrl, format: "mp3", choices: { part } } as const;
    const tried = await createConversion(domain, free, request);
    await failByWorker(domain, tried);
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
    for (let n = 1; n <= 3; n += 1) order.push([`many ${n}`, await addJob(domain, many, `m${n}`)]);
    for (let n = 1; n <= 20; n += 1) order.push([`pro batch ${n}`, await addJob(domain, proMany, `p${n}`)]);
    order.push(["few 1", await addJob(domain, few)], ["pro 1", await addJob(domain, pro)]);
    const sorted = order.toSorted(([, a], [, b]) => b.priority - a.priority).map(([name]) => name);
    const rank = (name: string) => sorted.indexOf(name);
    expect(rank("pro 1")).toBeLessThan(rank("pro batch 2"));
    expect(rank("pro batch 20")).toBeLessThan(rank("many 1"));
    expect(rank("few 1")).toBeLessThan(rank("many 2"));
    expect(rank("many 2")).toBeLessThan(rank("many 3"));
  });

  it("counts active jobs only", async () => {
    const viewer = newViewer();
    const first = await addJob(domain, viewer, "a");
    const second = await addJob(domain, viewer, "b");
    expect(second.priority).toBeLessThan(first.priority);
    await completeByWorker(domain, first);
    await cancelOrRemove(domain, viewer, second._id);
    expect((await addJob(domain, viewer, "c")).priority).toBe(first.priority);
  });
});
