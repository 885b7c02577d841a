/** The limits of active jobs of one network and of one plan, with two processes on one database. */
import { beforeEach, expect, it } from "vitest";
import { besideDomain, domainForTests, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import { retryJob } from "./retry-jobs.ts";
import type { StoredJob } from "./job-model.ts";
import { claimJob, failJob, startOver } from "./work.ts";

const LIMITS = { activeJobs: { free: 3, pro: 30 }, activeJobsPerNetwork: 5, activeJobsPerTier: 12 };
const here = domainForTests(LIMITS);
let there: TestDomain;
beforeEach(() => {
  there = besideDomain(here, LIMITS);
});

let links = 0;
const create = (n: number, viewer: Viewer) =>
  createConversion(n % 2 === 0 ? here : there, viewer, {
    youtubeUrl: `https://video.example/${(links += 1)}`,
    format: "mp3",
  });
/** A visitor with a new cookie. */
const visitorIn = (network: string, more: Partial<Viewer> = {}) => newViewer({ network, ...more });

/** @returns the jobs that were accepted, and the codes of the refusals */
async function createMany(count: number, viewer: () => Viewer): Promise<{ jobs: StoredJob[]; codes: Set<string> }> {
  const settled = await Promise.allSettled(Array.from({ length: count }, (_, n) => create(n, viewer())));
  const errors = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  expect(errors.filter((error) => !(error instanceof RateLimitedError))).toEqual([]);
  return {
    jobs: settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
    codes: new Set(errors.map((error) => (error as RateLimitedError).code)),
  };
}

it("accepts exactly the limit of a network from forty new cookies at once in two processes", async () => {
  const { jobs, codes } = await createMany(40, () => visitorIn("a"));
  expect([jobs.length, codes]).toEqual([5, new Set(["network_busy"])]);
  expect((await createMany(2, () => visitorIn("b"))).jobs).toHaveLength(2);
});

it("accepts jobs of Pro from a network that is full, and does not count them", async () => {
  await createMany(3, () => visitorIn("a", { userId: "u", tier: "pro" }));
  expect((await createMany(9, () => visitorIn("a"))).jobs).toHaveLength(5);
  expect((await createMany(3, () => visitorIn("a", { userId: "u", tier: "pro" }))).jobs).toHaveLength(3);
});

it("forgets the network of a job when the job ends, and keeps it while the job is tried again", async () => {
  const viewer = visitorIn("a");
  const job = await create(0, viewer);
  expect(await here.stored(job._id)).toMatchObject({ network: "a", networkSlot: expect.stringMatching(/^a:\d$/) });
  const claimed = await claimJob(here, job._id, "w");
  if (!claimed) throw new Error("the job was not queued");
  await startOver(here, claimed, "network");
  expect(await here.stored(job._id)).toMatchObject({ status: "queued", network: "a" });
  await cancelOrRemove(here, viewer, job._id);
  const ended = await here.stored(job._id);
  expect([ended?.status, ended?.network, ended?.networkSlot]).toEqual(["canceled", undefined, undefined]);
  expect((await createMany(9, () => visitorIn("a"))).jobs).toHaveLength(5);
});

it("needs a free slot of the network for a retry", async () => {
  const viewers = Array.from({ length: 8 }, () => visitorIn("a"));
  const failed: [Viewer, StoredJob][] = [];
  for (const viewer of viewers) {
    const job = await create(0, viewer);
    await claimJob(here, job._id, "w");
    await failJob(here, job, "private");
    failed.push([viewer, job]);
  }
  const retried = await Promise.allSettled(
    failed.map(([viewer, { _id }], n) => retryJob(n % 2 === 0 ? here : there, viewer, _id)),
  );
  expect(retried.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(await here.jobs.countDocuments({ network: "a" })).toBe(5);
});

it("reuses slots that an older version has left on ended jobs", async () => {
  const { jobs } = await createMany(5, () => visitorIn("a"));
  await here.jobs.updateMany({ _id: { $in: jobs.map(({ _id }) => _id) } }, { $set: { status: "canceled" } });
  expect((await createMany(9, () => visitorIn("a"))).jobs).toHaveLength(5);
  expect(await here.jobs.countDocuments({ network: "a" })).toBe(5);
});

it("answers unavailable_now when a slot that looks free stays taken", async () => {
  const viewer = visitorIn("a");
  const job = await create(0, viewer);
  await claimJob(here, job._id, "w");
  await failJob(here, job, "private");
  // Jobs that hold the slots and are not found by their network.
  const others = await Promise.all(Array.from({ length: 5 }, (_, n) => create(n, visitorIn("b"))));
  for (const [n, { _id }] of others.entries())
    await here.jobs.updateOne({ _id }, { $set: { network: "c", networkSlot: `a:${n}` } });
  const unavailable = { code: "unavailable_now", retryAfterSeconds: 1 };
  await expect(create(0, visitorIn("a"))).rejects.toMatchObject(unavailable);
  await expect(retryJob(here, viewer, job._id)).rejects.toMatchObject(unavailable);
});

it("refuses jobs of a plan when its queue is full, and accepts those of the other plan", async () => {
  const networks = ["a", "b", "c"];
  for (const network of networks) for (let n = 0; n < 4; n += 1) await create(n, visitorIn(network));
  await expect(create(0, visitorIn("d"))).rejects.toMatchObject({ code: "queue_full", retryAfterSeconds: 30 });
  await create(0, visitorIn("d", { userId: "u", tier: "pro" }));
});
