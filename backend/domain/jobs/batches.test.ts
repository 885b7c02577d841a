import { describe, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { completeByWorker, failByWorker } from "../../dev/testing/stored-jobs.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { cancelBatch, createBatch, getFinishedBatch, retryBatch } from "./batches.ts";
import type { StoredJob } from "./job-model.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import { listJobs } from "./read-jobs.ts";
import type { Viewer } from "../accounts/viewer.ts";

const BATCH = TIERS.pro.batchSize;
const PRO_ACTIVE = 2 * BATCH;
const domain = domainForTests({ activeJobs: { free: 3, pro: PRO_ACTIVE } });

const link = (name: string | number) => `https://video.example/${name}`;
const links = (count: number, prefix = "v") => Array.from({ length: count }, (_, index) => link(`${prefix}${index}`));
const pro = (more: Partial<Viewer> = {}) => newViewer({ userId: "pro-1", tier: "pro", ...more });
const NOT_FOUND = expect.objectContaining({ code: "not_found" });

const complete = (job: StoredJob) => completeByWorker(domain, job);

describe("createBatch", () => {
  it("queues a job for each accepted link in order, with one batch id and a ticket each", async () => {
    const viewer = pro();
    const { batchId, jobs, refused } = await createBatch(domain, viewer, { urls: links(BATCH), format: "mp4" });
    expect(refused).toEqual([]);
    expect(jobs.map((job) => job.sourceUrl)).toEqual(links(BATCH));
    for (const job of jobs)
      expect(job).toMatchObject({ batchId, status: "queued", quality: "1080p", tier: "pro", userId: "pro-1" });
    expect(domain.waiting.map(({ jobId }) => jobId)).toEqual(jobs.map((job) => job._id));
    expect((await domain.published("job")).map(({ job }) => job.batchId)).toEqual(
      Array.from({ length: BATCH }, () => batchId),
    );
    expect(await domain.stored(jobs[7]?._id ?? "")).toEqual(jobs[7]);
  });

  it("creates the jobs in the order of the lines, and lists them newest first", async () => {
    const viewer = pro();
    const { batchId, jobs } = await createBatch(domain, viewer, { urls: links(BATCH), format: "mp3" });
    const times = jobs.map((job) => job.createdAt.getTime());
    expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + index));
    expect((await listJobs(domain, viewer)).map((job) => job.sourceUrl)).toEqual(links(BATCH).toReversed());
    expect((await cancelBatch(domain, viewer, batchId)).map((job) => job.sourceUrl)).toEqual(links(BATCH));
  });

  it("takes every link out of a line, and refuses each that is in the list already", async () => {
    const urls = [`First ${link("a")}, then (${link("b")}).`, `${link("c")}|${link("b")}`];
    const { jobs, refused } = await createBatch(domain, pro(), { urls, format: "mp3" });
    expect(jobs.map(({ sourceUrl }) => sourceUrl)).toEqual([link("a"), link("b"), link("c")]);
    expect(refused).toMatchObject([{ line: 2, code: "conflict" }]);
  });

  it("checks each line on its own and lists refused lines with their numbers", async () => {
    const urls = [
      link("a"),
      "",
      "cats",
      "https://evil.example/x",
      " youtu.be/dQw4w9WgXcQ?si=1 ",
      "  ",
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      link("b"),
      "https://youtube.com/playlist?list=PL1",
    ];
    const { jobs, refused } = await createBatch(domain, pro(), { urls, format: "mp3" });
    expect(jobs.map((job) => job.sourceUrl)).toEqual([
      link("a"),
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      link("b"),
    ]);
    expect(refused.map(({ line, url, code }) => [line, url, code])).toEqual([
      [3, "cats", "invalid_link"],
      [4, "https://evil.example/x", "unsupported_host"],
      [7, urls[6], "conflict"],
      [9, urls[8], "playlist"],
    ]);
    expect(refused[2]?.message).toBe("This link is in the list twice");
  });

  it.each<[string, Viewer, { urls: string[]; quality?: "1080p" | "320kbps" }, string, string]>([
    [
      "a batch of a free visitor",
      newViewer(),
      { urls: links(2) },
      "pro_required",
      `Pro converts up to ${BATCH} links at once; your plan one at a time.`,
    ],
    [
      "a batch of more accepted links than Pro has at once",
      pro(),
      { urls: links(BATCH + 1) },
      "bad_request",
      `Pro users can process up to ${BATCH} URLs at once`,
    ],
    [
      "a batch without an accepted link",
      pro(),
      { urls: ["cats", " ", "dogs"] },
      "invalid_link",
      "Please enter at least one valid YouTube URL",
    ],
    [
      "a batch with a quality that its format does not have",
      pro(),
      { urls: links(2), quality: "1080p" },
      "bad_request",
      "MP3 comes in up to 320kbps.",
    ],
  ])("refuses %s and adds no job", async (_, viewer, input, code, message) => {
    await expect(createBatch(domain, viewer, { format: "mp3", ...input })).rejects.toThrow(
      expect.objectContaining({ code, message }),
    );
    expect([await domain.jobs.countDocuments(), domain.waiting]).toEqual([0, []]);
  });

  it("counts distinct accepted links and not lines", async () => {
    const urls = [...links(BATCH), ...links(BATCH), "cats", "", ""];
    const { jobs, refused } = await createBatch(domain, pro(), { urls, format: "mp3" });
    expect([jobs.length, refused.length]).toEqual([BATCH, BATCH + 1]);
  });

  it("ranks the first job of another owner before the second job of a batch", async () => {
    const { jobs } = await createBatch(domain, pro(), { urls: links(BATCH), format: "mp3" });
    const other = await createConversion(domain, pro({ userId: "pro-2" }), { youtubeUrl: link("x"), format: "mp3" });
    expect(jobs.map((job) => job.priority)).toEqual(Array.from({ length: BATCH }, (_, index) => 1_000 - index));
    expect(other.priority).toBe(1_000);
  });
});

