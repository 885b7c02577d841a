/** Jobs that draw from the hourly budget of an exit: those for which nothing is left wait in the queue. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newViewer, openTestDomain, type TestDomain } from "../dev/testing/test-domain.ts";
import { redisForTests } from "../dev/testing/test-redis.ts";
import { withoutTapes } from "../dev/testing/test-conversion.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { openConversionLeases } from "../domain/jobs/conversion-leases.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { DIRECT_EXIT } from "../pipeline/exits/exit.ts";
import { ExitPool } from "../pipeline/exits/exit-pool.ts";
import { ExitState, joinStates, UNUSED_EXIT } from "../pipeline/exits/exit-state.ts";
import { type ExitStates, InProcessExitStates } from "../pipeline/exits/exit-states.ts";
import { parseInfo } from "../pipeline/probe/info.ts";
import { askYouTube } from "../pipeline/probe/youtube.ts";
import { RedisSharedRecords } from "../redis/shared-records.ts";
import { openDiskStore } from "../storage/disk-store.ts";
import type { JobContext } from "./job-context.ts";
import { Runner } from "./runner.ts";

const redis = redisForTests();
const HOUR_MS = 60 * 60_000;

async function openRedisStates(): Promise<ExitStates> {
  return RedisSharedRecords.open<ExitState>(await redis.openLink(), {
    name: "exit",
    schema: ExitState,
    initial: UNUSED_EXIT,
    keepMs: 24 * HOUR_MS,
    join: joinStates,
    onError: (error) => expect.unreachable(String(error)),
  });
}

const FORMAT = { format_id: "140", url: "https://media.example/a", vcodec: "none", acodec: "mp4a.40.2" };
const INFO = parseInfo(JSON.stringify({ title: "A title", formats: [FORMAT] }));

/** Replaces the pipeline by an extraction through the pool that always succeeds. */
function converterWith(exits: ExitPool): JobContext["convert"] {
  return async (request, listener, signal) => {
    await askYouTube({ exits, clientOrder: ["visionos"] }, () => Promise.resolve(INFO), signal);
    listener.progress({ stage: "download", percent: 10 });
    const path = join(request.folder, "result.mp3");
    await writeFile(path, "sound");
    return { path, sizeBytes: 5, durationSeconds: 1 };
  };
}

interface Workers extends AsyncDisposable {
  readonly domain: TestDomain;
  readonly runners: readonly Runner[];
}

/** @param states what each process knows of its exit */
async function openWorkers(
  states: readonly ExitStates[],
  extractionsPerHour: number,
  now: () => number,
): Promise<Workers> {
  await using opened = new AsyncDisposableStack();
  const folder = await testFolder();
  const store = await openDiskStore(join(folder, "files"));
  const domain = await openTestDomain();
  opened.defer(() => domain.close());
  const silent = (): undefined => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const open = async (own: ExitStates, index: number): Promise<Runner> => {
    const workerId = `worker-${index}`;
    const exits = new ExitPool({ exits: [DIRECT_EXIT], extractionsPerHour, states: own, now });
    const leases = await openConversionLeases(domain.jobs.db, { workerId, leaseMs: 60_000 });
    const scratchFolder = join(folder, workerId);
    const convert = converterWith(exits);
    return new Runner(
      {
        domain,
        store,
        leases,
        scratchFolder,
        writeIntervalMs: 1,
        storePatienceMs: 0,
        log,
        convert,
        joinSongs: withoutTapes,
      },
      workerId,
    );
  };
  const runners = await Promise.all(states.map(open));
  const rest = opened.move();
  return { domain, runners, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

/** Lets the processes handle the tickets in turn, all at the same time. */
async function handleAll(runners: readonly Runner[], jobIds: readonly string[]): Promise<void> {
  const renewLock = (): Promise<void> => Promise.resolve();
  const handled = runners.flatMap((runner, turn) =>
    jobIds.filter((_, index) => index % runners.length === turn).map((jobId) => runner.handle({ jobId, renewLock })),
  );
  await Promise.all(handled);
}

async function createJobs(domain: TestDomain, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const youtubeUrl = `https://youtu.be/${String(n).padStart(11, "v")}`;
    ids.push((await createConversion(domain, newViewer(), { youtubeUrl, format: "mp3" }))._id);
  }
  domain.waiting.length = 0;
  return ids;
}

it.each([
  ["one process", () => Promise.resolve([new InProcessExitStates()])],
  ["two processes on one Redis", async () => [await openRedisStates(), await openRedisStates()]],
])("converts 10 of 15 jobs in the first hour and 5 in the next, and fails none: %s", async (_, openStates) => {
  const startMs = Date.now();
  let nowMs = startMs;
  await using workers = await openWorkers(await openStates(), 10, () => nowMs);
  const { domain, runners } = workers;
  const ids = await createJobs(domain, 15);
  const stored = (): Promise<JobDocument[]> => domain.jobs.find({ _id: { $in: ids } }).lean<JobDocument[]>();

  await handleAll(runners, ids);
  const first = await stored();
  expect(first.filter(({ status }) => status === "completed")).toHaveLength(10);
  const waiting = first.filter(({ status }) => status === "queued");
  expect(waiting.map(({ resumesAt }) => resumesAt?.getTime())).toEqual(Array(5).fill(startMs + HOUR_MS));
  expect(domain.waiting.map(({ runAtMs }) => runAtMs)).toEqual(Array(5).fill(startMs + HOUR_MS));

  nowMs += HOUR_MS;
  await handleAll(
    runners,
    waiting.map(({ _id }) => _id),
  );
  const all = await stored();
  expect(all.map(({ status }) => status)).toEqual(Array(15).fill("completed"));
  expect(all.every((job) => job.resumesAt === undefined)).toBe(true);
});

it("fails no job that waits for its turn for longer than the site may refuse one", async () => {
  let nowMs = Date.now();
  await using workers = await openWorkers([new InProcessExitStates()], 1, () => nowMs);
  const { domain, runners } = workers;
  const ids = await createJobs(domain, 9);
  const waitingAfter: number[] = [];
  for (let hour = 0; hour < 9; hour += 1) {
    const waiting = await domain.jobs.find({ _id: { $in: ids }, status: "queued" }).lean<JobDocument[]>();
    await handleAll(
      runners,
      waiting.map(({ _id }) => _id),
    );
    waitingAfter.push(await domain.jobs.countDocuments({ _id: { $in: ids }, status: "queued" }));
    nowMs += HOUR_MS;
  }
  expect(waitingAfter).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0]);
  expect(await domain.jobs.countDocuments({ _id: { $in: ids }, status: "completed" })).toBe(9);
});
