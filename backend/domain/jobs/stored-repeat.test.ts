import { expect, it } from "vitest";
import { besideDomain, domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { countMissedUsage, usageOf } from "../accounts/usage.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { createWebhook } from "../webhooks/webhooks.ts";
import { createBatch } from "./batches.ts";
import type { StoredJob } from "./job-model.ts";
import { createConversion } from "./add-jobs.ts";
import { getFinishedJob } from "./read-jobs.ts";
import { beginProcessing, claimJob, findReusable, finishJob } from "./work.ts";

const LINK = "https://video.example/a";
const HOUR_MS = 3_600_000;

const domain = domainForTests();

function ask(viewer: Viewer = newViewer(), requestKey?: string): Promise<StoredJob> {
  return createConversion(domain, viewer, { youtubeUrl: LINK, format: "mp3" }, requestKey);
}

/** Converts the link by a worker, and stores its file. */
async function convert(): Promise<StoredJob & { fileKey: string }> {
  const job = await ask();
  await claimJob(domain, job._id, "w");
  await beginProcessing(domain, job, { stage: "store", progress: 99 });
  const fileKey = `${job._id}.1.mp3`;
  const file = { fileKey, fileSize: 5, durationSeconds: 60, note: "short" };
  await domain.jobs.updateOne({ _id: job._id }, { $set: { title: "Rain", thumbnailKey: `${job._id}.1.jpg` } });
  const done = await finishJob(domain, job, file, job.tier);
  if (!done) throw new Error("the job could not be finished");
  domain.storedFiles.add(fileKey);
  domain.waiting.length = 0;
  return { ...done, fileKey };
}

/** Records the database writes of the domain from now on, as "collection.method". */
function recordWrites(): string[] {
  const writes: string[] = [];
  domain.jobs.db.set("debug", (collection: string, method: string) => {
    const isRead = ["find", "findOne", "countDocuments", "aggregate"].includes(method);
    if (!isRead) writes.push(`${collection}.${method}`);
  });
  return writes;
}

async function untilCounted({ _id }: StoredJob): Promise<void> {
  await expect.poll(() => domain.stored(_id)).toMatchObject({ isUsageCounted: true });
}

it("is completed by a single database write before the answer, and has no ticket", async () => {
  const first = await convert();
  const viewer = newViewer({ network: "a-network" });
  const writes = recordWrites();
  const { _id } = await ask(viewer);
  expect(writes).toEqual(["jobs.insertMany"]);
  expect(domain.waiting).toEqual([]);
  const stored = await domain.stored(_id);
  expect(stored).toMatchObject({
    status: "completed",
    progress: 100,
    title: "Rain",
    fileKey: first.fileKey,
    fileSize: 5,
    durationSeconds: 60,
    note: "short",
    thumbnailKey: `${first._id}.1.jpg`,
    isRepeat: true,
  });
  // An ended job holds no slot in a limit.
  for (const field of ["place", "network", "networkSlot", "shortfall"]) expect(stored).not.toHaveProperty(field);
  expect((stored?.expiresAt?.getTime() ?? 0) - (stored?.completedAt?.getTime() ?? 0)).toBe(HOUR_MS);
  expect(await getFinishedJob(domain, viewer, _id)).toMatchObject({ fileKey: first.fileKey });
});

it("is published as a job that begins and then ends, and its usage is counted", async () => {
  await convert();
  const viewer = newViewer();
  const ended: unknown[] = [];
  domain.bus.subscribe("job:ended", (message) => ended.push(message));
  const answer = await ask(viewer);
  expect(answer.status).toBe("queued");
  const versions = (await domain.published("job")).filter(({ job }) => job.id === answer._id);
  expect(versions.map(({ audience, job }) => [audience.deviceId, job.status, job.title])).toEqual([
    [viewer.deviceId, "queued", LINK],
    [viewer.deviceId, "completed", "Rain"],
  ]);
  expect(ended).toEqual([expect.objectContaining({ outcome: "completed", isNewFromYouTube: false })]);
  await untilCounted(answer);
  expect(await usageOf(domain, viewer)).toMatchObject({ totalConversions: 1, totalDataUsed: 5 });
});

it("is announced to the webhooks of its user", async () => {
  await convert();
  const user = await domain.users.create({
    _id: "user-1",
    issuer: "https://issuer",
    subject: "a",
    email: "a@video.example",
    tier: "free",
    grantedTier: "free",
    subscriptionTier: "free",
    subscriptionRead: 0,
    tierChangedAt: new Date(),
    createdAt: new Date(),
    deletedAt: null,
  });
  await createWebhook(domain, user._id, { url: "https://hooks.example/" });
  const { _id } = await ask(newViewer({ userId: user._id }));
  await expect
    .poll(() => domain.webhookRecords.deliveries.distinct("messageId", { type: "job.completed" }))
    .toEqual([`${_id}.1`]);
  await expect.poll(() => domain.stored(_id)).not.toHaveProperty("announcedAfter");
});

it("goes by the queue when the file is given up at the same moment, and leaves no completed job", async () => {
  const first = await convert();
  const isStored = domain.isStored.bind(domain);
  const answer = await createConversion(
    {
      ...domain,
      isStored: async (key) => {
        await domain.jobs.updateOne({ _id: first._id }, { $set: { isGivenUp: true } });
        return isStored(key);
      },
    },
    newViewer(),
    { youtubeUrl: LINK, format: "mp3" },
  );
  expect(await domain.stored(answer._id)).toMatchObject({ status: "queued", attempt: 1 });
  expect(domain.waiting).toEqual([expect.objectContaining({ jobId: answer._id })]);
  expect(await domain.jobs.countDocuments()).toBe(2);
  expect(await domain.published("job").then((all) => all.filter(({ job }) => job.id === answer._id))).toHaveLength(1);
  // The job that gave the file up may have left it for the new one.
  expect(domain.removedFiles).toEqual([first.fileKey]);
});

it("goes by the queue when the file is missing or the storage does not answer, and in a batch", async () => {
  const first = await convert();
  const isQueued = async ({ _id }: StoredJob): Promise<void> => {
    expect(await domain.stored(_id)).toMatchObject({ status: "queued" });
  };
  const batch = await createBatch(domain, newViewer({ tier: "pro" }), { urls: [LINK], format: "mp3" });
  for (const job of batch.jobs) await isQueued(job);
  const silent = { ...domain, isStored: () => Promise.reject(new Error("the storage is away")) };
  await isQueued(await createConversion(silent, newViewer(), { youtubeUrl: LINK, format: "mp3" }));
  domain.storedFiles.delete(first.fileKey);
  await isQueued(await ask());
});

it("is made once for requests with the same key", async () => {
  const first = await convert();
  const viewer = newViewer();
  const answers = await Promise.all([ask(viewer, "key"), ask(viewer, "key")]);
  expect(answers[1]._id).toBe(answers[0]._id);
  // As at another process, which does not wait for this one.
  const other = besideDomain(domain);
  other.storedFiles.add(first.fileKey);
  const both = await Promise.all([
    ask(viewer, "other key"),
    createConversion(other, viewer, { youtubeUrl: LINK, format: "mp3" }, "other key"),
  ]);
  expect(both[1]._id).toBe(both[0]._id);
});

it("gives its file to other requests only once it is counted, which the sweeper leaves to its process for a lease", async () => {
  const first = await convert();
  const repeat = await ask();
  await untilCounted(repeat);
  await domain.jobs.deleteOne({ _id: first._id });
  expect(await findReusable(domain, repeat)).toMatchObject({ _id: repeat._id });
  // As if its process had died before it was counted.
  await domain.jobs.updateOne({ _id: repeat._id }, { $unset: { isUsageCounted: 1 } });
  expect(await findReusable(domain, repeat)).toBeNull();
  expect(await countMissedUsage(domain)).toBe(0);
  expect(await countMissedUsage(domain, new Date(Date.now() + domain.limits.leaseMs + 1))).toBe(1);
  expect(await findReusable(domain, repeat)).toMatchObject({ _id: repeat._id });
});

it("is refused like other requests when too many jobs are active", async () => {
  const narrow = besideDomain(domain, { activeJobs: { free: 1, pro: 1 } });
  const viewer = newViewer();
  await createConversion(narrow, viewer, { youtubeUrl: "https://video.example/b", format: "mp3" });
  narrow.storedFiles.add((await convert()).fileKey);
  await expect(createConversion(narrow, viewer, { youtubeUrl: LINK, format: "mp3" })).rejects.toThrow(
    expect.objectContaining({ code: "rate_limited" }),
  );
});
