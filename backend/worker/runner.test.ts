/** What happens with tickets, on a real database and real files; the conversion itself is the test's to end. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDomain, someViewer, type TestDomain } from "../dev/test-domain.ts";
import type { Job } from "../../common/job.ts";
import type { Audience } from "../domain/bus.ts";
import type { StoredJob } from "../domain/job-model.ts";
import { openMakers } from "../domain/makers.ts";
import { cancelOrRemove, createConversion } from "../domain/requests.ts";
import { signIn } from "../domain/accounts.ts";
import type { ConvertListener } from "../pipeline/convert.ts";
import { openDiskStore } from "../storage/disk-store.ts";
import type { FileStore } from "../storage/file-store.ts";
import { createRunner, type Runner } from "./runner.ts";

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
  /** Lets it end well. */
  finish(): void;
}

async function openBench(intervals = { pushMs: 1, writeMs: 1 }): Promise<Bench> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-runner-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const domain = await openTestDomain();
  opened.defer(() => domain.close());
  const store = await openDiskStore(join(folder, "files"));
  const [begun, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const listening: ConvertListener[] = [];
  const silent = () => undefined;
  const open = async (workerId: string) => createRunner(
    {
      domain,
      store,
      makers: await openMakers(domain.jobs.db, { workerId, leaseMs: LEASE_MS }),
      scratchFolder: join(folder, "scratch"),
      intervals,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      async convert(request, listener, signal) {
        listening.push(listener);
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
  const rest = opened.move();
  return { domain, store, runner, begun: begun.promise, progress: (percent) => listening.at(-1)?.progress({ stage: "download", percent }), finish: finished.resolve, openSecond: () => open("second-worker"), begunCount: () => listening.length, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

/** Of whoever makes a file. */
const LEASE_MS = 1_000;
const LINK = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" } as const;
const ticketFor = (jobId: string) => ({ jobId, touch: () => Promise.resolve() });

it("keeps a job that only looks lost because the whole machine slept", async () => {
  await using bench = await openBench();
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, someViewer(), LINK);
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
  const { _id } = await createConversion(domain, someViewer(), LINK);
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

it("has a file for everybody before anybody hears of theirs and may remove it", async () => {
  await using bench = await openBench();
  const { domain, runner, store } = bench;
  const [first, second] = [await createConversion(domain, someViewer(), LINK), await createConversion(domain, someViewer(), LINK)];
  const whenFirstHears: ReturnType<FileStore["stat"]>[] = [];
  domain.bus.subscribe("job", ({ job }) => {
    if (job.id === first._id && job.status === "completed") whenFirstHears.push(store.stat(`${second._id}.1.mp3`));
  });
  const running = runner.handle(ticketFor(first._id));
  await bench.begun;
  await runner.handle(ticketFor(second._id));
  bench.finish();
  await running;
  expect(await Promise.all(whenFirstHears)).toEqual([expect.objectContaining({ sizeBytes: 5 })]);
  expect(await domain.stored(second._id)).toMatchObject({ status: "completed", fileKey: `${second._id}.1.mp3` });
});

it("has given back what it was only just taking when it has stopped", async () => {
  await using bench = await openBench();
  const { domain, runner } = bench;
  const { _id } = await createConversion(domain, someViewer(), LINK);
  const running = runner.handle(ticketFor(_id));
  await runner.stop();
  const stored = await domain.stored(_id);
  expect(stored).toMatchObject({ status: "queued" });
  await running;
  expect(await domain.stored(_id)).toEqual(stored);
});

it("tells a job's news to the user it has become, from the moment of signing in", async () => {
  // So that nothing is read back from the database in between.
  await using bench = await openBench({ pushMs: 1, writeMs: 60_000 });
  const { domain, runner } = bench;
  const viewer = someViewer();
  const { _id } = await createConversion(domain, viewer, LINK);
  const processing = nextPush(domain, (job) => job.status === "processing");
  const running = runner.handle(ticketFor(_id));
  await processing;
  const user = await signIn(domain, viewer.deviceId, { issuer: "https://accounts.example", subject: "s", email: "s@example.com" });
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
    const [first, other] = [await createConversion(domain, someViewer(), LINK), await createConversion(domain, someViewer(), LINK)];
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
      expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 1, fileKey: `${_id}.1.mp3` });
      expect(await store.stat(`${_id}.1.mp3`)).toMatchObject({ sizeBytes: 5 });
    }
    expect(second.runningCount()).toBe(0);
  });

  it("is made by the other when its maker dies", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const [first, other] = [await createConversion(domain, someViewer(), LINK), await createConversion(domain, someViewer(), LINK)];
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    await second.handle(ticketFor(other._id));
    // No heartbeat of the first any more: its lease ends, and the job that waited for it is back in the queue.
    await until(domain, other._id, (job) => job.status === "queued" && job.attempt === 2);
    const again = second.handle(ticketFor(other._id));
    await expect.poll(() => bench.begunCount(), { timeout: 10_000, interval: 10 }).toBe(2);
    bench.finish();
    await Promise.all([running, again]);
    expect(await domain.stored(other._id)).toMatchObject({ status: "completed", attempt: 2 });
  });

  it("is not waited for by the job for which it was begun, once that is another worker's", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const { _id } = await createConversion(domain, someViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    // Somebody found it lost.
    await domain.jobs.updateOne({ _id }, { $set: { status: "queued", attempt: 2 } });
    const again = second.handle(ticketFor(_id));
    await expect.poll(() => bench.begunCount(), { timeout: 10_000, interval: 10 }).toBe(2);
    bench.finish();
    await Promise.all([running, again]);
    expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 2 });
  });

  it("is not waited for any more once it is canceled", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const viewer = someViewer();
    const [first, other] = [await createConversion(domain, someViewer(), LINK), await createConversion(domain, viewer, LINK)];
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    await second.handle(ticketFor(other._id));
    await cancelOrRemove(domain, viewer, other._id);
    await expect.poll(() => second.runningCount(), { timeout: 5_000, interval: 10 }).toBe(0);
    expect(await domain.stored(other._id)).toMatchObject({ status: "canceled" });
    bench.finish();
    await running;
  });
});

describe("a worker that stops", () => {
  it("finishes what it has when it is given the time, and takes nothing more", async () => {
    await using bench = await openBench();
    const { domain, runner } = bench;
    const [first, late] = [await createConversion(domain, someViewer(), LINK), await createConversion(domain, someViewer(), { ...LINK, format: "mp4" })];
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    const stopped = runner.stop(30_000);
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
    const { _id } = await createConversion(domain, someViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    await runner.stop(50);
    await running;
    expect(await domain.stored(_id)).toMatchObject({ status: "queued", attempt: 2 });
    const again = second.handle(ticketFor(_id));
    await expect.poll(() => bench.begunCount(), { timeout: 10_000, interval: 10 }).toBe(2);
    bench.finish();
    await again;
    expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 2 });
  });
});

/** Resolves when a job is stored as wanted. */
async function until(domain: TestDomain, id: string, fits: (job: StoredJob) => boolean): Promise<void> {
  await expect.poll(async () => fits((await domain.stored(id)) as StoredJob), { timeout: 10_000, interval: 10 }).toBe(true);
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
