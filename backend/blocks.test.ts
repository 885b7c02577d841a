/** The block list of a running server: what each kind of entry does. The operator's command is in blocks.full.test.ts. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import mongoose from "mongoose";
import { io, Manager, type Socket } from "socket.io-client";
import { afterAll, expect, it, vi } from "vitest";
import { BatchAnswer } from "../common/api.ts";
import { ErrorBody, SENTENCES } from "../common/errors.ts";
import { ofFile } from "./dev/testing/of-file.ts";
import { BlockableConversions, CHANNEL, completed } from "./dev/testing/blockable-conversions.ts";
import { startTestServer, type TestDevice } from "./dev/testing/test-server.ts";
import type { BlockKind } from "../common/block-kinds.ts";
import { openBlockModels } from "./domain/blocks/block-model.ts";
import { addBlock, removeBlock } from "./domain/blocks/change-blocks.ts";
import { createInProcessBus } from "./domain/bus.ts";
import { openJobModel } from "./domain/jobs/job-model.ts";

const METRICS_TOKEN = "token-of-the-block-test";
const BLOCKED = { code: "access_blocked", message: SENTENCES.access_blocked };
const { convert, held } = new BlockableConversions();
const server = await ofFile(
  startTestServer(
    {
      hasExtractor: false,
      TRUST_PROXY: "1",
      VIDEO_HOSTS: "youtube.com,youtu.be,video.example",
      METRICS_TOKEN,
    },
    undefined,
    convert,
  ),
);
const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
const blockRecords = await openBlockModels(connection);
const jobs = await openJobModel(connection);
afterAll(() => connection.close());

/** Blocks as a process does that reaches the server only through the database. */
async function block(kind: BlockKind, value: string): Promise<void> {
  const bus = createInProcessBus();
  await addBlock({ blockRecords, bus }, { kind, value, reason: "a test", by: "test" });
  await bus.close();
}

async function unblock(kind: BlockKind, value: string): Promise<void> {
  const bus = createInProcessBus();
  await removeBlock({ blockRecords, bus }, { kind, value, by: "test" });
  await bus.close();
}

async function refusalOf(device: TestDevice, path: string, body: object): Promise<unknown[]> {
  const answer = await device.call("POST", path, body);
  return [answer.status, ErrorBody.parse(await answer.json()).code];
}

async function openSocket(device: TestDevice, address = "203.0.113.1"): Promise<Socket> {
  const socket = io(server.origin, {
    extraHeaders: { cookie: device.cookie, "x-forwarded-for": address },
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("snapshot", () => resolve());
    socket.once("connect_error", reject);
  });
  return socket;
}

/** A connection that does not say whose it is. */
async function openUnnamed(address: string): Promise<Manager> {
  const manager = new Manager(server.origin, {
    extraHeaders: { "x-forwarded-for": address },
    transports: ["websocket"],
    autoConnect: false,
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => manager.open((error) => (error ? reject(error) : resolve())));
  return manager;
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once("disconnect", () => resolve()));
const storedFiles = async () => (await readdir(join(server.config.dataDir, "files"))).toSorted();

it("a blocked video loses its jobs and copies, and comes back when it is removed from the list", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const link = "https://www.youtube.com/watch?v=aaaaaaaaaaa";
  const done = await completed(device, link);
  const other = await completed(device, "https://youtu.be/bbbbbbbbbbb");
  held.add(link);
  // Another format, so that the file is not used again.
  const running = await device.convert(link, "mp4");
  await live.until(running.id, (job) => job.status === "processing" && job.thumbnailUrl !== undefined);
  expect(await storedFiles()).toEqual(expect.arrayContaining([`${done.id}.1.mp3`, `${done.id}.1.jpg`]));

  await block("video", "youtube:aaaaaaaaaaa");
  const ended = await live.untilStatus(running.id, "failed");
  expect(ended).toMatchObject({ error: { code: "blocked", message: SENTENCES.blocked } });
  const gone = await live.until(done.id, (job) => job.status === "completed" && job.isBlocked === true);
  expect([gone.thumbnailUrl, "downloadUrl" in gone]).toEqual([undefined, false]);
  await expect.poll(storedFiles).toEqual([`${other.id}.1.jpg`, `${other.id}.1.mp3`]);
  const file = await device.call("GET", `/api/conversions/${done.id}/file`);
  expect([file.status, ErrorBody.parse(await file.json()).code]).toEqual([422, "blocked"]);

  expect(await refusalOf(device, "/api/preview", { youtubeUrl: link })).toEqual([422, "blocked"]);
  const input = { youtubeUrl: `${link}&t=5`, format: "mp3" };
  expect(await refusalOf(device, "/api/conversions", input)).toEqual([422, "blocked"]);
  expect(await refusalOf(device, `/api/conversions/${running.id}/retry`, {})).toEqual([422, "blocked"]);

  await unblock("video", "youtube:aaaaaaaaaaa");
  held.delete(link);
  await expect.poll(async () => (await device.call("POST", "/api/conversions", input)).status).toBe(201);
});

