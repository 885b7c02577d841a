/**
 * The runner on a real database and real files; each test decides when the conversion ends. Several workers are in
 * runner.full.test.ts.
 */
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { domainForTests, newViewer, type TestDomain } from "../dev/testing/test-domain.ts";
import { resumesAtOf, type Job } from "../../common/job.ts";
import type { Audience } from "../domain/bus.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";
import { recordRemovals } from "../domain/jobs/file-removals.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { cancelOrRemove } from "../domain/jobs/end-jobs.ts";
import { retryJob } from "../domain/jobs/retry-jobs.ts";
import { describeJob } from "../domain/jobs/work.ts";
import { saveSession } from "../domain/accounts/sessions.ts";
import { signIn } from "../domain/accounts/sign-in.ts";
import type { Viewer } from "../domain/accounts/viewer.ts";
import { expireFiles, finishRemovals } from "../domain/jobs/maintenance.ts";
import { removeStrayFiles, sweep } from "./sweeper.ts";
import { keysIn, LINK, openBench, SHORTFALL, ticketFor, until, type Bench } from "../dev/testing/runner-bench.ts";

const ofTest = domainForTests();
// The models of the database are those of all tests.
afterEach(() => void vi.restoreAllMocks());

/** Makes a worker wait before it stores a file. `begun` resolves when it does. */
function holdStoring(bench: Bench): { readonly begun: Promise<void>; goOn(): void } {
  const begun = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  bench.beforePut(async () => {
    begun.resolve();
    await mayGoOn.promise;
  });
  return { begun: begun.promise, goOn: () => mayGoOn.resolve() };
}

it("keeps a claimed job whose lease expired because the whole machine slept", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  await domain.jobs.updateOne({ _id }, { $set: { leaseExpiresAt: new Date(Date.now() - 60_000) } });
  // The queue assigns the ticket again before any heartbeat.
  await runner.handle(ticketFor(_id));
  bench.finish();
  await running;
  expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 1 });
});

it("keeps a claimed job when the machine sleeps right after the renewal of its lease", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await using bench = await openBench(ofTest);
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  await until(domain, _id, (job) => job.status === "processing");
  const updateOne = domain.jobs.updateOne.bind(domain.jobs);
  const renewAndSleep = async (...update: Parameters<typeof updateOne>): Promise<unknown> => {
    const result = await updateOne(...update);
    vi.setSystemTime(Date.now() + 10 * domain.limits.leaseMs);
    return result;
  };
  vi.spyOn(domain.jobs, "updateOne").mockImplementationOnce(renewAndSleep as never);
  await runner.handle(ticketFor(_id));
  bench.finish();
  await running;
  expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 1 });
});

it("runs a later attempt of a job whose earlier attempt it still runs", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  // As if another worker had reclaimed the job.
  await domain.jobs.updateOne({ _id }, { $set: { status: "queued", attempt: 2 } });
  const again = runner.handle(ticketFor(_id));
  await running;
  bench.finish();
  await again;
  expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 2 });
});

it("keeps a retried job that waits while the file of its canceled attempt is being stored", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner } = bench;
  const viewer = newViewer();
  const { _id } = await createConversion(domain, viewer, LINK);
  const storing = holdStoring(bench);
  const first = runner.handle(ticketFor(_id));
  await bench.begun;
  bench.finish();
  await storing.begun;
  await cancelOrRemove(domain, viewer, _id);
  await retryJob(domain, viewer, _id);
  const claimed = nextPush(domain, (job) => job.status === "pending" && job.attempt === 2);
  const second = runner.handle(ticketFor(_id));
  await claimed;
  await domain.jobs.updateOne({ _id }, { $set: { leaseExpiresAt: new Date(0) } });
  const now = new Date();
  await runner.heartbeat();
  await sweep(domain, 0, now);
  const waiting = await domain.stored(_id);
  expect(waiting).toMatchObject({ status: "pending", attempt: 2 });
  expect(waiting).not.toHaveProperty("workerDeaths");
  storing.goOn();
  await Promise.all([first, second]);
  expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 2 });
});

