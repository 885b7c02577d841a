import { describe, expect, it } from "vitest";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { Format } from "../../../common/tiers.ts";
import { addJob } from "../../dev/testing/stored-jobs.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { videoSubject } from "../blocks/subjects.ts";
import { createConversion } from "./add-jobs.ts";
import { cutJob } from "./cut-jobs.ts";
import type { StoredJob } from "./job-model.ts";
import { retryJob } from "./retry-jobs.ts";
import { beginProcessing, claimJob, failJob, finishJob } from "./work.ts";

const domain = domainForTests();
const LINK = "https://video.example/a";
const LENGTH_SECONDS = 60;
const PART = { startSeconds: 10.5, endSeconds: 20 };

async function finish(job: StoredJob, durationSeconds = LENGTH_SECONDS): Promise<StoredJob> {
  await claimJob(domain, job._id, "w");
  await beginProcessing(domain, job, { stage: "store", progress: 99 });
  const fileKey = `${job._id}.1.${job.format}`;
  const finished = await finishJob(domain, job, { fileKey, fileSize: 1, durationSeconds }, job.tier);
  if (!finished) throw new Error("the job was not finished");
  domain.storedFiles.add(fileKey);
  return finished;
}

async function finished(viewer: Viewer, choices: ConversionChoices = {}, format: Format = "mp3"): Promise<StoredJob> {
  const { part } = choices;
  const job = await createConversion(domain, viewer, { youtubeUrl: LINK, format, choices });
  return finish(job, part && part.endSeconds - part.startSeconds);
}

const cut = (viewer: Viewer, { _id }: StoredJob, part = PART, key?: string) => cutJob(domain, viewer, _id, part, key);

describe("cutJob", () => {
  it("queues a job for the part, with link, title, picture and subjects of the first, that waits for no site", async () => {
    const viewer = newViewer();
    const of = await finished(viewer);
    const subjects = [videoSubject("Example a")];
    const known = { title: "A song", thumbnailKey: `${of._id}.1.jpg`, subjects };
    await domain.jobs.updateOne({ _id: of._id }, { $set: known });
    const job = await cut(viewer, of);
    expect(job).toMatchObject({
      ...known,
      status: "queued",
      sourceUrl: LINK,
      format: "mp3",
      choices: { part: PART },
      cutOf: { fileKey: `${of._id}.1.mp3` },
      durationSeconds: 9.5,
    });
    expect(await domain.stored(job._id)).toEqual(job);
    expect(domain.waiting.at(-1)).toEqual({ jobId: job._id, site: "", priority: job.priority });
  });

  it("keeps the other choices, and names a part of a part on the time line of the video", async () => {
    const viewer = newViewer();
    const part = { startSeconds: 600, endSeconds: 660 };
    const of = await finished(viewer, { part, tags: { title: "Mine" } });
    const inner = { startSeconds: 610, endSeconds: 620 };
    expect(await cut(viewer, of, inner)).toMatchObject({
      choices: { part: inner, tags: { title: "Mine" } },
      cutOf: { fileKey: `${of._id}.1.mp3`, part },
    });
    await expect(cut(viewer, of, { startSeconds: 599, endSeconds: 620 })).rejects.toThrow("between 10:00 and 11:00");
  });

  it("takes half a second behind the end as the end, and refuses more", async () => {
    const viewer = newViewer();
    const of = await finished(viewer);
    const last = await cut(viewer, of, { startSeconds: 50, endSeconds: 60.5 });
    expect(last.choices?.part).toEqual({ startSeconds: 50, endSeconds: 60 });
    await expect(cut(viewer, of, { startSeconds: 50, endSeconds: 60.501 })).rejects.toThrow(
      expect.objectContaining({ code: "bad_request" }),
    );
  });

  it("answers a repeated request with the job that it made", async () => {
    const viewer = newViewer();
    const of = await finished(viewer);
    const first = await cut(viewer, of, PART, "key");
    expect((await cut(viewer, of, PART, "key"))._id).toBe(first._id);
    await expect(cut(viewer, of, { ...PART, endSeconds: 21 }, "key")).rejects.toThrow(
      expect.objectContaining({ code: "conflict" }),
    );
  });

  it("gives the file of an equal cut, or of the same part made from the link, without a worker", async () => {
    const viewer = newViewer();
    const of = await finished(viewer);
    const first = await finish(await cut(viewer, of));
    const again = await cut(viewer, of);
    expect(await domain.stored(again._id)).toMatchObject({ status: "completed", fileKey: `${first._id}.1.mp3` });
    const other = { startSeconds: 30, endSeconds: 40 };
    const byLink = await finished(viewer, { part: other });
    const same = await cut(viewer, of, other);
    expect(await domain.stored(same._id)).toMatchObject({ status: "completed", fileKey: `${byLink._id}.1.mp3` });
  });

  it("does not answer a request for the part from the link with a cut, which is encoded twice", async () => {
    const viewer = newViewer();
    await finish(await cut(viewer, await finished(viewer)));
    const byLink = await createConversion(domain, viewer, { youtubeUrl: LINK, format: "mp3", choices: { part: PART } });
    expect(await domain.stored(byLink._id)).toMatchObject({ status: "queued" });
  });

  it("hides the job of another owner, and refuses an active one", async () => {
    const viewer = newViewer();
    const of = await finished(viewer);
    const notFound = expect.objectContaining({ code: "not_found" });
    await expect(cut(newViewer(), of)).rejects.toThrow(notFound);
    await expect(cut(viewer, await addJob(domain, viewer, "b"))).rejects.toThrow(notFound);
  });

  it("says to convert from the link once the file has expired", async () => {
    const viewer = newViewer();
    const of = await finished(viewer);
    await domain.jobs.updateOne({ _id: of._id }, { $set: { expiresAt: new Date() } });
    await expect(cut(viewer, of)).rejects.toMatchObject({ code: "not_found", reason: { name: "file_gone" } });
  });

  it("refuses the file of a video that was blocked since", async () => {
    const viewer = newViewer();
    const of = await finished(viewer);
    domain.blocks.replace([{ kind: "host", value: "video.example", until: null, also: [] }]);
    await expect(cut(viewer, of)).rejects.toThrow(expect.objectContaining({ code: "blocked" }));
  });

  it.each([
    ["transcript", { subtitles: { language: "en" } }],
    ["mp3", { sponsored: "cut" }],
  ] as const)("refuses a %s with %j", async (format, choices) => {
    const viewer = newViewer();
    const of = await finished(viewer, choices, format);
    await expect(cut(viewer, of)).rejects.toThrow("Convert the part that you want from the link");
  });

  it("refuses a tape, which is of no video", async () => {
    const viewer = newViewer();
    const of = await finished(viewer);
    await domain.jobs.updateOne({ _id: of._id }, { $set: { tape: { batchId: of._id, songs: 2 } } });
    await expect(cut(viewer, of)).rejects.toThrow("This file cannot be cut again");
  });

  it("stays a cut with a retry, and keeps the quality of its file after an upgrade", async () => {
    const viewer = newViewer();
    const job = await cut(viewer, await finished(viewer));
    await claimJob(domain, job._id, "w");
    await failJob(domain, job, "internal");
    const { cutOf, quality, conversionKey } = job;
    expect(await retryJob(domain, { ...viewer, tier: "pro" }, job._id)).toMatchObject({
      attempt: 2,
      cutOf,
      quality,
      conversionKey,
    });
  });
});