it("a blocked channel and a blocked media host lose the copies of their videos", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const ofChannel = await completed(device, "https://video.example/channel");
  const other = await completed(device, "https://video.example/other");
  await block("channel", CHANNEL);
  await live.until(ofChannel.id, (job) => job.status === "completed" && job.isBlocked === true);
  expect(await jobs.countDocuments({ _id: other.id, isBlocked: true })).toBe(0);
  await block("host", "media.example");
  await live.until(other.id, (job) => job.status === "completed" && job.isBlocked === true);
  // All conversions of this file come from that host.
  await unblock("host", "media.example");
});

it("a blocked network gets an explanation and nothing else, and its sockets are closed", async () => {
  const device = await server.newDevice();
  const inside = await openSocket(device, "198.51.100.9");
  const outside = await openSocket(device, "198.51.101.9");
  const from = (address: string, path: string, headers: Record<string, string> = {}) =>
    device.call("GET", path, undefined, { "x-forwarded-for": address, ...headers });
  // The older one would be closed first if both were closed because they do not say whose they are.
  const older = await openUnnamed("198.51.101.10");
  const onOlderClosed = vi.fn<() => void>();
  older.once("close", onOlderClosed);
  const unnamed = await openUnnamed("198.51.100.10");
  const areClosed = Promise.all([closed(inside), new Promise((resolve) => unnamed.once("close", resolve))]);
  await block("network", "198.51.100.0/24");
  await areClosed;
  expect(onOlderClosed).not.toHaveBeenCalled();
  const refused = await from("198.51.100.200", "/api/conversions");
  expect([refused.status, await refused.json()]).toEqual([403, BLOCKED]);
  const page = await from("198.51.100.200", "/dashboard", { accept: "text/html", "accept-language": "de-AT,en;q=0.5" });
  expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
  expect(await page.text()).toMatch(/<html lang="de".*gesperrt.*mailto:support@/);
  expect((await from("198.51.100.200", "/assets/index.js")).status).toBe(403);
  await expect(openSocket(device, "198.51.100.200")).rejects.toThrow("websocket error");
  // Health checks come from the balancer, and messages of the payment provider are signed.
  expect((await from("198.51.100.200", "/healthz")).status).toBe(200);
  const webhook = await device.call("POST", "/api/stripe-webhook", {}, { "x-forwarded-for": "198.51.100.200" });
  expect(webhook.status).toBe(503);
  expect((await from("198.51.101.9", "/api/conversions")).status).toBe(200);
  expect(outside.connected).toBe(true);
  outside.disconnect();
  older.engine.close();
});

it("a blocked device gets an explanation and nothing else, its job ends, and its socket is closed", async () => {
  const device = await server.newDevice();
  const link = "https://video.example/device";
  held.add(link);
  const running = await device.convert(link);
  const socket = await openSocket(device);
  const isClosed = closed(socket);
  const deviceId = /device=([0-9a-f-]{36})/.exec(device.cookie)?.[1] ?? "";
  await block("device", deviceId);
  await isClosed;
  const refused = await device.call("GET", "/api/conversions");
  expect([refused.status, await refused.json()]).toEqual([403, BLOCKED]);
  expect((await device.visit("/")).status).toBe(403);
  await expect(openSocket(device)).rejects.toMatchObject({ data: BLOCKED });
  await expect.poll(() => jobs.countDocuments({ _id: running.id, "error.code": "blocked" })).toBe(1);
  expect((await (await server.newDevice()).call("GET", "/api/conversions")).status).toBe(200);
});

it("a blocked user can neither start nor download nor subscribe, and can still read, export and leave", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "blocked@example.com" });
  await server.setTier("blocked@example.com", "pro");
  const live = await device.live();
  const done = await completed(device, "https://youtu.be/ccccccccccc");
  const input = { urls: ["https://youtu.be/ddddddddddd"], format: "mp3" };
  const { batchId } = BatchAnswer.parse(await (await device.call("POST", "/api/batch-conversions", input)).json());
  const isClosed = closed(live.socket);
  await block("user", "blocked@example.com");
  await isClosed;
  expect(
    await refusalOf(device, "/api/conversions", { youtubeUrl: "https://youtu.be/eeeeeeeeeee", format: "mp3" }),
  ).toEqual([403, "access_blocked"]);
  expect(await refusalOf(device, "/api/batch-conversions", input)).toEqual([403, "access_blocked"]);
  expect(await refusalOf(device, "/api/preview", { youtubeUrl: "https://youtu.be/eeeeeeeeeee" })).toEqual([
    403,
    "access_blocked",
  ]);
  expect(await refusalOf(device, "/api/create-subscription", { plan: "yearly" })).toEqual([403, "access_blocked"]);
  const statusOf = async (path: string) => (await device.call("GET", path)).status;
  expect(await statusOf(`/api/conversions/${done.id}/file`)).toBe(403);
  expect(await statusOf(`/api/batch-conversions/${batchId}/zip`)).toBe(403);
  expect([await statusOf("/api/conversions"), await statusOf("/api/account/export")]).toEqual([200, 200]);
  const other = await server.newDevice();
  await server.signIn(other, { email: "other@example.com" });
  expect((await other.convert("https://youtu.be/eeeeeeeeeee")).status).toBe("queued");
});

it("counts refusals by kind", async () => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${server.origin}/metrics`, { headers })).text();
  const kinds = [...text.matchAll(/^tapedeck_block_refusals_total\{kind="(\w+)"\} [1-9]/gm)].map(([, kind]) => kind);
  expect(new Set(kinds)).toEqual(new Set(["video", "network", "device", "user"]));
});
