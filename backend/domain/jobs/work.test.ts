import { describe, expect, it } from "vitest";
import { SENTENCES } from "../../../common/errors.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { isFileInUse } from "./files.ts";
import type { CompletedJob, JobDocument, PendingJob, ProcessingJob, StoredJob } from "./job-model.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import { retryJob } from "./retry-jobs.ts";
import {
  beginProcessing,
  claimJob,
  describeJob,
  failJob,
  findReusable,
  finishJob,
  handBack,
  pushProgress,
  mustRunAlone,
  recordDeath,
  renewLease,
  resumeCaughtUp,
  saveProgress,
  startOver,
  waitForSite,
  waitForTool,
} from "./work.ts";
import {
  expireFiles,
  deleteOldJobs,
  reclaimAllJobs,
  reclaimJobIfLost,
  reclaimLostJobs,
  reissueTickets,
} from "./maintenance.ts";
import { ticketOf } from "./ticket-of.ts";

const LINK = "https://video.example/a";
const HOUR_MS = 3_600_000;
const domain = domainForTests({ maxAttempts: 3, retryBackoffMs: 1_000, leaseMs: 60_000, historyMs: 24 * HOUR_MS });

async function queued(viewer = newViewer(), link = LINK): Promise<StoredJob> {
  return createConversion(domain, viewer, { youtubeUrl: link, format: "mp3" });
}
async function claimed(viewer = newViewer(), link = LINK): Promise<PendingJob> {
  return must(await claimJob(domain, (await queued(viewer, link))._id, "worker-1"));
}
async function processing(viewer = newViewer()): Promise<ProcessingJob> {
  return must(await beginProcessing(domain, await claimed(viewer), { stage: "download", progress: 1 }));
}
async function completed(viewer = newViewer(), more: Partial<CompletedJob> = {}): Promise<CompletedJob> {
  const job = await processing(viewer);
  const done = must(await finishJob(domain, job, { fileKey: `${job._id}.1.mp3`, fileSize: 9 }, job.tier));
  await domain.jobs.updateOne({ _id: job._id }, { $set: more });
  return { ...done, ...more };
}
function must<Job extends JobDocument>(job: Job | null): Job {
  if (!job) throw new Error("the job was not as expected");
  return job;
}
/** Lets the lease of the job end, as if its worker had died. */
async function lose(job: StoredJob): Promise<void> {
  await domain.jobs.updateOne({ _id: job._id }, { $set: { leaseExpiresAt: new Date(Date.now() - 1) } });
}

describe("a job at work", () => {
  it("goes from the queue to a file, and loses the fields that only the work needed", async () => {
    const job = await claimed();
    expect(job).toMatchObject({ status: "pending", attempt: 1, workerId: "worker-1", progress: 0 });
    expect(job.leaseExpiresAt?.getTime()).toBeGreaterThan(Date.now());
    await describeJob(domain, job, { title: "A title", durationSeconds: 12 });
    await beginProcessing(domain, job, { stage: "download", progress: 3, etaSeconds: 9, bytesPerSecond: 100 });
    expect(await saveProgress(domain, job, { stage: "convert", progress: 70 })).toMatchObject({ progress: 70 });
    const saved = await domain.stored(job._id);
    expect(saved).toMatchObject({ status: "processing", stage: "convert", progress: 70, title: "A title" });
    expect(saved).not.toHaveProperty("etaSeconds");
    expect(saved).not.toHaveProperty("bytesPerSecond");
    const done = await finishJob(domain, job, { fileKey: "k.1.mp3", fileSize: 5, note: "small" }, "free");
    expect(done).toMatchObject({
      status: "completed",
      progress: 100,
      fileKey: "k.1.mp3",
      fileSize: 5,
      note: "small",
      durationSeconds: 12,
    });
    for (const field of ["stage", "workerId", "leaseExpiresAt", "etaSeconds"]) expect(done).not.toHaveProperty(field);
    const statuses = (await domain.published("job")).map((message) => message.job.status);
    expect(statuses).toEqual(["queued", "pending", "pending", "processing", "completed"]);
  });

  it.each([
    ["free", HOUR_MS],
    ["pro", 7 * 24 * HOUR_MS],
  ] as const)("keeps the file of %s for the retention of the plan", async (tier, retentionMs) => {
    const before = Date.now();
    const job = await completed(newViewer({ tier }));
    const expiresAtMs = job.expiresAt?.getTime() ?? 0;
    expect(expiresAtMs).toBeGreaterThanOrEqual(before + retentionMs);
    expect(expiresAtMs).toBeLessThanOrEqual(Date.now() + retentionMs);
  });

  it("publishes progress without storing it", async () => {
    const job = await processing();
    pushProgress(domain, job, { stage: "convert", progress: 55, etaSeconds: 4 });
    expect((await domain.published("job")).at(-1)?.job).toMatchObject({
      status: "processing",
      stage: "convert",
      progress: 55,
      etaSeconds: 4,
    });
    expect(await domain.stored(job._id)).toMatchObject({ stage: "download", progress: 1 });
  });

  it("fails with the message of its error code", async () => {
    const failed = await failJob(domain, await processing(), "private");
    expect(failed).toMatchObject({ status: "failed", error: { code: "private", message: SENTENCES.private } });
    expect(failed).not.toHaveProperty("stage");
  });
});