it("removes the picture of an attempt that was lost before the picture was stored", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner, store } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  // A write that comes after the next line would end the attempt before its picture.
  await until(domain, _id, (job) => job.status === "processing");
  // As if another worker had reclaimed the job.
  await domain.jobs.updateOne({ _id }, { $set: { status: "queued", attempt: 2 } });
  await bench.picture();
  const again = runner.handle(ticketFor(_id));
  await running;
  bench.finish();
  await again;
  expect(await keysIn(store)).toEqual([`${_id}.2.mp3`]);
});

it("removes a picture when a later attempt has its own, and when its job is removed", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner, store } = bench;
  const viewer = newViewer();
  const { _id } = await createConversion(domain, viewer, LINK);
  const first = runner.handle(ticketFor(_id));
  await bench.begun;
  await bench.picture();
  await until(domain, _id, (job) => job.thumbnailKey === `${_id}.1.jpg`);
  await cancelOrRemove(domain, viewer, _id);
  await first;
  await retryJob(domain, viewer, _id);
  expect(await keysIn(store)).toEqual([`${_id}.1.jpg`]);
  const second = runner.handle(ticketFor(_id));
  await expect.poll(() => bench.begunCount()).toBe(2);
  await bench.picture();
  await until(domain, _id, (job) => job.thumbnailKey === `${_id}.2.jpg`);
  bench.finish();
  await second;
  expect(await keysIn(store)).toEqual([`${_id}.2.jpg`, `${_id}.2.mp3`]);
  await cancelOrRemove(domain, viewer, _id);
  expect(await keysIn(store)).toEqual([]);
});

describe("files that a visitor removes", () => {
  async function convertWithPicture(bench: Bench): Promise<[Viewer, string]> {
    const { domain, runner } = bench;
    const viewer = newViewer();
    const { _id } = await createConversion(domain, viewer, LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    await bench.picture();
    await until(domain, _id, (job) => job.thumbnailKey !== undefined);
    bench.finish();
    await running;
    return [viewer, _id];
  }

  it("go with the next sweep when the store could not delete them", async () => {
    await using bench = await openBench(ofTest);
    const { domain, store } = bench;
    const [viewer, id] = await convertWithPicture(bench);
    const failing = { ...domain, removeFile: () => Promise.reject(new Error("the store is away")) };
    expect(await cancelOrRemove(failing, viewer, id)).toBeNull();
    expect(await keysIn(store)).toEqual([`${id}.1.jpg`, `${id}.1.mp3`]);
    await expect(sweep(failing, 1_000)).rejects.toMatchObject({
      errors: [{ message: "2 files could not be deleted" }],
    });
    expect(await sweep(domain, 1_000)).toMatchObject({ removedFiles: 2 });
    expect(await keysIn(store)).toEqual([]);
    expect(await domain.fileRemovals.countDocuments()).toBe(0);
  });

  it("go with the next sweep when the process dies before it deletes them", async () => {
    await using bench = await openBench(ofTest);
    const { domain, store } = bench;
    const [viewer, id] = await convertWithPicture(bench);
    const asked = Promise.withResolvers<void>();
    const dying = {
      ...domain,
      removeFile: () => {
        asked.resolve();
        return new Promise<never>(() => undefined);
      },
    };
    void cancelOrRemove(dying, viewer, id);
    await asked.promise;
    expect(await keysIn(store)).toEqual([`${id}.1.jpg`, `${id}.1.mp3`]);
    await sweep(domain, 1_000);
    expect(await keysIn(store)).toEqual([]);
  });

  it("stay while another job names them, and their removal is forgotten after a minute", async () => {
    await using bench = await openBench(ofTest);
    const { domain, store } = bench;
    const [, id] = await convertWithPicture(bench);
    // As if the process had died before it deleted the job.
    const beforeMs = Date.now();
    await recordRemovals(domain, [`${id}.1.jpg`, `${id}.1.mp3`]);
    expect(await finishRemovals(domain, new Date(beforeMs + 59_000))).toBe(0);
    expect(await finishRemovals(domain, new Date(Date.now() + 61_000))).toBe(2);
    expect(await domain.fileRemovals.countDocuments()).toBe(0);
    expect(await keysIn(store)).toEqual([`${id}.1.jpg`, `${id}.1.mp3`]);
  });

  it("go when the job is removed while its picture is being stored", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner, store } = bench;
    const viewer = newViewer();
    const { _id } = await createConversion(domain, viewer, LINK);
    const storing = holdStoring(bench);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    await bench.picture();
    await storing.begun;
    await cancelOrRemove(domain, viewer, _id);
    await cancelOrRemove(domain, viewer, _id);
    storing.goOn();
    await running;
    expect(await domain.stored(_id)).toBeNull();
    expect(await keysIn(store)).toEqual([]);
  });
});

