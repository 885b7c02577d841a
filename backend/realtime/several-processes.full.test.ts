/** Web and worker processes that share a Redis, seen from their browsers. */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { io } from "socket.io-client";
import { expect, it } from "vitest";
import type { Job } from "../../common/job.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { startRedis } from "../dev/stand-ins/redis.ts";
import { leadConversions } from "../dev/testing/led-conversion.ts";
import { convertWithoutTools } from "../dev/testing/test-conversion.ts";
import {
  openDevice,
  startTestServer,
  type LiveView,
  type TestDevice,
  type TestServer,
} from "../dev/testing/test-server.ts";
import { openRedis } from "../redis/redis-link.ts";
import type { Runtime } from "../runtime/runtime.ts";

const REPORTS = 150;
const REPORT_MS = 20;

const led = leadConversions(1_000);
/** Replaces the pipeline. The path of the link decides how the conversion goes. */
const convert: NonNullable<Runtime["convert"]> = async (request, listener, signal) => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/held")) return await led.convert(request, listener, signal);
  if (pathname.endsWith("/unhurried"))
    for (let report = 0; report < REPORTS; report += 1) {
      listener.progress({ stage: "download", percent: (report * 100) / REPORTS });
      await delay(REPORT_MS, undefined, { signal });
    }
  return await convertWithoutTools(request, listener, signal);
};

const redis = await ofFile(startRedis());
const worker = await ofFile(
  startTestServer({ hasExtractor: false, ROLE: "worker", REDIS_URL: redis.url, DRAIN_MS: "0" }, undefined, convert),
);
const web = { ROLE: "web", REDIS_URL: redis.url, DRAIN_MS: "0" };
// It previews links.
const one = await ofFile(startTestServer(web, worker));
// Both have the same public address.
const two = await ofFile(startTestServer({ ...web, hasExtractor: false, PUBLIC_URL: one.origin }, worker));

/** Makes the socket of a browser reconnect to another process. */
async function sendTo(server: TestServer, device: TestDevice): Promise<LiveView> {
  const live = await device.live();
  (live.socket.io as unknown as { uri: string }).uri = server.origin;
  return live;
}
/** Waits until a process accepts sockets again, which means that it reaches Redis. */
async function untilLive({ origin }: TestServer): Promise<void> {
  await expect.poll(async () => (await fetch(`${origin}/socket.io/?EIO=4&transport=polling`)).status).toBe(200);
}
const statusesOf = (live: LiveView, id: string) => [
  ...new Set(live.pushes.filter((job) => job.id === id).map((job) => job.status)),
];

it("pushes the changes of a worker once to every web process, and to the owner only", async () => {
  const device = await openDevice(one.origin);
  const stranger = await openDevice(two.origin);
  const atOne = await device.live();
  const foreign = await stranger.live();
  // A second window of the same browser, at the other process.
  const window = io(two.origin, { extraHeaders: { cookie: device.cookie }, transports: ["websocket"], forceNew: true });
  const seen: Job[] = [];
  window.on("job", (job: Job) => seen.push(job));
  await once(window as unknown as NodeJS.EventEmitter, "snapshot");
  // Held until "processing" was pushed, which the limit of pushes may otherwise merge into "completed".
  const link = `${worker.site.urlOf("held")}?statuses`;
  const job = await device.convert(link);
  await atOne.untilStatus(job.id, "processing");
  await (await led.next(link)).finish();
  await atOne.untilStatus(job.id, "completed");
  const removed = once(window as unknown as NodeJS.EventEmitter, "job:removed");
  await device.call("DELETE", `/api/conversions/${job.id}`);
  await removed;
  window.disconnect();
  expect(statusesOf(atOne, job.id)).toEqual(["queued", "pending", "processing", "completed"]);
  expect(seen).toEqual(atOne.pushes);
  expect(new Set(seen.map((version) => JSON.stringify(version))).size).toBe(seen.length);
  expect(foreign.pushes).toEqual([]);
  for (const browser of [device, stranger]) browser.close();
});