describe("a worker that lost its job by", () => {
  it.each<[string, (job: StoredJob) => Promise<unknown>]>([
    ["a restart by another worker", (job) => handBack(domain, job)],
    ["cancelation", (job) => cancelOrRemove(domain, { deviceId: job.deviceId, userId: null, tier: "free" }, job._id)],
    [
      "completion by another worker",
      async (job) => finishJob(domain, job, { fileKey: "other.1.mp3", fileSize: 1 }, "free"),
    ],
  ])("%s changes nothing any more", async (_, loseJob) => {
    const job = await processing();
    await loseJob(job);
    if ((await domain.stored(job._id))?.status === "queued") await claimJob(domain, job._id, "worker-2");
    const before = await domain.stored(job._id);
    const publishedBefore = (await domain.published("job")).length;

    expect(await renewLease(domain, job)).toBe(false);
    expect(await describeJob(domain, job, { title: "late" })).toBeNull();
    expect(await beginProcessing(domain, job, { stage: "store", progress: 99 })).toBeNull();
    expect(await saveProgress(domain, job, { stage: "store", progress: 99 })).toBeNull();
    expect(await finishJob(domain, job, { fileKey: "late.1.mp3", fileSize: 1 }, "free")).toBeNull();
    expect(await failJob(domain, job, "network")).toBeNull();
    expect(await startOver(domain, job, "network")).toBeNull();
    expect(await handBack(domain, job)).toBeNull();

    expect(await domain.stored(job._id)).toEqual(before);
    expect(await domain.published("job")).toHaveLength(publishedBefore);
  });
});