describe("a whole batch", () => {
  it("is canceled and retried, except for completed jobs", async () => {
    const viewer = pro();
    const { batchId, jobs } = await createBatch(domain, viewer, { urls: links(4), format: "mp3" });
    const [first, second, third, fourth] = jobs as [StoredJob, StoredJob, StoredJob, StoredJob];
    await complete(first);
    await failByWorker(domain, second);
    const canceled = await cancelBatch(domain, viewer, batchId);
    expect(canceled.map((job) => [job._id, job.status])).toEqual([
      [third._id, "canceled"],
      [fourth._id, "canceled"],
    ]);
    expect((await domain.published("job:stop")).map(({ id }) => id).sort()).toEqual([third._id, fourth._id].sort());
    const retried = await retryBatch(domain, viewer, batchId);
    expect(retried.map((job) => [job._id, job.status, job.attempt])).toEqual(
      [second, third, fourth].map((job) => [job._id, "queued", 2]),
    );
    expect(new Set(domain.waiting.map(({ jobId }) => jobId))).toEqual(new Set(jobs.map((job) => job._id)));
    expect(await cancelBatch(domain, viewer, batchId)).toHaveLength(3);
    expect((await getFinishedBatch(domain, viewer, batchId)).map((job) => job._id)).toEqual([first._id]);
  });

  it("is answered with not_found for other viewers, and for a download before any file is finished", async () => {
    const viewer = pro();
    const { batchId } = await createBatch(domain, viewer, { urls: links(2), format: "mp3" });
    for (const stranger of [pro({ userId: "pro-2" }), newViewer(), newViewer({ deviceId: viewer.deviceId })])
      for (const domainFunction of [cancelBatch, retryBatch, getFinishedBatch])
        await expect(domainFunction(domain, stranger, batchId)).rejects.toThrow(NOT_FOUND);
    await expect(getFinishedBatch(domain, viewer, batchId)).rejects.toThrow(NOT_FOUND);
    expect(await domain.jobs.countDocuments({ status: "queued" })).toBe(2);
  });
});

describe("the limit of active jobs", () => {
  it("is that of the plan, also for requests at the same moment", async () => {
    for (const [viewer, most] of [
      [newViewer(), 3],
      [pro(), PRO_ACTIVE],
    ] as const) {
      const tries = await Promise.allSettled(
        Array.from({ length: most + 5 }, (_, n) =>
          createConversion(domain, viewer, { youtubeUrl: link(`${most}-${n}`), format: "mp3" }),
        ),
      );
      const refusals = tries.flatMap((attempt) => (attempt.status === "rejected" ? [attempt.reason as unknown] : []));
      expect(tries.length - refusals.length).toBe(most);
      for (const refusal of refusals)
        expect(refusal).toMatchObject({
          code: "rate_limited",
          retryAfterSeconds: 10,
          message: `You have ${most} conversions running, which is the most at a time. Wait until one has finished.`,
        });
    }
  });

  it("counts every job of a batch, and jobs that end no longer", async () => {
    const viewer = pro();
    const first = await createBatch(domain, viewer, { urls: links(BATCH, "a"), format: "mp3" });
    await createBatch(domain, viewer, { urls: links(BATCH - 1, "b"), format: "mp3" });
    await expect(createBatch(domain, viewer, { urls: links(2, "c"), format: "mp3" })).rejects.toThrow(
      `You have ${PRO_ACTIVE - 1} conversions running and ${PRO_ACTIVE} is the most at a time, so there is room for 1 more. ` +
        "Wait until some have finished.",
    );
    expect(await domain.jobs.countDocuments()).toBe(PRO_ACTIVE - 1);
    await cancelOrRemove(domain, viewer, first.jobs[0]?._id ?? "");
    expect((await createBatch(domain, viewer, { urls: links(2, "c"), format: "mp3" })).jobs).toHaveLength(2);
    await expect(retryBatch(domain, viewer, first.batchId)).rejects.toThrow(
      expect.objectContaining({ code: "rate_limited" }),
    );
  });
});

it("picks up a Pro job before a hundred free jobs that were queued earlier", async () => {
  for (let n = 0; n < 100; n += 1) await createConversion(domain, newViewer(), { youtubeUrl: link(n), format: "mp3" });
  const job = await createConversion(domain, pro(), { youtubeUrl: link("pro"), format: "mp3" });
  const order = domain.waiting.toSorted((a, b) => b.priority - a.priority).map(({ jobId }) => jobId);
  expect([order.length, order.indexOf(job._id)]).toEqual([101, 0]);
});
