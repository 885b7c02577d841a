/** What happens with tickets, on a real database and real files; the conversion itself is the test's to end. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDomain, newViewer, type TestDomain } from "../dev/testing/test-domain.ts";
import type { Job } from "../../common/job.ts";
import type { Audience } from "../domain/bus.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";
import { openConversionLeases } from "../domain/jobs/conversion-leases.ts";
import { cancelOrRemove, createConversion, retryJob } from "../domain/jobs/requests.ts";
import { signIn } from "../domain/accounts/sign-in.ts";
import type { Viewer } from "../domain/accounts/viewer.ts";
import { expireFiles } from "../domain/jobs/maintenance.ts";
import type { ConvertListener } from "../pipeline/convert.ts";
import { openDiskStore } from "../storage/disk-store.ts";
import type { FileStore } from "../storage/file-store.ts";
import { createRunner, type Runner } from "./runner.ts";
import { removeStrayFiles, sweep } from "./sweeper.ts";

interface Bench extends AsyncDisposable {
  readonly domain: TestDomain;
  readonly store: FileStore;
  readonly runner: Runner;
  /** Another worker on the same jobs and files, whose conversions end as those of the first. */
  openSecond(): Promise<Runner>;
  /** How many conversions have begun, of either. */
  begunCount(): number;
  /** Resolves once a conversion runs. */
  readonly begun: Promise<void>;
  /** What the conversion says of how far it is. */
  progress(percent: number): void;
  /** The conversion has a picture. */
  picture(): Promise<void>;
  /** Puts something into the store. */
  put(key: string): Promise<void>;
  /** Lets it end well. */
  finish(): void;
}

async function openBench({ writeIntervalMs } = { writeIntervalMs: 1 }): Promise<Bench> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-runner-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const store = await openDiskStore(join(folder, "files"));
  const domain: TestDomain = { ...(await openTestDomain()), removeFile: (key) => store.remove(key) };
  opened.defer(() => domain.close());
  const [begun, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const listening: ConvertListener[] = [];
  const folders: string[] = [];
  const silent = () => undefined;
  const open = async (workerId: string) =>
    createRunner(
      {
        domain,
        store,
        leases: await openConversionLeases(domain.jobs.db, { workerId, leaseMs: LEASE_MS }),
        scratchFolder: join(folder, "scratch"),
        writeIntervalMs,
        log: { debug: silent, info: silent, warn: silent, error: silent },
        async convert(request, listener, signal) {
          listening.push(listener);
          folders.push(request.folder);
          listener.progress({ stage: "download", percent: 10 });
          begun.resolve();
          const aborted = Promise.withResolvers<never>();
          signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
          await Promise.race([finished.promise, aborted.promise]);
          const path = join(request.folder, "result.mp3");
          await writeFile(path, "sound");
          return { path, sizeBytes: 5, durationSeconds: 1 };
        },
      },
      workerId,
    );
  const runner = await open("test-worker");
  const picture = async (): Promise<void> => {
    const path = join(folders.at(-1) ?? folder, "picture.jpg");
    await writeFile(path, "picture");
    listening.at(-1)?.thumbnail(path);
  };
  const put = async (key: string): Promise<void> => {
    const path = join(folder, key);
    await writeFile(path, "stored");
    await store.put(key, path);
  };
  const rest = opened.move();
  return {
    domain,
    store,
    runner,
    picture,
    put,
    begun: begun.promise,
    progress: (percent) => listening.at(-1)?.progress({ stage: "download", percent }),
    finish: finished.resolve,
    openSecond: () => open("second-worker"),
    begunCount: () => listening.length,
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

/** Of whoever makes a file. */
const LEASE_MS = 1_000;
const LINK = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" } as const;
const ticketFor = (jobId: string) => ({ jobId, touch: () => Promise.resolve() });

it("keeps a job that only looks lost because the whole machine slept", async () => {
  await using bench = await openBench();
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  await domain.jobs.updateOne({ _id }, { $set: { leaseExpiresAt: new Date(Date.now() - 60_000) } });
  // The queue hands the ticket out again before any heartbeat.
  await runner.handle(ticketFor(_id));
  bench.finish();
  await running;
  expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 1 });
});

it("carries out the later attempt of a job whose earlier one it still has in hand", async () => {
  await using bench = await openBench();
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  // Somebody else found it lost.
  await domain.jobs.updateOne({ _id }, { $set: { status: "queued", attempt: 2 } });
  const again = runner.handle(ticketFor(_id));
  await running;
  bench.finish();
  await again;
  expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 2 });
});

it("leaves no picture of an attempt that was lost before it was stored", async () => {
  await using bench = await openBench();
  const { domain, runner, store } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  // Somebody else found it lost.
  await domain.jobs.updateOne({ _id }, { $set: { status: "queued", attempt: 2 } });
  await bench.picture();
  const again = runner.handle(ticketFor(_id));
  await running;
  bench.finish();
  await again;
  expect(await keysIn(store)).toEqual([`${_id}.2.mp3`]);
});