it("recovers a connection at another web process when its own process stops", async () => {
  const device = await openDevice(one.origin);
  const live = await device.live();
  const job = await device.convert(worker.site.urlOf("held"));
  await live.until(job.id, (version) => version.status === "processing" && version.progress > 0);
  const recovered = new Promise<boolean>((resolve) =>
    live.socket.once("disconnect", () => live.socket.once("connect", () => resolve(live.socket.recovered))),
  );
  await sendTo(two, device);
  await one.stop();
  expect(await recovered).toBe(true);
  await (await led.next(worker.site.urlOf("held"))).finish();
  await live.untilStatus(job.id, "completed");
  expect(live.jobs()).toMatchObject([{ id: job.id, status: "completed", attempt: 1 }]);
  device.close();
  await one.start();
});

it("serves a download from any web process", async () => {
  const device = await openDevice(two.origin);
  const live = await device.live();
  const job = await device.convert(worker.site.urlOf("cello"));
  await live.untilStatus(job.id, "completed");
  const file = await fetch(`${one.origin}/api/conversions/${job.id}/file`, { headers: { cookie: device.cookie } });
  expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([
    200,
    (live.jobs()[0] as { fileSize?: number }).fileSize,
  ]);
  device.close();
});

it("previews a link in a web process that runs no conversions", async () => {
  const device = await openDevice(one.origin);
  const answer = await device.call("POST", "/api/preview", { youtubeUrl: worker.site.urlOf("cello") });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ title: expect.any(String) })]);
});

it("counts rate limits over all processes, and per process while Redis is down", async () => {
  const settings = { rates: { createPerDevice: { free: 4, pro: 10_000 } } };
  const limits = { hasExtractor: false, ROLE: "web", REDIS_URL: redis.url, DRAIN_MS: "0", settings };
  await using three = await startTestServer(limits, worker);
  await using four = await startTestServer({ ...limits, PUBLIC_URL: three.origin }, worker);
  const device = await three.newDevice();
  const ask = async (server: TestServer) => {
    const headers = { cookie: device.cookie, origin: three.origin, "content-type": "application/json" };
    return (
      await fetch(`${server.origin}/api/conversions`, {
        method: "POST",
        headers,
        body: JSON.stringify({ youtubeUrl: "cats" }),
      })
    ).status;
  };
  expect([
    await ask(three),
    await ask(four),
    await ask(three),
    await ask(four),
    await ask(three),
    await ask(four),
  ]).toEqual([422, 422, 422, 422, 429, 429]);
  await redis.kill();
  expect([await ask(three), await ask(three), await ask(three), await ask(three), await ask(three)]).toEqual([
    422, 422, 422, 422, 429,
  ]);
  await redis.start();
  for (const server of [one, two, three, four]) await untilLive(server);
});

it("converts while Redis is down, and sends a snapshot and pushes when Redis is back", async () => {
  const device = await openDevice(two.origin);
  const live = await device.live();
  const down = once(live.socket as unknown as NodeJS.EventEmitter, "disconnect");
  await redis.kill();
  await down;
  const job = await device.convert(worker.site.urlOf("cello"));
  await expect
    .poll(async () => ((await (await device.call("GET", `/api/conversions/${job.id}`)).json()) as Job).status)
    .toBe("completed");
  const again = new Promise<{ jobs: Job[] }>((resolve) => live.socket.once("snapshot", resolve));
  await redis.start();
  expect((await again).jobs).toMatchObject([{ id: job.id, status: "completed" }]);
  // Held, because the worker itself may be connected later, and only the newest version is sent again.
  const link = `${worker.site.urlOf("held")}?again`;
  const next = await device.convert(link);
  await expect.poll(() => statusesOf(live, next.id)).toContain("processing");
  await (await led.next(link)).finish();
  await live.untilStatus(next.id, "completed");
  device.close();
});