describe("starting over", () => {
  it("doubles the back-off each time, and fails with the last error when no attempt is left", async () => {
    let job = await claimed();
    for (const [attempt, waitMs] of [
      [2, 1_000],
      [3, 2_000],
    ] as const) {
      domain.waiting.length = 0;
      const before = Date.now();
      expect(await startOver(domain, job, "network")).toMatchObject({ status: "queued", attempt, progress: 0 });
      expect(domain.waiting).toEqual([expect.objectContaining({ jobId: job._id })]);
      const runAtMs = domain.waiting[0]?.runAtMs ?? 0;
      expect(runAtMs).toBeGreaterThanOrEqual(before + waitMs);
      expect(runAtMs).toBeLessThanOrEqual(Date.now() + waitMs);
      job = must(await claimJob(domain, job._id, "worker-1"));
    }
    domain.waiting.length = 0;
    expect(await startOver(domain, job, "timeout", { message: "It stalled." })).toMatchObject({
      status: "failed",
      attempt: 3,
      error: { code: "timeout", message: "It stalled." },
    });
    expect(domain.waiting).toEqual([]);
  });

  it("waits for the video site without using up an attempt, and says until when", async () => {
    let job = await claimed();
    const { finalAttempt } = job;
    for (const attempt of [2, 3, 4, 5]) {
      domain.waiting.length = 0;
      const untilMs = Date.now() + 5 * 60_000;
      const resumesAt = new Date(untilMs);
      expect(await waitForSite(domain, job, untilMs, true)).toMatchObject({ status: "queued", attempt, resumesAt });
      expect(domain.waiting).toEqual([expect.objectContaining({ jobId: job._id, runAtMs: untilMs })]);
      expect((await domain.published("job")).at(-1)?.job).toMatchObject({ resumesAt: resumesAt.toISOString() });
      job = must(await claimJob(domain, job._id, "worker-1"));
      expect(job).not.toHaveProperty("resumesAt");
      expect(job.finalAttempt - job.attempt).toBe(finalAttempt - 1);
    }
  });

  it("waits for six hours in all while the site refuses us, unless the visitor retries", async () => {
    const viewer = newViewer();
    const { _id } = await queued(viewer);
    const waitAgain = async (minutes: number): Promise<StoredJob | null> => {
      const job = must(await claimJob(domain, _id, "worker-1"));
      return waitForSite(domain, job, Date.now() + minutes * 60_000, true);
    };
    for (let hours = 1; hours <= 5; hours += 1) expect(await waitAgain(60)).toMatchObject({ status: "queued" });
    // One that is over at once counts as a minute.
    expect(await waitAgain(-5)).toMatchObject({ status: "queued" });
    expect(await waitAgain(59)).toMatchObject({ status: "queued" });
    expect(await waitAgain(1)).toMatchObject({ status: "failed", error: { code: "busy" } });

    await retryJob(domain, viewer, _id);
    expect(await waitAgain(6 * 60)).toMatchObject({ status: "queued" });
  });

  it("waits for its turn in the operator's budget without an end", async () => {
    const { _id } = await queued();
    for (let hours = 1; hours <= 24; hours += 1) {
      const job = must(await claimJob(domain, _id, "worker-1"));
      expect(await waitForSite(domain, job, Date.now() + HOUR_MS, false)).toMatchObject({ status: "queued" });
    }
    const job = must(await claimJob(domain, _id, "worker-1"));
    expect(await waitForSite(domain, job, Date.now() + 6 * HOUR_MS, true)).toMatchObject({ status: "queued" });
  });

  it("waits three times within an hour for a newer tool, says so, and then fails with its own sentence", async () => {
    const viewer = newViewer();
    const { _id } = await queued(viewer, "https://www.youtube.com/watch?v=dQw4w9WgXcQ");
    const expectWaits = async (): Promise<void> => {
      for (const minutes of [5, 15, 40]) {
        domain.waiting.length = 0;
        const before = Date.now();
        const job = must(await claimJob(domain, _id, "worker-1"));
        expect(job).not.toHaveProperty("isCatchingUp");
        expect(await waitForTool(domain, job)).toMatchObject({ status: "queued", attempt: job.attempt + 1 });
        expect((await domain.published("job")).at(-1)?.job).toMatchObject({ status: "queued", isCatchingUp: true });
        const { resumesAt } = must(await domain.stored(_id));
        expect(domain.waiting).toEqual([expect.objectContaining({ jobId: _id, runAtMs: resumesAt?.getTime() })]);
        expect(resumesAt?.getTime()).toBeGreaterThanOrEqual(before + minutes * 60_000);
        expect(resumesAt?.getTime()).toBeLessThanOrEqual(Date.now() + minutes * 60_000);
      }
    };
    await expectWaits();
    const last = must(await claimJob(domain, _id, "worker-1"));
    const failed = await waitForTool(domain, last, { words: "n challenge solving failed" });
    expect(failed).toMatchObject({
      status: "failed",
      error: { code: "site_changed", message: SENTENCES.site_changed },
    });
    await retryJob(domain, viewer, _id);
    await expectWaits();
    expect(await cancelOrRemove(domain, viewer, _id)).toMatchObject({ status: "canceled" });
    for (const field of ["resumesAt", "isCatchingUp"]) expect(await domain.stored(_id)).not.toHaveProperty(field);
  });

  it("waits once, for five minutes, at another site than YouTube", async () => {
    const { _id } = await queued();
    const job = must(await claimJob(domain, _id, "worker-1"));
    expect(await waitForTool(domain, job)).toMatchObject({ status: "queued", toolWaits: 1 });
    const again = must(await claimJob(domain, _id, "worker-1"));
    expect(await waitForTool(domain, again)).toMatchObject({ status: "failed", error: { code: "site_changed" } });
  });

  it("goes on at once when a newer tool is there, and lets jobs wait that wait for the site", async () => {
    const [caughtUp, refused] = [await claimed(), await claimed(newViewer(), `${LINK}b`)];
    await waitForTool(domain, caughtUp);
    await waitForSite(domain, refused, Date.now() + HOUR_MS, true);
    domain.waiting.length = 0;
    await Promise.all([resumeCaughtUp(domain), resumeCaughtUp(domain)]);
    expect(domain.waiting).toEqual([ticketOf(caughtUp)]);
    const job = (await domain.published("job")).at(-1)?.job;
    expect(job).toMatchObject({ id: caughtUp._id, status: "queued" });
    for (const field of ["resumesAt", "isCatchingUp"]) expect(job).not.toHaveProperty(field);
    expect(await claimJob(domain, caughtUp._id, "worker-1")).toMatchObject({ toolWaits: 1 });
    expect(await domain.stored(refused._id)).toHaveProperty("resumesAt");
  });

  it("ends a wait for the video site when the visitor cancels the job", async () => {
    const job = await claimed();
    await waitForSite(domain, job, Date.now() + HOUR_MS, true);
    domain.waiting.length = 0;
    const canceled = await cancelOrRemove(domain, { ...newViewer(), deviceId: job.deviceId }, job._id);
    expect(canceled).toMatchObject({ status: "canceled" });
    expect(await domain.stored(job._id)).not.toHaveProperty("resumesAt");
  });

  it("leaves one ticket and deletes earlier ones", async () => {
    const job = await claimed();
    await domain.tickets.enqueue(ticketOf(job));
    await startOver(domain, job, "network");
    expect(domain.waiting).toHaveLength(1);
  });

  it("removes the fields of the ended attempt", async () => {
    const job = await processing();
    await saveProgress(domain, job, { stage: "convert", progress: 60, etaSeconds: 3 });
    await startOver(domain, job, "network");
    const stored = await domain.stored(job._id);
    for (const field of ["stage", "etaSeconds", "workerId", "leaseExpiresAt", "error", "note"])
      expect(stored).not.toHaveProperty(field);
  });

  it("by handing back uses up no attempt and has no back-off", async () => {
    let job = await claimed();
    for (let times = 0; times < 5; times += 1) {
      domain.waiting.length = 0;
      await handBack(domain, job);
      expect(domain.waiting).toEqual([ticketOf(job)]);
      job = must(await claimJob(domain, job._id, "worker-1"));
    }
    expect(job).toMatchObject({ attempt: 6, finalAttempt: 8 });
    const before = Date.now();
    expect(await startOver(domain, job, "network")).toMatchObject({ status: "queued" });
    expect(domain.waiting[0]?.runAtMs).toBeLessThanOrEqual(Math.max(before, Date.now()) + 1_000);
  });

  it("by a retry of the visitor gives as many attempts as a new job has", async () => {
    const viewer = newViewer();
    const job = await claimed(viewer);
    await failJob(domain, job, "network");
    const retried = await retryJob(domain, viewer, job._id);
    expect(retried).toMatchObject({ status: "queued", attempt: 2, finalAttempt: 4, progress: 0 });
    expect(retried).not.toHaveProperty("error");
    let again = must(await claimJob(domain, job._id, "w"));
    for (const expected of ["queued", "queued", "failed"]) {
      expect(await startOver(domain, again, "network")).toMatchObject({ status: expected });
      if (expected === "queued") again = must(await claimJob(domain, job._id, "w"));
    }
  });
});

