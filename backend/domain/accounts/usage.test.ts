import { describe, expect, it } from "vitest";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import type { CompletedJob } from "../jobs/job-model.ts";
import { createConversion } from "../jobs/add-jobs.ts";
import { cancelOrRemove } from "../jobs/end-jobs.ts";
import {
  adoptUsage,
  countMissedUsage,
  countUsage,
  deleteOldUsage,
  monthOf,
  usageAccountHook,
  usageByDay,
  usageOf,
} from "./usage.ts";
import type { Viewer } from "./viewer.ts";
import { beginProcessing, claimJob, finishJob } from "../jobs/work.ts";

const domain = domainForTests();

const DAY_MS = 24 * 60 * 60 * 1_000;

async function convert(viewer: Viewer, sizeBytes: number): Promise<CompletedJob> {
  const job = await createConversion(domain, viewer, {
    youtubeUrl: `https://video.example/${sizeBytes}`,
    format: "mp3",
  });
  await claimJob(domain, job._id, "w");
  await beginProcessing(domain, job, { stage: "store", progress: 99 });
  const done = await finishJob(domain, job, { fileKey: `${job._id}.1.mp3`, fileSize: sizeBytes }, job.tier);
  if (!done) throw new Error("the job could not be finished");
  return done;
}
async function used(viewer: Viewer): Promise<[number, number]> {
  const { totalConversions, totalDataUsed } = await usageOf(domain, viewer);
  return [totalConversions, totalDataUsed];
}

describe("usage", () => {
  it("is zero at first and uses the UTC month", async () => {
    expect(await usageOf(domain, newViewer(), new Date("2026-03-31T23:59:59.999Z"))).toEqual({
      month: "2026-03",
      totalConversions: 0,
      totalDataUsed: 0,
    });
    expect(monthOf(new Date("2026-04-01T01:30:00.000+02:00"))).toBe("2026-03");
  });

  it("is told by day, for the last 30 days and their owner only", async () => {
    const viewer = newViewer();
    // The 30 days begin in January, and have days of three months.
    const now = new Date("2026-03-01T00:00:00.000Z");
    const entryAt = (at: string, sizeBytes: number, owner = viewer) => {
      const completedAt = new Date(at);
      return { _id: at, deviceId: owner.deviceId, userId: null, month: monthOf(completedAt), sizeBytes, completedAt };
    };
    await domain.usage.insertMany([
      entryAt("2026-01-30T23:59:59.999Z", 1),
      entryAt("2026-01-31T00:00:00.000Z", 2),
      entryAt("2026-02-28T00:00:00.000Z", 4),
      entryAt("2026-02-28T23:59:59.999Z", 8),
      entryAt("2026-02-28T12:00:00.000Z", 16, newViewer()),
    ]);
    const days = await usageByDay(domain, viewer, now);
    expect([days.length, days[0], ...days.slice(-2)]).toEqual([
      30,
      { day: "2026-01-31", conversions: 1, dataUsed: 2 },
      { day: "2026-02-28", conversions: 2, dataUsed: 12 },
      { day: "2026-03-01", conversions: 0, dataUsed: 0 },
    ]);
    expect(days.reduce((sum, { conversions }) => sum + conversions, 0)).toBe(3);
  });

  it("grows with each completed job of its owner and is published to the owner", async () => {
    const device = newViewer();
    const user = newViewer({ userId: "user-1" });
    await convert(device, 1_000);
    await convert(device, 500);
    await convert(user, 7);
    expect([
      await used(device),
      await used(user),
      await used(newViewer()),
      await used(newViewer({ userId: "user-1" })),
    ]).toEqual([
      [2, 1_500],
      [1, 7],
      [0, 0],
      [1, 7],
    ]);
    expect(await domain.published("usage")).toEqual([
      {
        audience: { deviceId: device.deviceId },
        usage: { month: monthOf(new Date()), totalConversions: 1, totalDataUsed: 1_000 },
      },
      {
        audience: { deviceId: device.deviceId },
        usage: { month: monthOf(new Date()), totalConversions: 2, totalDataUsed: 1_500 },
      },
      {
        audience: { deviceId: user.deviceId, userId: "user-1" },
        usage: { month: monthOf(new Date()), totalConversions: 1, totalDataUsed: 7 },
      },
    ]);
  });

  it("does not include other months", async () => {
    const viewer = newViewer();
    await convert(viewer, 10);
    await domain.usage.updateMany({}, { $set: { month: "2020-01" } });
    expect(await used(viewer)).toEqual([0, 0]);
  });
});