it("keeps the Redis stream short, at most five pushes of one job in a second, and gives each key an end", async () => {
  const device = await openDevice(one.origin);
  const live = await device.live();
  const link = await openRedis(redis.url, {
    prefix: "tapedeck",
    log: { info: () => undefined, warn: () => undefined },
    commandTimeoutMs: 60_000,
  });
  const lengthOf = () => link.commands.xlen("tapedeck:sockets:stream");
  const before = await lengthOf();
  const job = await device.convert(worker.site.urlOf("unhurried"), "mp4");
  await live.untilStatus(job.id, "completed");
  const versions = live.pushes.filter((push) => push.id === job.id);
  const seconds = (Date.parse(versions.at(-1)?.updatedAt ?? "") - Date.parse(versions[0]?.updatedAt ?? "")) / 1_000;
  // Besides progress: the four states, metadata of the video, and usage.
  expect((await lengthOf()) - before).toBeLessThanOrEqual(Math.ceil(seconds * 5) + 12);
  expect(await link.commands.xlen("tapedeck:sockets:stream")).toBeGreaterThanOrEqual(versions.length);
  device.close();

  // What the tests so far have written, and a count that has not ended yet.
  await device.call("POST", "/api/conversions", { youtubeUrl: "cats" });
  const keys = await link.commands.keys("*");
  const kinds = new Set(keys.map((key) => key.split(":").slice(0, 2).join(":")));
  expect([...kinds]).toEqual(expect.arrayContaining(["tapedeck:limit", "tapedeck:sockets"]));
  const endless = [];
  for (const key of keys) if ((await link.commands.pttl(key)) === -1) endless.push(key);
  expect(endless).toEqual([]);
  await link.close();
});

it("stops a canceled job at once in the worker that runs it", async () => {
  // The worker would notice this at its next lease renewal only, a minute later.
  await using patient = await startTestServer(
    {
      hasExtractor: false,
      ROLE: "worker",
      REDIS_URL: redis.url,
      REDIS_PREFIX: "patient",
      settings: { domain: { leaseMs: 180_000 } },
    },
    undefined,
    convert,
  );
  await using web = await startTestServer(
    { hasExtractor: false, ROLE: "web", REDIS_URL: redis.url, REDIS_PREFIX: "patient", DRAIN_MS: "0" },
    patient,
  );
  const device = await web.newDevice();
  const live = await device.live();
  const job = await device.convert(patient.site.urlOf("held"));
  await live.until(job.id, (version) => version.status === "processing" && version.progress > 0);
  await device.call("DELETE", `/api/conversions/${job.id}`);
  const scratch = join(patient.config.dataDir, "scratch");
  await expect
    .poll(async () => (await readdir(scratch, { recursive: true })).filter((name) => name.includes(job.id)))
    .toEqual([]);
});

it("finishes and pushes the running job of a worker that stops, and leaves no files behind", async () => {
  await using leaving = await startTestServer(
    { hasExtractor: false, ROLE: "worker", REDIS_URL: redis.url, REDIS_PREFIX: "leaving", DRAIN_MS: "60000" },
    undefined,
    convert,
  );
  await using web = await startTestServer(
    { hasExtractor: false, ROLE: "web", REDIS_URL: redis.url, REDIS_PREFIX: "leaving", DRAIN_MS: "0" },
    leaving,
  );
  const device = await web.newDevice();
  const live = await device.live();
  const job = await device.convert(leaving.site.urlOf("held"));
  await live.until(job.id, (version) => version.status === "processing" && version.progress > 0);
  const stopped = leaving.stop();
  const late = await device.convert(leaving.site.urlOf("rain"));
  await (await led.next(leaving.site.urlOf("held"))).finish();
  expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 1 });
  await stopped;
  expect(live.jobs().find(({ id }) => id === late.id)).toMatchObject({ status: "queued" });
  const folders = await readdir(join(leaving.config.dataDir, "scratch"));
  expect(folders.filter((name) => name.includes(job.id))).toEqual([]);
  // The folder of the web process.
  expect(folders).toHaveLength(1);
  await leaving.start();
  await live.untilStatus(late.id, "completed");
});

it("serves health checks only in a worker process", async () => {
  const statuses = [];
  for (const path of [
    "/healthz",
    "/readyz",
    "/",
    "/api/config",
    "/api/conversions",
    "/socket.io/?EIO=4&transport=polling",
  ])
    statuses.push((await fetch(`${worker.origin}${path}`)).status);
  expect(statuses).toEqual([200, 200, 404, 404, 404, 404]);
});
