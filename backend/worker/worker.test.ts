/** The worker of a whole server, with conversions that start no tool. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import mongoose from "mongoose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import type { Job } from "../../common/job.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { leadConversions } from "../dev/testing/led-conversion.ts";
import { convertWithoutTools } from "../dev/testing/test-conversion.ts";
import { startTestServer } from "../dev/testing/test-server.ts";
import { subjectsOf } from "../domain/blocks/subjects.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";
import type { ConvertListener } from "../pipeline/convert.ts";
import type { Runtime } from "../runtime/runtime.ts";

const led = leadConversions(5_000);
/** Links in the order in which their conversions began. */
const converted: string[] = [];
let runningCount = 0;
let mostRunning = 0;

/** Tells which video of its site a link leads to. */
async function nameVideo(listener: ConvertListener, videoId: string): Promise<void> {
  listener.found({ origin: { videoId, channelIds: [], hosts: [] } });
  await listener.named?.({ videoId, name: `${videoId} 1` });
}

/** Replaces the pipeline. The path of the link decides how the conversion goes. */
const convert: NonNullable<Runtime["convert"]> = async (request, listener, signal) => {
  converted.push(request.url);
  runningCount += 1;
  mostRunning = Math.max(mostRunning, runningCount);
  try {
    const name = /same-\w+/.exec(request.url)?.[0];
    if (name !== undefined) await nameVideo(listener, `videos:${name}`);
    if (request.url.includes("busy") && converted.filter((url) => url === request.url).length < 3)
      throw new ConversionError("network", { isTransient: true });
    return await (request.url.includes("led") ? led.convert : convertWithoutTools)(request, listener, signal);
  } finally {
    runningCount -= 1;
  }
};

const settings = { worker: { ticketPollMs: 50, sweepMs: 100 }, realtime: { pushIntervalMs: 20 } };
const server = await ofFile(
  startTestServer({ hasExtractor: false, WORKER_CONCURRENCY: "4", settings }, undefined, convert),
);
beforeEach(() => {
  converted.length = 0;
  mostRunning = 0;
});

const linkOf = (name: string) => `http://${server.site.host}/watch/${name}`;
async function storedJobs(...ids: string[]): Promise<JobDocument[]> {
  const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
  const found = await connection
    .collection<JobDocument>("jobs")
    .find({ _id: { $in: ids } })
    .toArray();
  await connection.close();
  return found;
}
const scratch = () => readdir(join(server.config.dataDir, "scratch"));
const files = () => readdir(join(server.config.dataDir, "files"));

it("completes twelve jobs that were created at once, in four slots, each exactly once", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const jobs = await Promise.all(Array.from({ length: 12 }, (_, n) => device.convert(linkOf(`plain-${n}`))));
  const ended = await Promise.all(jobs.map((job) => live.untilStatus(job.id, "completed", "failed")));
  expect(ended.filter((job) => job.status !== "completed")).toEqual([]);
  for (const job of jobs) {
    const versions = live.pushes.filter((push) => push.id === job.id);
    expect(versions.filter((push) => push.status === "completed")).toHaveLength(1);
    expect(Math.max(...versions.map((push) => push.attempt))).toBe(1);
  }
  const names = (await files()).filter((name) => name.endsWith(".mp3"));
  expect(jobs.map(({ id }) => names.filter((name) => name.startsWith(id)).length)).toEqual(jobs.map(() => 1));
  expect(converted.toSorted()).toEqual(jobs.map((_, n) => linkOf(`plain-${n}`)).toSorted());
  expect(mostRunning).toBeLessThanOrEqual(4);
  await expect.poll(scratch).toEqual([]);
});