it("keeps no picture of an attempt once a later one has its own, and none of a job that was removed", async () => {
  await using bench = await openBench();
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

it("removes what a dead worker had stored with the first sweep, and nothing that an attempt is storing", async () => {
  await using bench = await openBench();
  const { domain, runner, store } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await bench.begun;
  // As if it had been killed between storing and telling.
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

it("has a file for everybody before anybody hears of theirs and may remove it", async () => {
  await using bench = await openBench();
  const { domain, runner, store } = bench;
  const asked = newViewer();
  const [first, second] = [
    await createConversion(domain, asked, LINK),
    await createConversion(domain, newViewer(), LINK),
  ];
  // As soon as one of them hears of the file it removes it.
  const removed = new Promise<void>((resolve, reject) => {
    domain.bus.subscribe("job", ({ job }) => {
      if (job.id === first._id && job.status === "completed")
        cancelOrRemove(domain, asked, first._id).then(() => resolve(), reject);
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
  await cancelOrRemove(domain, { ...asked, deviceId: second.deviceId }, second._id);
  expect(await store.stat(fileKey)).toBeNull();
});

it("has given back what it was only just taking when it has stopped", async () => {
  await using bench = await openBench();
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, newViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await runner.stop();
  const stored = await domain.stored(_id);
  expect(stored).toMatchObject({ status: "queued" });
  await running;
  expect(await domain.stored(_id)).toEqual(stored);
});

it("tells a job's news to the user it has become, from the moment of signing in", async () => {
  // So that nothing is read back from the database in between.
  await using bench = await openBench({ writeIntervalMs: 60_000 });
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
  expect(await pushed).toEqual({ deviceId: viewer.deviceId, userId: user._id });
  bench.finish();
  await running;
  expect(await domain.stored(_id)).toMatchObject({ status: "completed", userId: user._id });
});

describe("the same file asked of two workers", () => {
  it("is made once; the other waits without taking a place, tells how far it is, and takes the file", async () => {
    await using bench = await openBench();
    const { domain, runner, store } = bench;
    const second = await bench.openSecond();
    const [first, other] = [
      await createConversion(domain, newViewer(), LINK),
      await createConversion(domain, newViewer(), LINK),
    ];
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    await second.handle(ticketFor(other._id));
    await until(domain, other._id, (job) => job.status === "processing");
    bench.progress(42);
    await until(domain, other._id, (job) => job.status === "processing" && job.progress === 42);
    bench.finish();
    await running;
    await until(domain, other._id, (job) => job.status === "completed");
    expect(bench.begunCount()).toBe(1);
    for (const { _id } of [first, other]) {
      const job = await domain.stored(_id);
      expect(job).toMatchObject({ status: "completed", attempt: 1 });
      expect(await store.stat(job?.fileKey ?? "none.1.mp3")).toMatchObject({ sizeBytes: 5 });
    }
    await expect.poll(() => second.runningCount()).toBe(0);
  });

  it("is made by the other when its maker dies", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const [first, other] = [
      await createConversion(domain, newViewer(), LINK),
      await createConversion(domain, newViewer(), LINK),
    ];
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    await second.handle(ticketFor(other._id));
    // No heartbeat of the first any more: its lease ends, and the job that waited for it is back in the queue.
    await until(domain, other._id, (job) => job.status === "queued" && job.attempt === 2);
    const again = second.handle(ticketFor(other._id));
    await expect.poll(() => bench.begunCount()).toBe(2);
    bench.finish();
    await Promise.all([running, again]);
    expect(await domain.stored(other._id)).toMatchObject({ status: "completed", attempt: 2 });
  });

  it("is not waited for by the job for which it was begun, once that is another worker's", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const { _id } = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    // Somebody found it lost.
    await domain.jobs.updateOne({ _id }, { $set: { status: "queued", attempt: 2 } });
    const again = second.handle(ticketFor(_id));
    await expect.poll(() => bench.begunCount()).toBe(2);
    bench.finish();
    await Promise.all([running, again]);
    expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 2 });
  });

  it("is not waited for any more once it is canceled", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const viewer = newViewer();
    const [first, other] = [
      await createConversion(domain, newViewer(), LINK),
      await createConversion(domain, viewer, LINK),
    ];
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    await second.handle(ticketFor(other._id));
    await cancelOrRemove(domain, viewer, other._id);
    await expect.poll(() => second.runningCount()).toBe(0);
    expect(await domain.stored(other._id)).toMatchObject({ status: "canceled" });
    bench.finish();
    await running;
  });
});

describe("a file that several jobs have", () => {
  const DAY_MS = 24 * 60 * 60 * 1_000;

  it("is written down and nothing else when it is asked for again, and goes with the last of them", async () => {
    await using bench = await openBench();
    const { domain, runner, store } = bench;
    bench.finish();
    const viewers = [newViewer(), newViewer(), newViewer()];
    const jobs = await inTurn(viewers, async (viewer) => {
      const { _id } = await createConversion(domain, viewer, LINK);
      await runner.handle(ticketFor(_id));
      return (await domain.stored(_id)) as StoredJob;
    });
    const [first, second, third] = jobs as [StoredJob, StoredJob, StoredJob];
    expect(jobs.map(({ status, fileKey }) => [status, fileKey])).toEqual(
      jobs.map(() => ["completed", `${first._id}.1.mp3`]),
    );
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

  it("is there for every job that has it and gone when none has, whoever asks, removes and sweeps at the same moment", async () => {
    await using bench = await openBench();
    const { domain, runner, store } = bench;
    const other = await bench.openSecond();
    bench.finish();
    let last = await createConversion(domain, newViewer(), LINK);
    await runner.handle(ticketFor(last._id));
    for (let round = 0; round < 40; round += 1) {
      const asked = await createConversion(domain, newViewer(), LINK);
      const isExpiring = round % 2 === 0;
      const taking = (round % 4 < 2 ? runner : other).handle(ticketFor(asked._id));
      // A little later in each round, as the taking over goes on.
      for (let n = 0; n < round; n += 2) await domain.jobs.exists({ _id: "nobody" });
      if (isExpiring) {
        await domain.jobs.updateOne({ _id: last._id }, { $set: { expiresAt: new Date(0) } });
        await expireFiles(domain);
      } else await cancelOrRemove(domain, newViewer({ deviceId: last.deviceId }), last._id);
      await taking;
      // Whoever found the file going has been put back, and is answered then.
      if ((await domain.stored(asked._id))?.status === "queued") await runner.handle(ticketFor(asked._id));
      expect(await domain.stored(asked._id)).toMatchObject({ status: "completed" });
      const having = await domain.jobs.find({ isExpired: { $ne: true } }).lean<StoredJob[]>();
      expect(await keysIn(store)).toEqual([...new Set(having.map(({ fileKey }) => String(fileKey)))].sort());
      last = asked;
    }
    // Both came about: a file that was taken over, and one that was just going.
    expect(bench.begunCount()).toBeGreaterThan(1);
    expect(bench.begunCount()).toBeLessThan(40);
  });
});

describe("a job that was running when two workers died", () => {
  it("begins when all others have ended, and nothing begins beside it", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const link = (n: number) => ({ ...LINK, youtubeUrl: `https://video.example/${n}` });
    const [first, suspect, later] = [
      await createConversion(domain, newViewer(), link(1)),
      await createConversion(domain, newViewer(), link(2)),
      await createConversion(domain, newViewer(), link(3)),
    ];
    await domain.jobs.updateOne({ _id: suspect._id }, { $set: { workerDeaths: 2 } });
    const running = new Set<string>();
    /** Who else ran when one of them began. */
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

  it("counts the death when the worker has to end because of an error that nothing caught", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const { _id } = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    await runner.stop({ isDying: true });
    await running;
    expect(await domain.stored(_id)).toMatchObject({ status: "queued", attempt: 2, finalAttempt: 3, workerDeaths: 1 });
  });
});

describe("a worker that stops", () => {
  it("finishes what it has when it is given the time, and takes nothing more", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const [first, late] = [
      await createConversion(domain, newViewer(), LINK),
      await createConversion(domain, newViewer(), { ...LINK, format: "mp4" }),
    ];
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    const stopped = runner.stop({ drainMs: 30_000 });
    await runner.handle(ticketFor(late._id));
    expect(await domain.stored(late._id)).toMatchObject({ status: "queued", attempt: 2 });
    bench.finish();
    await Promise.all([running, stopped]);
    expect(await domain.stored(first._id)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("gives back what is not finished when the time is up, and the next one may start at once", async () => {
    await using bench = await openBench();
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

async function inTurn<T, R>(values: readonly T[], act: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const value of values) results.push(await act(value));
  return results;
}

async function keysIn(store: FileStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys.sort();
}

/** Resolves when a job is stored as wanted. */
async function until(domain: TestDomain, id: string, fits: (job: StoredJob) => boolean): Promise<void> {
  await expect.poll(async () => fits((await domain.stored(id)) as StoredJob)).toBe(true);
}

/** Whom the next fitting push is for. */
function nextPush(domain: TestDomain, fits: (job: Job) => boolean): Promise<Audience> {
  return new Promise((resolve) => {
    const unsubscribe = domain.bus.subscribe("job", ({ audience, job }) => {
      if (!fits(job)) return;
      unsubscribe();
      resolve(audience);
    });
  });
}
