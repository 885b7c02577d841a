/** The block list of a running server: the operator's command in a second process, and what each kind of entry does. */
import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import mongoose, { type Connection } from "mongoose";
import { io, Manager, type Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { BatchAnswer } from "../common/api.ts";
import { ErrorBody, SENTENCES } from "../common/errors.ts";
import type { Job } from "../common/job.ts";
import type { VideoOrigin } from "../common/video-origin.ts";
import { REPOSITORY_ROOT } from "./dev/repository.ts";
import { startTestServer, type TestDevice, type TestServer } from "./dev/testing/test-server.ts";
import { untilAborted } from "./dev/testing/until-aborted.ts";
import type { BlockKind } from "../common/block-kinds.ts";
import { openBlockModels, type BlockModels } from "./domain/blocks/block-model.ts";
import { addBlock, removeBlock } from "./domain/blocks/change-blocks.ts";
import { createInProcessBus } from "./domain/bus.ts";
import { openJobModel, type JobModel } from "./domain/jobs/job-model.ts";
import type { Runtime } from "./runtime/runtime.ts";

const CHANNEL = "youtube:UCabcdefghijklmnopqrstuv";
const METRICS_TOKEN = "token-of-the-block-test";
const BLOCKED = { code: "access_blocked", message: SENTENCES.access_blocked };
let server: TestServer;
let connection: Connection;
let blockRecords: BlockModels;
let jobs: JobModel;
/** Conversions that wait until they are aborted. */
const held = new Set<string>();

/** Makes a small file at once, or waits where the link asks for it. */
const convert: Runtime["convert"] = async ({ url, folder }, listener, signal) => {
  const origin: VideoOrigin = { channelIds: url.includes("channel") ? [CHANNEL] : [], hosts: ["media.example"] };
  listener.found({ title: url, durationSeconds: 1, origin });
  const picture = join(folder, "thumbnail.jpg");
  await writeFile(picture, "a picture");
  listener.found({ thumbnailPath: picture });
  listener.progress({ stage: "download", percent: 10 });
  if (held.has(url)) await untilAborted(signal);
  const path = join(folder, "result.mp3");
  await writeFile(path, "a file");
  return { path, sizeBytes: 6, durationSeconds: 1 };
};

beforeAll(async () => {
  server = await startTestServer(
    {
      hasExtractor: false,
      TRUST_PROXY: "1",
      VIDEO_HOSTS: "youtube.com,youtu.be,video.example",
      METRICS_TOKEN,
    },
    undefined,
    convert,
  );
  connection = await mongoose.createConnection(server.mongodbUri).asPromise();
  blockRecords = await openBlockModels(connection);
  jobs = await openJobModel(connection);
});
afterAll(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

/** Blocks as a process does that reaches the server only through the database. */
async function block(kind: BlockKind, value: string): Promise<void> {
  const bus = createInProcessBus();
  await addBlock({ blockRecords, bus }, { kind, value, reason: "a test", by: "test" });
  await bus.close();
}

/** Runs the real command. @returns its lines */
async function runBlock(...args: string[]): Promise<string[]> {
  const env = { ...process.env, MONGODB_URI: server.mongodbUri, DATA_DIR: server.config.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ["backend/commands/block.ts", ...args], {
    cwd: REPOSITORY_ROOT,
    env,
  });
  return stdout.trim().split("\n");
}

async function completed(device: TestDevice, url: string): Promise<Job> {
  const { id } = await device.convert(url);
  // The picture is stored beside the conversion.
  return (await device.live()).until(id, (job) => job.status === "completed" && job.thumbnailUrl !== undefined);
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

it("the command blocks a video in a running server: jobs end, copies go, and the log says who, what and why", async () => {
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

  const lines = await runBlock("add", "video", "https://youtu.be/aaaaaaaaaaa", "--reason", "a claim of 3 May");
  expect(lines).toEqual([
    "video youtube:aaaaaaaaaaa is blocked",
    "jobs ended: 1, files deleted: 1, pictures deleted: 2",
  ]);
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

  expect(await runBlock("remove", "video", "youtube:aaaaaaaaaaa", "--as", "bob")).toHaveLength(1);
  expect((await runBlock("log")).map((line) => line.split("  ").slice(1))).toEqual([
    [userInfo().username, "added", "video", "youtube:aaaaaaaaaaa", "a claim of 3 May"],
    ["server", "applied", "video", "youtube:aaaaaaaaaaa", "jobs ended: 1, files deleted: 1, pictures deleted: 2"],
    ["bob", "removed", "video", "youtube:aaaaaaaaaaa"],
  ]);
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
  await removeBlock({ blockRecords, bus: createInProcessBus() }, { kind: "host", value: "media.example", by: "test" });
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

it("the command says in one sentence what is wrong, and changes nothing", async () => {
  const wrong = async (...args: string[]) => {
    const { stderr } = (await runBlock(...args).catch((error: unknown) => error)) as { stderr: string };
    return stderr.trim();
  };
  const wrongs = await Promise.all([
    wrong("add", "network", "0.0.0.0/0", "--reason", "x"),
    wrong("add", "device", "1b4e28ba-2fa1-4d2a-883f-0016d3cca427", "--reason", "x", "--until", "2020-01-01"),
    wrong("remove", "host", "videos.example"),
  ]);
  expect(wrongs).toEqual([
    expect.stringMatching(/^"0\.0\.0\.0\/0" covers too many visitors.*$/),
    expect.stringMatching(/^--until must lie in the future/),
    "host videos.example is not blocked.",
  ]);
});