describe("reclaiming the jobs of lost workers", () => {
  it("uses up one attempt and queues the job at once", async () => {
    const job = await processing();
    expect(await reclaimLostJobs(domain)).toBe(0);
    await lose(job);
    domain.waiting.length = 0;
    expect(await reclaimLostJobs(domain)).toBe(1);
    expect(await domain.stored(job._id)).toMatchObject({ status: "queued", attempt: 2, finalAttempt: 3 });
    expect(domain.waiting).toEqual([ticketOf(job)]);
    expect(await reclaimLostJobs(domain)).toBe(0);
  });

  it("fails the job with internal after its last attempt", async () => {
    const job = await processing();
    await domain.jobs.updateOne({ _id: job._id }, { $set: { finalAttempt: 1 } });
    await lose(job);
    await reclaimLostJobs(domain);
    expect(await domain.stored(job._id)).toMatchObject({ status: "failed", error: { code: "internal" } });
  });

  it("queues a job once when many sweepers find it at the same moment", async () => {
    const job = await processing();
    await lose(job);
    await Promise.all(Array.from({ length: 8 }, () => reclaimLostJobs(domain)));
    expect(await domain.stored(job._id)).toMatchObject({ status: "queued", attempt: 2 });
    expect(domain.waiting.filter((ticket) => ticket.jobId === job._id)).toHaveLength(1);
  });

  it("leaves a job whose worker renewed the lease in time", async () => {
    const job = await processing();
    await lose(job);
    expect(await renewLease(domain, job)).toBe(true);
    expect(await reclaimLostJobs(domain)).toBe(0);
    await reclaimJobIfLost(domain, job._id);
    expect(await domain.stored(job._id)).toMatchObject({ status: "processing", attempt: 1 });
  });

  it("leaves a job whose lease ended later than the given moment", async () => {
    const { _id } = await processing();
    const endMs = Date.now() - 1_000;
    await domain.jobs.updateOne({ _id }, { $set: { leaseExpiresAt: new Date(endMs) } });
    await reclaimJobIfLost(domain, _id, new Date(endMs - 1));
    expect(await domain.stored(_id)).toMatchObject({ status: "processing", attempt: 1 });
    await reclaimJobIfLost(domain, _id, new Date(endMs));
    expect(await domain.stored(_id)).toMatchObject({ status: "queued", attempt: 2 });
  });

  it("is done by the worker that gets the job's ticket", async () => {
    const job = await processing();
    await lose(job);
    await reclaimJobIfLost(domain, job._id);
    expect(await claimJob(domain, job._id, "worker-2")).toMatchObject({ attempt: 2, workerId: "worker-2" });
  });

  it("takes all running jobs at the start of a process that works alone", async () => {
    const held = [await claimed(), await processing()];
    const waiting = await queued();
    const done = await completed();
    expect(await reclaimAllJobs(domain)).toBe(2);
    for (const job of held) expect(await domain.stored(job._id)).toMatchObject({ status: "queued", attempt: 2 });
    expect(await domain.stored(waiting._id)).toMatchObject({ status: "queued", attempt: 1 });
    expect(await domain.stored(done._id)).toMatchObject({ status: "completed" });
  });
});