it("removes a replaced picture with the next sweep when the store could not delete it", async () => {
  await using bench = await openBench(ofTest);
  const { domain, store } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  await bench.put(`${_id}.1.jpg`);
  await bench.put(`${_id}.2.jpg`);
  await domain.jobs.updateOne({ _id }, { $set: { attempt: 2, status: "pending", thumbnailKey: `${_id}.1.jpg` } });
  const failing = { ...domain, removeFile: () => Promise.reject(new Error("the store is away")) };
  const job = await describeJob(failing, { _id, attempt: 2 }, { thumbnailKey: `${_id}.2.jpg` });
  expect(job).toMatchObject({ thumbnailKey: `${_id}.2.jpg` });
  expect(await keysIn(store)).toEqual([`${_id}.1.jpg`, `${_id}.2.jpg`]);
  await sweep(domain, 1_000);
  expect(await keysIn(store)).toEqual([`${_id}.2.jpg`]);
});

it("removes the stored file of an attempt that could not be completed", async () => {
  // The percentage is not written while the file is being stored: the write that fails must be the last one.
  await using bench = await openBench(ofTest, { writeIntervalMs: 60_000 });
  const { domain, runner, store } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const write = vi.spyOn(domain.jobs, "findOneAndUpdate");
  bench.beforePut(() => {
    // The next write completes the job.
    write.mockImplementationOnce(() => {
      throw new Error("the database is away");
    });
    return Promise.resolve();
  });
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  await until(domain, _id, (job) => job.status === "processing");
  bench.finish();
  await running;
  write.mockRestore();
  expect(await domain.stored(_id)).toMatchObject({ status: "queued", attempt: 2 });
  expect(await keysIn(store)).toEqual([]);
});

it("removes the file of a job that went to another worker while the file was being stored", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner, store } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const storing = holdStoring(bench);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  bench.finish();
  await storing.begun;
  await domain.jobs.updateOne({ _id }, { $set: { status: "queued", attempt: 2 } });
  storing.goOn();
  await running;
  expect(await keysIn(store)).toEqual([]);
});

it("begins no conversion for a job that was canceled while it waited for another one", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner } = bench;
  const storing = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  bench.beforePut(() => {
    storing.resolve();
    return failed.promise;
  });
  const first = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(first._id));
  await bench.begun;
  bench.finish();
  await storing.promise;
  const viewer = newViewer();
  const second = await createConversion(domain, viewer, LINK);
  const claimed = nextPush(domain, (job) => job.id === second._id && job.status === "pending");
  const waiting = runner.handle(ticketFor(second._id));
  await claimed;
  await cancelOrRemove(domain, viewer, second._id);
  failed.reject(new Error("the store is away"));
  await Promise.all([running, waiting]);
  expect(bench.begunCount()).toBe(1);
});

it("goes on with a sweep when a file cannot be deleted", async () => {
  await using bench = await openBench(ofTest);
  const { domain } = bench;
  const stuck = await createConversion(domain, newViewer(), LINK);
  await domain.jobs.updateOne(
    { _id: stuck._id },
    { $set: { status: "completed", fileKey: `${stuck._id}.1.mp3`, expiresAt: new Date(0) } },
  );
  await saveSession(domain, "expired", {}, new Date(0));
  const failing = { ...domain, removeFile: () => Promise.reject(new Error("not permitted")) };
  await expect(sweep(failing, 1_000)).rejects.toThrow("1 steps of a sweep failed");
  expect(await domain.sessions.countDocuments()).toBe(0);
});

