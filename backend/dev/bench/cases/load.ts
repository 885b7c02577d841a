/** Measures calls and pushes, alone and with many stored jobs and open pages of other visitors. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import mongoose from "mongoose";
import type { Job } from "../../../../common/job.ts";
import { openJobModel, type StoredJob } from "../../../domain/jobs/job-model.ts";
import type { TestDevice } from "../../testing/test-device.ts";
import { freshLink, type Bench } from "./convert-case.ts";
import type { LoadResult } from "../report/results.ts";

/** The jobs of a busy month, and the visitors that one machine should carry. */
const FULL_LOAD = { storedJobs: 100_000, sockets: 2_000 } as const;
const OWNERS = 5_000;
const CALLS = 300;
const INSERT_AT_ONCE = 2_000;
const HISTORY_DAYS = 25;
const DAY_MS = 86_400_000;

/** A job that ended within the days of the history; most have a file that has expired. */
function oldJob(index: number, nowMs: number): StoredJob {
  const createdAt = new Date(nowMs - DAY_MS - (index % (HISTORY_DAYS * 24)) * 3_600_000 - index);
  const isCompleted = index % 5 !== 0;
  const link = `https://videos.test/watch?v=${index}`;
  return {
    _id: randomUUID(),
    deviceId: `old-${index % OWNERS}`,
    userId: null,
    tier: "free",
    sourceUrl: link,
    conversionKey: `old-${index}`,
    format: "mp3",
    quality: "128kbps",
    status: isCompleted ? "completed" : index % 2 === 0 ? "failed" : "canceled",
    attempt: 1,
    finalAttempt: 3,
    priority: 0,
    progress: isCompleted ? 100 : 40,
    title: `Old clip ${index}`,
    ...(isCompleted && {
      fileKey: `old-${index}.mp3`,
      fileSize: 3_000_000,
      completedAt: createdAt,
      expiresAt: new Date(createdAt.getTime() + 3_600_000),
      isExpired: true,
    }),
    ...(!isCompleted && index % 2 === 0 && { error: { code: "unavailable", message: "This video is not available." } }),
    isUsageCounted: true,
    createdAt,
    updatedAt: createdAt,
  };
}

async function storeOldJobs(mongodbUri: string, count: number): Promise<void> {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  try {
    const jobs = await openJobModel(connection);
    const nowMs = Date.now();
    for (let at = 0; at < count; at += INSERT_AT_ONCE)
      await jobs.insertMany(
        Array.from({ length: Math.min(INSERT_AT_ONCE, count - at) }, (_, index) => oldJob(at + index, nowMs)),
        { lean: true },
      );
  } finally {
    await connection.close();
  }
}

interface Figures {
  readonly post: number[];
  readonly list: number[];
  readonly push: number[];
  readonly completed: number[];
}

/** Makes calls one after the other for a link whose file exists already. */
async function measure(device: TestDevice, link: string): Promise<Figures> {
  const { socket } = await device.live();
  const figures: Figures = { post: [], list: [], push: [], completed: [] };
  const pushes: { atMs: number; job: Job }[] = [];
  let onEnd = (): void => undefined;
  const listen = (job: Job): void => {
    pushes.push({ atMs: performance.now(), job });
    if (job.status === "completed") onEnd();
  };
  socket.on("job", listen);
  for (let n = 0; n < CALLS; n += 1) {
    pushes.length = 0;
    const ended = new Promise<void>((resolve) => (onEnd = resolve));
    const postedMs = performance.now();
    const { id } = await device.convert(link);
    figures.post.push(performance.now() - postedMs);
    await ended;
    figures.push.push((pushes[0]?.atMs ?? Number.NaN) - postedMs);
    figures.completed.push((pushes.at(-1)?.atMs ?? Number.NaN) - postedMs);
    const listedMs = performance.now();
    await (await device.call("GET", "/api/conversions")).arrayBuffer();
    figures.list.push(performance.now() - listedMs);
    // Delete the job, so that the list always has the same length.
    await (await device.call("DELETE", `/api/conversions/${id}`)).body?.cancel();
  }
  socket.off("job", listen);
  return figures;
}

/** Measures alone, then stores old jobs and opens pages, and measures again. */
export async function runLoad(
  bench: Bench,
  { storedJobs, sockets }: { readonly storedJobs: number; readonly sockets: number } = FULL_LOAD,
): Promise<LoadResult> {
  const { product, report } = bench;
  const device = await product.newVisitor();
  const link = freshLink(bench.originBy("unlimited"), "brief");
  await bench.owners.free.client.convert(link, "mp3");
  await measure(device, link);
  const alone = await measure(device, link);
  report("measured alone; storing old jobs");
  await storeOldJobs(product.mongodbUri, storedJobs);
  report("opening pages");
  const crowd = fork(join(import.meta.dirname, "crowd-process.ts"), [product.origin, String(sockets)]);
  try {
    await Promise.race([
      once(crowd, "message"),
      once(crowd, "exit").then(() => Promise.reject(new Error("the pages could not be opened"))),
    ]);
    report("pages are open; measuring again");
    const loaded = await measure(device, link);
    const rows = [
      { what: "POST answered", aloneMs: alone.post, loadedMs: loaded.post },
      { what: "list answered", aloneMs: alone.list, loadedMs: loaded.list },
      { what: "POST to the first push", aloneMs: alone.push, loadedMs: loaded.push },
      { what: "POST to `completed`, file there", aloneMs: alone.completed, loadedMs: loaded.completed },
    ];
    return { storedJobs, sockets, rows };
  } finally {
    crowd.kill();
  }
}
