/** Which formats a visitor may have, and what is stored of them. */
import { describe, expect, it } from "vitest";
import type { Format, Tier } from "../../../common/tiers.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { createBatch, retryBatch } from "./batches.ts";
import type { StoredJob } from "./job-model.ts";
import { presentJob } from "./present.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelJob } from "./end-jobs.ts";
import { listJobs } from "./read-jobs.ts";
import { retryJob } from "./retry-jobs.ts";
import { beginProcessing, claimJob, describeJob, failJob, finishJob } from "./work.ts";

const domain = domainForTests({ sharesFiles: true });

const create = (viewer: Viewer, format: Format): Promise<StoredJob> =>
  createConversion(domain, viewer, { youtubeUrl: "https://video.example/a", format });

const refusal = (format: "flac" | "wav") => ({
  code: "pro_required",
  message: `${format.toUpperCase()} is for Pro only.`,
  reason: { name: "format_for_pro", format },
});

describe.each(["flac", "wav"] as const)("%s", (format) => {
  it("is refused to a free visitor, who gets no job", async () => {
    const viewer = newViewer();
    await expect(create(viewer, format)).rejects.toMatchObject(refusal(format));
    await expect(createBatch(domain, viewer, { urls: ["https://video.example/a"], format })).rejects.toMatchObject({
      code: "pro_required",
    });
    expect(await listJobs(domain, viewer)).toEqual([]);
  });

  it("is given to Pro, and refused again to a retry after a downgrade", async () => {
    const pro = newViewer({ tier: "pro" });
    const free: Viewer = { ...pro, tier: "free" };
    const job = await create(pro, format);
    expect(job.quality).toBe("lossless");
    const { jobs, batchId } = await createBatch(domain, pro, {
      urls: ["https://video.example/b", "https://video.example/c"],
      format,
    });
    for (const { _id } of [job, ...jobs]) await cancelJob(domain, pro, _id);
    await expect(retryJob(domain, free, job._id)).rejects.toMatchObject(refusal(format));
    await expect(retryBatch(domain, free, batchId)).rejects.toMatchObject(refusal(format));
    expect((await listJobs(domain, pro)).map(({ status }) => status)).toEqual(["canceled", "canceled", "canceled"]);
    expect((await retryJob(domain, pro, job._id)).status).toBe("queued");
    expect(await retryBatch(domain, pro, batchId)).toHaveLength(2);
  });

  it("refuses a quality that it does not have", async () => {
    const input = { youtubeUrl: "https://video.example/a", format, quality: "320kbps" } as const;
    await expect(createConversion(domain, newViewer({ tier: "pro" }), input)).rejects.toMatchObject({
      code: "bad_request",
      message: `The quality of ${format} is always "lossless".`,
    });
  });
});

describe("the original sound", () => {
  it.each<Tier>(["free", "pro"])("is given to %s", async (tier) => {
    expect(await create(newViewer({ tier }), "original")).toMatchObject({
      format: "original",
      quality: "original",
      tier,
    });
  });

  it("is shared within a tier and not between tiers, whose limits differ", async () => {
    const [one, other] = [await create(newViewer(), "original"), await create(newViewer(), "original")];
    const pro = await create(newViewer({ tier: "pro" }), "original");
    expect(one.conversionKey).toBe(other.conversionKey);
    expect(pro.conversionKey).not.toBe(one.conversionKey);
  });

  it("has the limits of Pro in a retry after an upgrade", async () => {
    const viewer = newViewer();
    const job = await create(viewer, "original");
    await claimJob(domain, job._id, "w");
    await failJob(domain, job, "too_long");
    const pro: Viewer = { ...viewer, tier: "pro" };
    const retried = await retryJob(domain, pro, job._id);
    expect(retried.tier).toBe("pro");
    expect(retried.conversionKey).toBe((await create(newViewer({ tier: "pro" }), "original")).conversionKey);
  });

  it("says what its file is as soon as that is known, and keeps it; another attempt finds out anew", async () => {
    const viewer = newViewer();
    const job = await create(viewer, "original");
    expect(presentJob(job)).not.toHaveProperty("fileKind");
    await claimJob(domain, job._id, "w");
    await beginProcessing(domain, job, { stage: "download", progress: 1 });
    const described = await describeJob(domain, job, { fileKind: "opus" });
    expect(described && presentJob(described)).toMatchObject({ status: "processing", fileKind: "opus" });
    await failJob(domain, job, "network");
    const retried = await retryJob(domain, viewer, job._id);
    expect(presentJob(retried)).not.toHaveProperty("fileKind");
    await claimJob(domain, job._id, "w");
    await beginProcessing(domain, retried, { stage: "store", progress: 99 });
    const file = { fileKey: "k", fileSize: 1, fileKind: "m4a" } as const;
    const finished = await finishJob(domain, retried, file, "free");
    expect(finished && presentJob(finished)).toMatchObject({ status: "completed", fileKind: "m4a" });
  });
});

it("reads and lists a stored job whose format a newer build has added", async () => {
  const viewer = newViewer();
  const job = await create(viewer, "mp3");
  await domain.jobs.collection.updateOne({ _id: job._id as never }, { $set: { format: "hologram", quality: "sharp" } });
  const [listed] = await listJobs(domain, viewer);
  expect(listed && presentJob(listed)).toMatchObject({ id: job._id, format: "hologram" });
  expect((await cancelJob(domain, viewer, job._id))?.status).toBe("canceled");
});

describe("one file per chapter", () => {
  const wanted = { format: "mp3", choices: { chapterFiles: true } } as const;
  const refused = {
    code: "pro_required",
    message: "One file per chapter is for Pro only.",
    reason: { name: "chapter_files_for_pro" },
  };
  const [one, ...more] = ["https://video.example/a", "https://video.example/b"];

  it("is refused to a free visitor, who gets no job", async () => {
    const viewer = newViewer();
    await expect(createConversion(domain, viewer, { youtubeUrl: one ?? "", ...wanted })).rejects.toMatchObject(refused);
    expect(await listJobs(domain, viewer)).toEqual([]);
  });

  it("is given to Pro, with a key of its own, and refused again to a retry after a downgrade", async () => {
    const pro = newViewer({ tier: "pro" });
    const free: Viewer = { ...pro, tier: "free" };
    const job = await createConversion(domain, pro, { youtubeUrl: one ?? "", ...wanted });
    expect(job.choices).toEqual({ chapterFiles: true });
    expect(job.conversionKey).not.toBe((await create(pro, "mp3")).conversionKey);
    const { jobs, batchId } = await createBatch(domain, pro, { urls: more, ...wanted });
    for (const { _id } of [job, ...jobs]) await cancelJob(domain, pro, _id);
    await expect(retryJob(domain, free, job._id)).rejects.toMatchObject(refused);
    await expect(retryBatch(domain, free, batchId)).rejects.toMatchObject(refused);
    expect((await retryJob(domain, pro, job._id)).choices).toEqual({ chapterFiles: true });
  });
});