describe("reissueTickets", () => {
  it("issues tickets for queued jobs that have none", async () => {
    const ticketless = await queued();
    const ticketed = await queued();
    const working = await processing();
    await domain.tickets.remove(ticketless._id);
    await domain.tickets.remove(working._id);
    expect(await reissueTickets(domain, new Date(Date.now() - HOUR_MS))).toBe(0);
    expect(await reissueTickets(domain, new Date())).toBe(1);
    expect(domain.waiting.map((ticket) => ticket.jobId).sort()).toEqual([ticketless._id, ticketed._id].sort());
    expect(await reissueTickets(domain, new Date())).toBe(0);
  });
});

describe("expireFiles and deleteOldJobs", () => {
  it("delete an expired file before they mark its job", async () => {
    const job = await completed();
    const later = new Date((job.expiresAt?.getTime() ?? 0) + 1);
    expect(await expireFiles(domain)).toBe(0);
    const order: string[] = [];
    const watched = {
      ...domain,
      removeFile: async (key: string) => {
        order.push(`${key} deleted, marked: ${String((await domain.stored(job._id))?.isExpired ?? false)}`);
      },
    };
    expect(await expireFiles(watched, later)).toBe(1);
    expect(order).toEqual([`${job.fileKey} deleted, marked: false`]);
    expect(await domain.stored(job._id)).toMatchObject({ status: "completed", isExpired: true });
    expect((await domain.published("job")).at(-1)?.job).not.toHaveProperty("downloadUrl");
    expect(await expireFiles(domain, later)).toBe(0);
  });

  it("delete the other files when one cannot be deleted", async () => {
    const stuck = await completed();
    const other = await completed();
    const later = new Date(Math.max(...[stuck, other].map((job) => job.expiresAt?.getTime() ?? 0)) + 1);
    const failing = {
      ...domain,
      removeFile: (key: string) => (key === stuck.fileKey ? Promise.reject(new Error("in use")) : Promise.resolve()),
    };
    await expect(expireFiles(failing, later)).rejects.toThrow("1 of 2 jobs could not be dealt with");
    expect(await domain.stored(stuck._id)).not.toHaveProperty("isExpired");
    expect(await domain.stored(other._id)).toMatchObject({ isExpired: true });
  });

  it("try again when a file could not be deleted", async () => {
    const job = await completed();
    const later = new Date((job.expiresAt?.getTime() ?? 0) + 1);
    await expect(
      expireFiles({ ...domain, removeFile: () => Promise.reject(new Error("busy")) }, later),
    ).rejects.toMatchObject({ errors: [{ message: "busy" }] });
    expect(await domain.stored(job._id)).not.toHaveProperty("isExpired");
    expect(await expireFiles(domain, later)).toBe(1);
    expect(domain.removedFiles).toEqual([job.fileKey]);
  });

  it("keep the record for the history, then delete it with its thumbnail", async () => {
    const expired = await completed(newViewer(), { isExpired: true, thumbnailKey: "thumbnail.1.jpg" });
    const kept = await completed();
    const active = await queued();
    const failed = await claimed();
    await failJob(domain, failed, "private");
    expect(await deleteOldJobs(domain)).toBe(0);
    expect(await deleteOldJobs(domain, new Date(Date.now() + 25 * HOUR_MS))).toBe(2);
    expect((await domain.jobs.find().lean<JobDocument[]>()).map((job) => job._id).sort()).toEqual(
      [kept._id, active._id].sort(),
    );
    expect(domain.removedFiles).toEqual(["thumbnail.1.jpg"]);
    expect((await domain.published("job:removed")).map((message) => message.id).sort()).toEqual(
      [expired._id, failed._id].sort(),
    );
  });
});