describe("a completed job is counted once", () => {
  it("when ten calls count it at the same time", async () => {
    const viewer = newViewer();
    const job = await convert(viewer, 10);
    await Promise.all(Array.from({ length: 10 }, () => countUsage(domain, { ...job, isUsageCounted: false })));
    expect(await used(viewer)).toEqual([1, 10]);
  });

  it.each([
    ["before its entry was written", async (id: string) => void (await domain.usage.deleteOne({ _id: id }))],
    ["after its entry was written and before the job was marked", () => Promise.resolve()],
  ])("when a crash happened %s", async (_, undo) => {
    const viewer = newViewer();
    const job = await convert(viewer, 10);
    await undo(job._id);
    await domain.jobs.updateOne({ _id: job._id }, { $unset: { isUsageCounted: 1 } });
    expect(await countMissedUsage(domain)).toBe(1);
    expect(await used(viewer)).toEqual([1, 10]);
    expect(await countMissedUsage(domain)).toBe(0);
  });

  it("when the visitor removes it before the sweeper has counted it", async () => {
    const viewer = newViewer();
    const job = await convert(viewer, 10);
    await domain.usage.deleteOne({ _id: job._id });
    await domain.jobs.updateOne({ _id: job._id }, { $unset: { isUsageCounted: 1 } });
    await cancelOrRemove(domain, viewer, job._id);
    expect(await used(viewer)).toEqual([1, 10]);
  });

  it("and stays counted when it is removed; a canceled job is not counted", async () => {
    const viewer = newViewer();
    const job = await convert(viewer, 10);
    await cancelOrRemove(domain, viewer, job._id);
    const canceled = await createConversion(domain, viewer, { youtubeUrl: "https://video.example/c", format: "mp3" });
    await cancelOrRemove(domain, viewer, canceled._id);
    await countMissedUsage(domain);
    expect(await used(viewer)).toEqual([1, 10]);
  });
});

describe("signing in", () => {
  it("adopts this month's usage of the device, once", async () => {
    const device = newViewer();
    const user = { ...device, userId: "user-1" };
    await convert(device, 10);
    await convert(newViewer(), 99);
    for (let n = 0; n < 3; n += 1) await adoptUsage(domain, device.deviceId, "user-1");
    expect([await used(device), await used(user)]).toEqual([
      [0, 0],
      [1, 10],
    ]);
    // Another user who signs in on this device adopts nothing.
    await adoptUsage(domain, device.deviceId, "user-2");
    expect([await used(user), await used({ ...device, userId: "user-2" })]).toEqual([
      [1, 10],
      [0, 0],
    ]);
  });

  it("adopts a job that is completed but not yet counted", async () => {
    const device = newViewer();
    const job = await convert(device, 10);
    await domain.usage.deleteOne({ _id: job._id });
    // The job was adopted after `countUsage` had read it.
    await domain.jobs.updateOne({ _id: job._id }, { $set: { userId: "user-1" } });
    await adoptUsage(domain, device.deviceId, "user-1");
    await countUsage(domain, { ...job, isUsageCounted: false });
    expect([await used(device), await used({ ...device, userId: "user-1" })]).toEqual([
      [0, 0],
      [1, 10],
    ]);
  });
});

it("is deleted after 90 days, and exported and deleted with the account", async () => {
  const user = newViewer({ userId: "user-1" });
  const old = await convert(user, 1);
  const young = await convert(user, 2);
  await domain.usage.updateOne({ _id: old._id }, { $set: { completedAt: new Date(Date.now() - 91 * DAY_MS) } });
  await domain.usage.updateOne({ _id: young._id }, { $set: { completedAt: new Date(Date.now() - 89 * DAY_MS) } });
  expect(await deleteOldUsage(domain)).toBe(1);
  expect(await domain.usage.distinct("_id")).toEqual([young._id]);
  const hook = usageAccountHook(domain.usage);
  const entries: unknown[] = [];
  const { usage } = (await hook.export?.("user-1")) ?? {};
  for await (const entry of usage as AsyncIterable<unknown>) entries.push(entry);
  expect(entries).toEqual([expect.objectContaining({ conversionId: young._id, sizeBytes: 2 })]);
  await hook.onDeleted?.("user-1");
  expect(await domain.usage.countDocuments()).toBe(0);
});