it("removes files of a dead worker with the first sweep, and none that a running attempt is storing", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner, store } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  // A write that comes after the lease is ended below would renew it.
  await until(domain, _id, (job) => job.status === "processing");
  // As if the worker had been killed after storing the files and before naming them.
  for (const key of [`${_id}.1.jpg`, `${_id}.1.mp3`, "gone.1.jpg"]) await bench.put(key);
  expect(await removeStrayFiles(domain, store, 0, null)).toBe(1);
  expect(await keysIn(store)).toEqual([`${_id}.1.jpg`, `${_id}.1.mp3`]);
  await domain.jobs.updateOne({ _id }, { $set: { leaseExpiresAt: new Date(0) } });
  await sweep(domain, 1_000);
  expect(await domain.stored(_id)).toMatchObject({ status: "queued", attempt: 2 });
  expect(await keysIn(store)).toEqual([]);
  await runner.heartbeat();
  await running;
});

it("names a shared file in every job before the first job is completed and can be removed", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner, store } = bench;
  const viewer = newViewer();
  const first = await createConversion(domain, viewer, LINK);
  const second = await createConversion(domain, newViewer(), LINK);
  // The first viewer removes the job as soon as it is completed.
  const removed = new Promise<void>((resolve, reject) => {
    domain.bus.subscribe("job", ({ job }) => {
      if (job.id === first._id && job.status === "completed")
        cancelOrRemove(domain, viewer, first._id).then(() => resolve(), reject);
    });
  });
  const running = runner.handle(ticketFor(first._id));
  await bench.begun;
  await runner.handle(ticketFor(second._id));
  bench.finish();
  await Promise.all([running, removed]);
  expect(await domain.stored(first._id)).toBeNull();
  const fileKey = (await domain.stored(second._id))?.fileKey ?? "none.1.mp3";
  expect(await store.stat(fileKey)).toMatchObject({ sizeBytes: 5 });
  await cancelOrRemove(domain, { ...viewer, deviceId: second.deviceId }, second._id);
  expect(await store.stat(fileKey)).toBeNull();
});

it("requeues a job that was being claimed when the worker stopped", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await runner.stop();
  const stored = await domain.stored(_id);
  expect(stored).toMatchObject({ status: "queued" });
  await running;
  expect(await domain.stored(_id)).toEqual(stored);
});

it("pushes a running job to its new owner right after the sign-in", async () => {
  // No write happens in between that would read the new owner from the database.
  await using bench = await openBench(ofTest, { writeIntervalMs: 60_000 });
  const { domain, runner } = bench;
  const viewer = newViewer();
  const { _id } = await createConversion(domain, viewer, LINK);
  const processing = nextPush(domain, (job) => job.status === "processing");
  const running = runner.handle(ticketFor(_id));
  await processing;
  const user = await signIn(domain, viewer.deviceId, {
    issuer: "https://accounts.example",
    subject: "s",
    email: "s@example.com",
  });
  const pushed = nextPush(domain, (job) => job.progress === 20);
  bench.progress(20);
  expect((await pushed).audience).toEqual({ deviceId: viewer.deviceId, userId: user._id });
  bench.finish();
  await running;
  expect(await domain.stored(_id)).toMatchObject({ status: "completed", userId: user._id });
});

it("pushes the latest of many reports instead of each one", async () => {
  await using bench = await openBench(ofTest, { writeIntervalMs: 60_000 });
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const processing = nextPush(domain, (job) => job.status === "processing");
  const running = runner.handle(ticketFor(_id));
  await processing;
  const latest = nextPush(domain, (job) => job.progress === 90);
  // The clock stands still: all reports come in one moment, however slow the machine is.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  for (let report = 11; report <= 90; report += 1) bench.progress(report);
  clock.mockRestore();
  await latest;
  const percentages = (await domain.published("job")).map(({ job }) => job.progress);
  expect(percentages.filter((percent) => percent > 10).length).toBeLessThanOrEqual(2);
  bench.finish();
  await running;
});