it("deleteOldJobs leaves a job that is retried meanwhile", async () => {
  const viewer = newViewer();
  const ids = new Set<string>();
  for (const link of [LINK, "https://video.example/b"]) {
    const job = await claimed(viewer, link);
    await failJob(domain, job, "private");
    await domain.jobs.updateOne({ _id: job._id }, { $set: { thumbnailKey: job._id } });
    ids.add(job._id);
  }
  // Called for the job that comes first, whose record is gone.
  const removeFile = async (first: string): Promise<void> => {
    ids.delete(first);
    for (const id of ids) await retryJob(domain, viewer, id);
  };
  await deleteOldJobs({ ...domain, removeFile }, new Date(Date.now() + 25 * HOUR_MS));
  expect(await domain.jobs.find({}, { status: 1 }).lean()).toEqual([...ids].map((_id) => ({ _id, status: "queued" })));
  expect(await domain.published("job:removed")).toHaveLength(1);
});

describe("findReusable", () => {
  it("finds the file of an equal request of any owner; of several the one that is kept longest", async () => {
    const short = await completed();
    const long = await completed(newViewer(), { expiresAt: new Date(Date.now() + 5 * HOUR_MS) });
    const request = await queued();
    expect((await findReusable(domain, request))?._id).toBe(long._id);
    await domain.jobs.updateOne({ _id: long._id }, { $set: { isExpired: true } });
    expect((await findReusable(domain, request))?._id).toBe(short._id);
    // The record of a deleted account names no file.
    await domain.jobs.updateOne({ _id: long._id }, { $set: { isExpired: false }, $unset: { fileKey: 1 } });
    expect((await findReusable(domain, request))?._id).toBe(short._id);
    await domain.jobs.updateOne({ _id: short._id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await findReusable(domain, request)).toBeNull();
  });

  it("finds nothing for another video, format or quality, nor a file that is being made", async () => {
    const viewer = newViewer();
    await completed(viewer);
    const others = [
      await queued(viewer, "https://video.example/b"),
      await createConversion(domain, viewer, { youtubeUrl: LINK, format: "mp4" }),
      await createConversion(domain, newViewer({ tier: "pro" }), { youtubeUrl: LINK, format: "mp3" }),
    ];
    for (const other of others) expect(await findReusable(domain, other)).toBeNull();
    const working = await claimed(viewer, "https://video.example/c");
    expect(await findReusable(domain, working)).toBeNull();
  });

  it("finds a file in use until its job gives it up", async () => {
    const job = await completed(newViewer(), { thumbnailKey: "thumbnail.1.jpg" });
    const key = job.fileKey ?? "";
    expect(await isFileInUse(domain, key)).toBe(true);
    expect(await isFileInUse(domain, "thumbnail.1.jpg")).toBe(true);
    expect(await isFileInUse(domain, "stray.1.mp3")).toBe(false);
    await domain.jobs.updateOne({ _id: job._id }, { $set: { isExpired: true } });
    expect(await isFileInUse(domain, key)).toBe(false);
    expect(await isFileInUse(domain, "thumbnail.1.jpg")).toBe(true);
  });
});

describe("a job whose worker died", () => {
  it.each<[string, (job: StoredJob) => Promise<unknown>]>([
    ["reclaimed when its lease has ended", async (job) => [await lose(job), await reclaimLostJobs(domain)]],
    ["reclaimed with its ticket", async (job) => [await lose(job), await reclaimJobIfLost(domain, job._id)]],
    ["reclaimed at the start of a worker that works alone", () => reclaimAllJobs(domain)],
    ["given back by a worker that dies", (job) => recordDeath(domain, job)],
  ])("runs alone after the second death and fails after the third when %s", async (_, die) => {
    const { _id } = await queued();
    for (const deaths of [0, 1, 2]) {
      const job = must(await claimJob(domain, _id, "worker"));
      expect(mustRunAlone(job)).toBe(deaths === 2);
      await die(job);
    }
    expect(await domain.stored(_id)).toMatchObject({
      status: "failed",
      attempt: 3,
      error: { code: "internal", message: expect.stringContaining("stopped three times") as string },
    });
  });

  it("does not count an orderly stop or a transient failure", async () => {
    const { _id } = await queued();
    await handBack(domain, must(await claimJob(domain, _id, "worker")));
    await startOver(domain, must(await claimJob(domain, _id, "worker")), "network");
    expect(await domain.stored(_id)).not.toHaveProperty("workerDeaths");
  });

  it("runs alone in a retry after the third death, and fails at the next death", async () => {
    const viewer = newViewer();
    const { _id } = await queued(viewer);
    for (let deaths = 0; deaths < 3; deaths += 1)
      await recordDeath(domain, must(await claimJob(domain, _id, "worker")));
    await retryJob(domain, viewer, _id);
    const job = must(await claimJob(domain, _id, "worker"));
    expect(mustRunAlone(job)).toBe(true);
    expect(await recordDeath(domain, job)).toMatchObject({ status: "failed", attempt: 4 });
  });
});