it("makes one file of a video to which two links lead, also where the second is asked for meanwhile", async () => {
  const [device, other] = [await server.newDevice(), await server.newDevice()];
  const [live, otherLive] = [await device.live(), await other.live()];
  const links = ["first", "second", "third"].map((name) => linkOf(`led-same-video?from=${name}`));
  const [firstLink = "", secondLink = "", thirdLink = ""] = links;
  const first = await device.convert(firstLink);
  const making = await led.next(firstLink);
  const second = await other.convert(secondLink);
  await expect.poll(() => converted).toContain(secondLink);
  await making.finish();
  expect((await live.untilStatus(first.id, "completed", "failed")).status).toBe("completed");
  expect((await otherLive.untilStatus(second.id, "completed", "failed")).status).toBe("completed");
  const third = await other.convert(thirdLink);
  expect((await otherLive.untilStatus(third.id, "completed", "failed")).status).toBe("completed");
  expect((await device.call("DELETE", `/api/conversions/${first.id}`)).status).toBe(204);
  for (const { id } of [second, third]) {
    const file = await other.call("GET", `/api/conversions/${id}/file`);
    expect(Buffer.from(await file.arrayBuffer()).equals(making.bytes)).toBe(true);
  }
  // What blocks the link that made the file blocks what was made of it for others.
  const [stored] = await storedJobs(second.id);
  expect(stored?.subjects).toEqual(expect.arrayContaining([...subjectsOf(firstLink), ...subjectsOf(secondLink)]));
});

it("makes a file of its own for another video, and for another format", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const asked = [
    await device.convert(linkOf("same-one?a")),
    await device.convert(linkOf("same-one?b"), "mp4"),
    await device.convert(linkOf("same-two")),
  ];
  for (const { id } of asked) expect((await live.untilStatus(id, "completed", "failed")).status).toBe("completed");
  const stored = await storedJobs(...asked.map(({ id }) => id));
  expect(new Set(stored.map(({ fileKey }) => fileKey)).size).toBe(3);
});

it("shares one conversion among requests for the same link", async () => {
  const link = linkOf("led-shared");
  const devices = await Promise.all([server.newDevice(), server.newDevice(), server.newDevice()]);
  const jobs: { job: Job; done: Promise<Job> }[] = [];
  for (const device of devices) {
    const live = await device.live();
    const job = await device.convert(link, "mp4");
    await live.untilStatus(job.id, "processing");
    jobs.push({ job, done: live.untilStatus(job.id, "completed", "failed") });
  }
  await (await led.next(link)).finish();
  for (const { done } of jobs) expect((await done).status).toBe("completed");
  // A later request reuses the stored file.
  const late = await server.newDevice();
  const live = await late.live();
  const repeat = await late.convert(link, "mp4");
  expect((await live.untilStatus(repeat.id, "completed", "failed")).status).toBe("completed");
  expect(live.pushes.filter(({ id }) => id === repeat.id).map(({ status }) => status)).toEqual(["queued", "completed"]);
  expect(converted).toEqual([link]);
  // Removing one job does not remove the file of another.
  const [first] = devices;
  expect((await first?.call("DELETE", `/api/conversions/${jobs[0]?.job.id}`))?.status).toBe(204);
  expect((await late.call("GET", `/api/conversions/${repeat.id}/file`)).status).toBe(200);
});

it("continues a shared conversion when one of its jobs is canceled", async () => {
  const link = linkOf("led-canceled");
  const a = await server.newDevice();
  const b = await server.newDevice();
  const liveA = await a.live();
  const liveB = await b.live();
  const jobA = await a.convert(link);
  await liveA.untilStatus(jobA.id, "processing");
  const jobB = await b.convert(link);
  await liveB.untilStatus(jobB.id, "processing");
  await a.call("DELETE", `/api/conversions/${jobA.id}`);
  expect((await liveA.untilStatus(jobA.id, "canceled")).status).toBe("canceled");
  await (await led.next(link)).finish();
  expect(await liveB.untilStatus(jobB.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 1 });
});