describe("a conversion that waits for the site", () => {
  it("tells the browsers and the database until when, without a step back, and that it goes on", async () => {
    // The percentage is not written in between: the wait has to bring it along.
    await using bench = await openBench(ofTest, { writeIntervalMs: 60_000 });
    const { domain, runner } = bench;
    const { _id } = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await until(domain, _id, (job) => job.status === "processing");
    bench.progress(42);
    const resumesAt = new Date(Date.now() + 30_000);
    const waiting = nextPush(domain, (job) => resumesAtOf(job) !== undefined);
    bench.pause(resumesAt);
    expect((await waiting).job).toMatchObject({
      status: "processing",
      progress: 42,
      resumesAt: resumesAt.toISOString(),
    });
    expect(await domain.stored(_id)).toMatchObject({ progress: 42, resumesAt });
    const goesOn = nextPush(domain, (job) => resumesAtOf(job) === undefined);
    bench.pause(null);
    expect((await goesOn).job).toMatchObject({ status: "processing", progress: 42 });
    bench.finish();
    await running;
    expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 1 });
    expect(await domain.stored(_id)).not.toHaveProperty("resumesAt");
  });
});

describe("a file that several jobs share", () => {
  const DAY_MS = 24 * 60 * 60 * 1_000;

  it("is not made again, and is removed with the last job that names it", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner, store } = bench;
    bench.finish();
    const counted: (string | undefined)[] = [];
    domain.bus.subscribe("job:ended", ({ shortfall }) => void counted.push(shortfall));
    const viewers = [newViewer(), newViewer(), newViewer()];
    const jobs = await oneByOne(viewers, async (viewer) => {
      const { _id } = await createConversion(domain, viewer, LINK);
      await runner.handle(ticketFor(_id));
      return (await domain.stored(_id)) as StoredJob;
    });
    const [first, second, third] = jobs as [StoredJob, StoredJob, StoredJob];
    expect(jobs.map(({ status, fileKey }) => [status, fileKey])).toEqual(
      jobs.map(() => ["completed", `${first._id}.1.mp3`]),
    );
    // A reused file has fewer lines than the plan allows as well.
    expect(jobs.map(({ shortfall }) => shortfall)).toEqual(jobs.map(() => SHORTFALL));
    expect(counted).toEqual(jobs.map(() => SHORTFALL.reason));
    // The others took no time of their own.
    expect(jobs.map((job) => "receipt" in job && job.receipt !== undefined)).toEqual([true, false, false]);
    expect(await keysIn(store)).toEqual([first.fileKey]);
    expect(bench.begunCount()).toBe(1);
    await cancelOrRemove(domain, viewers[0] as Viewer, first._id);
    await domain.jobs.updateOne({ _id: second._id }, { $set: { expiresAt: new Date() } });
    expect(await expireFiles(domain)).toBe(1);
    expect(await keysIn(store)).toEqual([first.fileKey]);
    expect(await expireFiles(domain, new Date(Date.now() + DAY_MS))).toBe(1);
    expect(await domain.stored(third._id)).toMatchObject({ isExpired: true });
    expect(await keysIn(store)).toEqual([]);
  });
});

describe("what a conversion finds out", () => {
  const FOUND = { fileKind: "opus", subtitleLanguage: "en", interlaced: true, sponsorsUnknown: true } as const;

  it("is kept with every job of the conversion, also with one that joins late", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const first = await createConversion(domain, newViewer(), LINK);
    const late = await createConversion(domain, newViewer(), LINK);
    const running = [runner.handle(ticketFor(first._id))];
    await bench.begun;
    for (const [name, value] of Object.entries(FOUND)) bench.found({ [name]: value });
    running.push(runner.handle(ticketFor(late._id)));
    await until(domain, late._id, (job) => job.interlaced === true);
    bench.finish();
    await Promise.all(running);
    expect(bench.begunCount()).toBe(1);
    for (const { _id } of [first, late])
      expect(await domain.stored(_id)).toMatchObject({ status: "completed", ...FOUND, shortfall: SHORTFALL });
  });

  it("is kept at the end even if it could not be stored before", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const { _id } = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    bench.found(FOUND);
    await until(domain, _id, (job) => job.interlaced === true);
    await domain.jobs.updateOne({ _id }, { $unset: { fileKind: 1, interlaced: 1 } });
    bench.finish();
    await running;
    expect(await domain.stored(_id)).toMatchObject({ status: "completed", ...FOUND, shortfall: SHORTFALL });
  });

  it("is forgotten with an attempt that its worker did not finish, and told by the next one", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const { _id } = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    bench.found(FOUND);
    await until(domain, _id, (job) => job.interlaced === true);
    await runner.stop({ drainMs: 0 });
    await running;
    const again = second.handle(ticketFor(_id));
    await expect.poll(() => bench.begunCount()).toBe(2);
    bench.found({ fileKind: "m4a" });
    bench.finish();
    await again;
    const stored = await domain.stored(_id);
    expect(stored).toMatchObject({ status: "completed", attempt: 2, fileKind: "m4a", shortfall: SHORTFALL });
    for (const name of ["subtitleLanguage", "interlaced", "sponsorsUnknown"]) expect(stored).not.toHaveProperty(name);
  });
});

