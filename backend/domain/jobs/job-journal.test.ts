import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { openTestBilling } from "../../dev/testing/billing/test-billing.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { signIn } from "../accounts/sign-in.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { Call } from "../call.ts";
import type { Domain } from "../domain.ts";
import { performAct } from "../operator/acts.ts";
import { createBatch, retryBatch } from "./batches.ts";
import { SILENT_JOURNAL } from "./job-journal.ts";
import type { JobDocument, StoredJob } from "./job-model.ts";
import { createConversion } from "./add-jobs.ts";
import { cancelJob } from "./end-jobs.ts";
import { retryJob } from "./retry-jobs.ts";
import { createSelection, queueMore } from "./selections.ts";
import { beginProcessing, claimJob, failJob, finishJob, handBack } from "./work.ts";

const LINK = { youtubeUrl: "https://video.example/a", format: "mp3" } as const;

const stored = domainForTests();
/** What the journal was told, as id, status and attempt of a job. */
let told: [string, string, number][];
let domain: Domain;
beforeEach(() => {
  told = [];
  const journal = {
    ...SILENT_JOURNAL,
    moved: ({ _id, status, attempt }: StoredJob): void => void told.push([_id, status, attempt]),
  };
  domain = { ...stored, journal };
});

function newCall(): Call {
  return { id: randomUUID(), traceparent: `00-${randomUUID().replaceAll("-", "")}-00f067aa0ba902b7-01` };
}

async function proUser(call: Call): Promise<Viewer> {
  const { deviceId } = newViewer();
  const user = await signIn(domain, deviceId, { issuer: "https://issuer", subject: "a", email: "a@example.org" });
  await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro", grantedTier: "pro" } });
  return { deviceId, userId: user._id, email: user.email, tier: "pro", call };
}

async function callsOf(filter: object): Promise<(string | undefined)[]> {
  const jobs = await domain.jobs.find(filter).lean<JobDocument[]>();
  return [...new Set(jobs.map(({ call }) => call?.id))];
}

it("is told every change of a job's status, once", async () => {
  const viewer = newViewer({ call: newCall() });
  const { _id } = await createConversion(domain, viewer, LINK);
  const first = await claimJob(domain, _id, "w");
  if (!first) throw new Error("the job was not claimed");
  await handBack(domain, first);
  const second = await claimJob(domain, _id, "w");
  if (!second) throw new Error("the job was not claimed");
  await beginProcessing(domain, second, { stage: "download", progress: 1 });
  await failJob(domain, second, "private");
  await retryJob(domain, viewer, _id);
  await cancelJob(domain, viewer, _id);
  expect(told).toEqual([
    [_id, "queued", 1],
    [_id, "pending", 1],
    [_id, "queued", 2],
    [_id, "pending", 2],
    [_id, "processing", 2],
    [_id, "failed", 2],
    [_id, "queued", 3],
    [_id, "canceled", 3],
  ]);
});

it("finds the call that asked for the job: the newest retry, or else the first", async () => {
  const call = newCall();
  const viewer = newViewer({ call });
  const { _id } = await createConversion(domain, viewer, LINK);
  expect((await stored.stored(_id))?.call).toMatchObject(call);
  const job = await claimJob(domain, _id, "w");
  if (job) await handBack(domain, job);
  expect((await stored.stored(_id))?.call).toMatchObject(call);
  await cancelJob(domain, viewer, _id);
  const again = newCall();
  await retryJob(domain, { ...viewer, call: again }, _id);
  expect((await stored.stored(_id))?.call).toMatchObject(again);
  await cancelJob(domain, viewer, _id);
  const byOperator = newCall();
  const blockContext = { siteHost: "tapedeck.example", videoHosts: [] };
  const parts = { blockContext, billing: await openTestBilling(domain) };
  await performAct(domain, { userId: "operator", call: byOperator }, { act: "retry_job", jobId: _id }, parts);
  expect((await stored.stored(_id))?.call).toMatchObject(byOperator);
});

it("finds the call of a batch in all its jobs", async () => {
  const call = newCall();
  const viewer = await proUser(call);
  const urls = ["https://video.example/a", "https://video.example/b"];
  const { batchId, jobs } = await createBatch(domain, viewer, { urls, format: "mp3" });
  expect(await callsOf({ batchId })).toEqual([call.id]);
  for (const { _id } of jobs) await cancelJob(domain, viewer, _id);
  const again = newCall();
  await retryBatch(domain, { ...viewer, call: again }, batchId);
  expect(await callsOf({ batchId })).toEqual([again.id]);
});

it("finds the call of a selection also in the jobs that are queued later", async () => {
  const call = newCall();
  const viewer = await proUser(call);
  const urls = Array.from({ length: TIERS.pro.batchSize + 10 }, (_, index) => `https://video.example/${index}`);
  const { batchId, jobs } = await createSelection(domain, viewer, { title: "A list", urls, format: "mp3" });
  for (const { _id } of jobs) {
    const job = await claimJob(domain, _id, "w");
    if (!job) throw new Error("the job was not claimed");
    await beginProcessing(domain, job, { stage: "store", progress: 99 });
    await finishJob(domain, job, { fileKey: `${_id}.mp3`, fileSize: 1 }, job.tier);
  }
  expect(await queueMore(domain, batchId)).toBe(10);
  expect(await domain.jobs.countDocuments({ batchId })).toBe(urls.length);
  expect(await callsOf({ batchId })).toEqual([call.id]);
});