it("cancels a running job and removes its files", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const job = await device.convert(linkOf("led-stopped"));
  await live.untilStatus(job.id, "processing");
  const answer = await device.call("DELETE", `/api/conversions/${job.id}`);
  expect([answer.status, await answer.json()]).toMatchObject([200, { id: job.id, status: "canceled" }]);
  await expect.poll(scratch).toEqual([]);
  expect((await files()).filter((name) => name.startsWith(job.id))).toEqual([]);
  expect(live.pushes.findLast((push) => push.id === job.id)?.status).toBe("canceled");
});

it("retries a job after a transient error with the next attempt number", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const job = await device.convert(linkOf("busy"));
  expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 3 });
});

it("deletes an expired file and pushes the job without its download link", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const job = await device.convert(linkOf("expires"));
  await live.untilStatus(job.id, "completed");
  const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
  await connection
    .collection<JobDocument>("jobs")
    .updateOne({ _id: job.id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  await connection.close();
  const expired = await live.until(
    job.id,
    (version) => version.status === "completed" && version.downloadUrl === undefined,
  );
  expect(expired.status).toBe("completed");
  expect((await files()).filter((name) => name.startsWith(job.id) && name.endsWith(".mp3"))).toEqual([]);
  expect((await device.call("GET", `/api/conversions/${job.id}/file`)).status).toBe(404);
});

it("requeues running jobs when it stops, and completes them and removes files that no job names at the next start", async () => {
  const link = linkOf("led-over-a-stop");
  const device = await server.newDevice();
  const live = await device.live();
  const job = await device.convert(link);
  await live.untilStatus(job.id, "processing");
  await led.next(link);
  const givenBack = live.until(job.id, (version) => version.attempt === 2 && version.status === "queued");
  await server.stop();
  await givenBack;
  expect(await scratch()).toEqual([]);
  const media = async () => (await files()).filter((name) => !name.endsWith(".jpg")).toSorted();
  const stored = await media();
  for (const name of ["unnamed.1.mp3", "half.1.mp3.partial"])
    await writeFile(join(server.config.dataDir, "files", name), "left by a crash");
  await server.start();
  expect(await media()).toEqual(stored);
  await (await led.next(link)).finish();
  expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 2 });
});

describe("a worker with one slot", () => {
  beforeAll(async () => {
    await server.stop();
    await server.start({ WORKER_CONCURRENCY: "1" });
  });

  it("never starts a queued job that was canceled, and starts it after a retry", async () => {
    const device = await server.newDevice();
    const live = await device.live();
    const blocking = await device.convert(linkOf("led-first"));
    await live.untilStatus(blocking.id, "processing");
    const waiting = await device.convert(linkOf("waiting"));
    await device.call("DELETE", `/api/conversions/${waiting.id}`);
    await live.untilStatus(waiting.id, "canceled");
    await device.call("DELETE", `/api/conversions/${blocking.id}`);
    const third = await device.convert(linkOf("third"));
    await live.untilStatus(third.id, "completed");
    expect(live.pushes.filter((push) => push.id === waiting.id).map((push) => push.status)).not.toContain("pending");
    const retried = await device.call("POST", `/api/conversions/${waiting.id}/retry`, {});
    expect(await retried.json()).toMatchObject({ status: "queued", attempt: 2, progress: 0 });
    expect(await live.untilStatus(waiting.id, "completed")).toMatchObject({ attempt: 2 });
  });

  it("starts the first job of one owner before the second job of another", async () => {
    const many = await server.newDevice();
    const one = await server.newDevice();
    const liveMany = await many.live();
    const liveOne = await one.live();
    const blocking = await many.convert(linkOf("led-second"));
    await liveMany.untilStatus(blocking.id, "processing");
    const batch = [];
    for (let n = 0; n < 4; n += 1) batch.push(await many.convert(linkOf(`batch-${n}`)));
    const single = await one.convert(linkOf("single"));
    await many.call("DELETE", `/api/conversions/${blocking.id}`);
    await liveOne.untilStatus(single.id, "completed");
    await Promise.all(batch.map((job) => liveMany.untilStatus(job.id, "completed")));
    expect(converted[1]).toBe(linkOf("single"));
  });
});
