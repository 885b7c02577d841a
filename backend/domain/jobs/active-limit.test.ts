/** The limit of active jobs of one owner, with two processes on one database. */
import { beforeEach, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { completeByWorker, failByWorker } from "../../dev/testing/stored-jobs.ts";
import { besideDomain, domainForTests, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import { signIn } from "../accounts/sign-in.ts";
import { createBatch } from "./batches.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import { ACTIVE } from "./active-limit.ts";
import type { JobDocument, StoredJob } from "./job-model.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import { retryJob, retryJobs } from "./retry-jobs.ts";
import type { Viewer } from "../accounts/viewer.ts";

const LIMITS = { activeJobs: { free: 3, pro: TIERS.pro.batchSize + 10 } };
const here = domainForTests(LIMITS);
let there: TestDomain;
beforeEach(() => {
  there = besideDomain(here, LIMITS);
});

const processOf = (n: number) => (n % 2 === 0 ? here : there);
let links = 0;
const newLink = () => `https://video.example/${(links += 1)}`;
const create = (domain: TestDomain, viewer: Viewer, key?: string) =>
  createConversion(domain, viewer, { youtubeUrl: newLink(), format: "mp3" }, key);
const batch = (domain: TestDomain, viewer: Viewer) =>
  createBatch(domain, viewer, { urls: Array.from({ length: TIERS.pro.batchSize }, newLink), format: "mp3" });
const activeOf = ({ deviceId }: Viewer) => here.jobs.find({ deviceId, status: { $in: ACTIVE } }).lean<JobDocument[]>();
const fail = (job: StoredJob) => failByWorker(here, job);

/** @returns how many calls were accepted; checks that all others were refused by the limit */
async function accepted(calls: readonly Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(calls);
  const otherErrors = settled.flatMap((one) =>
    one.status === "rejected" && !(one.reason instanceof RateLimitedError) ? [one.reason as unknown] : [],
  );
  expect(otherErrors).toEqual([]);
  return settled.filter(({ status }) => status === "fulfilled").length;
}

it("accepts exactly the limit of forty requests at once to two processes, each with a ticket", async () => {
  const viewer = newViewer();
  expect(await accepted(Array.from({ length: 40 }, (_, n) => create(processOf(n), viewer)))).toBe(3);
  const active = await activeOf(viewer);
  expect([...here.waiting, ...there.waiting].map(({ jobId }) => jobId).sort()).toEqual(
    active.map(({ _id }) => _id).sort(),
  );
  // Other owners are not affected.
  expect(await accepted([create(here, newViewer())])).toBe(1);
});

it("accepts a batch only as a whole when several are sent at once", async () => {
  const viewer = newViewer({ userId: "user-1", tier: "pro" });
  expect(await accepted(Array.from({ length: 6 }, (_, n) => batch(processOf(n), viewer)))).toBe(1);
  const active = await activeOf(viewer);
  expect([active.length, new Set(active.map(({ batchId }) => batchId)).size]).toEqual([TIERS.pro.batchSize, 1]);
  // Single jobs use the slots that the batch has left.
  expect(await accepted(Array.from({ length: 16 }, (_, n) => create(processOf(n), viewer)))).toBe(10);
});

it("frees a slot when a job is completed, failed or canceled", async () => {
  const viewer = newViewer();
  const jobs = [await create(here, viewer), await create(there, viewer), await create(here, viewer)] as const;
  const [one, two, three] = jobs;
  await fail(one);
  await cancelOrRemove(there, viewer, two._id);
  await completeByWorker(here, three);
  expect(await here.jobs.countDocuments({ place: { $exists: true } })).toBe(0);
  expect(await accepted(Array.from({ length: 8 }, (_, n) => create(processOf(n), viewer)))).toBe(3);
});

it("needs a free slot for a retry", async () => {
  const viewer = newViewer();
  const failed: StoredJob[] = [];
  for (let n = 0; n < 3; n += 1) failed.push(await fail(await create(here, viewer)));
  for (let n = 0; n < 3; n += 1) failed.push(await fail(await create(there, viewer)));
  expect(await accepted(failed.map((job, n) => retryJob(processOf(n), viewer, job._id)))).toBe(3);
  expect(await activeOf(viewer)).toHaveLength(3);
});

it("keeps the limit when a batch is retried while other jobs are added", async () => {
  const viewer = newViewer({ userId: "user-1", tier: "pro" });
  const { jobs } = await batch(here, viewer);
  const failed = await Promise.all(jobs.map(fail));
  const [retried, single] = await Promise.all([
    retryJobs(here, viewer, failed).catch(() => []),
    accepted(Array.from({ length: 15 }, () => create(there, viewer))),
  ]);
  const active = await activeOf(viewer);
  expect(active.length).toBe(retried.length + single);
  expect(active.length).toBeLessThanOrEqual(LIMITS.activeJobs.pro);
  expect(here.waiting.slice(TIERS.pro.batchSize)).toHaveLength(retried.length);
});

it("makes one job when two processes receive the same request at once", async () => {
  const viewer = newViewer();
  const input = { youtubeUrl: newLink(), format: "mp3" } as const;
  const made = await Promise.all([here, there].map((domain) => createConversion(domain, viewer, input, "a-key")));
  expect(new Set(made.map(({ _id }) => _id)).size).toBe(1);
  expect(await activeOf(viewer)).toHaveLength(1);
});

it("counts the jobs of a device for the user who signs in there, and no longer for the device", async () => {
  const viewer = newViewer();
  for (let n = 0; n < 3; n += 1) await create(here, viewer);
  const user = await signIn(here, viewer.deviceId, { issuer: "https://issuer", subject: "s", email: "s@example.org" });
  expect(await accepted([create(there, { ...viewer, userId: user._id })])).toBe(0);
  // After signing out.
  expect(await accepted(Array.from({ length: 6 }, (_, n) => create(processOf(n), viewer)))).toBe(3);
});

it("reuses a slot that an older version left on an ended job", async () => {
  const viewer = newViewer();
  const jobs = [await create(here, viewer), await create(here, viewer), await create(here, viewer)];
  await here.jobs.updateMany({ _id: { $in: jobs.map(({ _id }) => _id) } }, { $set: { status: "canceled" } });
  expect(await accepted(Array.from({ length: 6 }, (_, n) => create(processOf(n), viewer)))).toBe(3);
});