describe("a job that two workers died with", () => {
  it("runs with no other job beside it", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const link = (n: number) => ({ ...LINK, youtubeUrl: `https://video.example/${n}` });
    const first = await createConversion(domain, newViewer(), link(1));
    const suspect = await createConversion(domain, newViewer(), link(2));
    const later = await createConversion(domain, newViewer(), link(3));
    await domain.jobs.updateOne({ _id: suspect._id }, { $set: { workerDeaths: 2 } });
    const running = new Set<string>();
    /** By job, the other jobs that ran when it began. */
    const beside = new Map<string, string[]>();
    domain.bus.subscribe("job", ({ job }) => {
      if (job.status === "completed") running.delete(job.id);
      else if (job.status === "pending" && !running.has(job.id)) {
        beside.set(job.id, [...running]);
        running.add(job.id);
      }
    });
    const handled = [runner.handle(ticketFor(first._id))];
    await bench.begun;
    handled.push(runner.handle(ticketFor(suspect._id)), runner.handle(ticketFor(later._id)));
    bench.finish();
    await Promise.all(handled);
    expect([...beside.keys()].sort()).toEqual([first._id, suspect._id, later._id].sort());
    expect(beside.get(suspect._id)).toEqual([]);
    expect(beside.get(later._id)).not.toContain(suspect._id);
  });

  it("counts a worker death when the worker stops after an uncaught error", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const { _id } = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    await runner.stop({ isCrashing: true });
    await running;
    expect(await domain.stored(_id)).toMatchObject({ status: "queued", attempt: 2, finalAttempt: 3, workerDeaths: 1 });
  });
});

describe("a worker that stops", () => {
  it("finishes running jobs within the drain time and claims no more", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const first = await createConversion(domain, newViewer(), LINK);
    const late = await createConversion(domain, newViewer(), { ...LINK, format: "mp4" });
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    const stopped = runner.stop({ drainMs: 30_000 });
    await runner.handle(ticketFor(late._id));
    expect(await domain.stored(late._id)).toMatchObject({ status: "queued", attempt: 2 });
    bench.finish();
    await Promise.all([running, stopped]);
    expect(await domain.stored(first._id)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("requeues unfinished jobs after the drain time, so that another worker starts them at once", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const { _id } = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    await runner.stop({ drainMs: 50 });
    await running;
    expect(await domain.stored(_id)).toMatchObject({ status: "queued", attempt: 2 });
    const again = second.handle(ticketFor(_id));
    await expect.poll(() => bench.begunCount()).toBe(2);
    bench.finish();
    await again;
    expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 2 });
  });
});

async function oneByOne<T, R>(values: readonly T[], act: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const value of values) results.push(await act(value));
  return results;
}

/** Resolves with the next push that fits. */
function nextPush(domain: TestDomain, fits: (job: Job) => boolean): Promise<{ audience: Audience; job: Job }> {
  return new Promise((resolve) => {
    const unsubscribe = domain.bus.subscribe("job", ({ audience, job }) => {
      if (!fits(job)) return;
      unsubscribe();
      resolve({ audience, job });
    });
  });
}
