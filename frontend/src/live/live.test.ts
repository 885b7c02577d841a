import { createServer } from "node:http";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as SocketServer } from "socket.io";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { User } from "../../../common/api.ts";
import { createApi } from "../api/api.ts";
import { LiveUpdates } from "./live.ts";
import type { Live } from "./live.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createSocket } from "./socket.ts";
import { POLL_INTERVAL_MS, createConnectionStore } from "../stores/connection.ts";
import { createDeviceStore } from "../stores/device.ts";
import { createJobsStore, jobsToShow } from "../stores/jobs.ts";
import { createSiteStatusStore } from "../stores/site-status.ts";
import { createUserStore } from "../stores/user.ts";

const CONFIG = {
  videoHosts: ["youtu.be"],
  tier: "free",
  signInAvailable: false,
  paymentAvailable: false,
  stripePublishableKey: null,
  usualSeconds: null,
  stripeScriptUrl: null,
  sampleLinks: [],
};
const asOf = () => new Date().toISOString();

let http: HttpServer;
let sockets: SocketServer;
let live: Live;
let job = makeJob({ status: "processing", progress: 10 });
/** Replace `job` in the response to polls and in the snapshot; not checked, as a newer server may send what it likes. */
let listed: readonly unknown[] | null = null;
let snapshotted: readonly unknown[] | null = null;
/** Counts of the requests to the server. */
const requests = { lists: 0, configs: 0 };
let person: User | null = null;
let isRestDown = false;
let areSocketsRefused = false;
/** Null: the server does not know the call. */
let siteStatus: unknown = null;
const browser = new EventTarget();
const page = Object.assign(new EventTarget(), { visibilityState: "visible" as const });

const NO_USAGE = { month: "2026-01", totalConversions: 0, totalDataUsed: 0 };

async function open() {
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = `http://127.0.0.1:${address.port}`;
  const jobs = createJobsStore();
  const device = createDeviceStore();
  const user = createUserStore();
  const connection = createConnectionStore();
  const sites = createSiteStatusStore();
  const socket = createSocket(url);
  live = new LiveUpdates({ api: createApi(url), socket, jobs, device, user, connection, sites, browser, page });
  await live.start();
  const progress = () => jobsToShow(jobs.getState())[0]?.progress;
  return { jobs, device, user, connection, sites, progress };
}

/** Resolves when the store's state fulfils the condition. */
function until<State>(
  store: { getState(): State; subscribe(listener: () => void): () => void },
  holds: (state: State) => boolean,
) {
  return new Promise<void>((resolve) => {
    const unsubscribe = store.subscribe(check);
    function check() {
      if (!holds(store.getState())) return;
      unsubscribe();
      resolve();
    }
    check();
  });
}

beforeEach(async () => {
  // Only the interval of the polls is faked; everything else runs in real time.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  job = makeJob({ status: "processing", progress: 10 });
  listed = null;
  snapshotted = null;
  Object.assign(requests, { lists: 0, configs: 0 });
  person = null;
  isRestDown = false;
  areSocketsRefused = false;
  siteStatus = null;
  http = createServer((request, response) => {
    if (request.url?.startsWith("/socket.io")) return;
    if (isRestDown) return void response.destroy();
    if (request.url === "/api/conversions") {
      requests.lists++;
      response.writeHead(200, { "x-as-of": asOf() }).end(JSON.stringify(listed ?? [job]));
    } else if (request.url === "/api/config") {
      requests.configs++;
      response.end(JSON.stringify(CONFIG));
    } else if (request.url === "/api/site-status") {
      if (siteStatus === null) response.writeHead(404);
      response.end(JSON.stringify(siteStatus ?? { code: "not_found", message: "There is nothing here." }));
    } else if (request.url === "/api/auth/user") {
      if (person === null) response.writeHead(401);
      response.end(JSON.stringify(person ?? { code: "sign_in_required", message: "Please sign in first." }));
    } else response.end(JSON.stringify({ deviceId: "d", authenticated: person !== null, userId: person?.id ?? null }));
  });
  sockets = new SocketServer(http, { transports: ["websocket"] });
  sockets.use((_socket, next) => (areSocketsRefused ? next(new Error("refused")) : next()));
  sockets.on("connection", (socket) => socket.emit("snapshot", { asOf: asOf(), jobs: snapshotted ?? [job] }));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  live.stop();
  await sockets.close();
  vi.useRealTimers();
});

describe("live", () => {
  it("receives the first list without waiting for the socket", async () => {
    areSocketsRefused = true;
    const { jobs, device, progress } = await open();
    expect(jobs.getState().phase).toBe("ready");
    expect(progress()).toBe(10);
    expect(device.getState().info?.deviceId).toBe("d");
    expect(device.getState().config?.videoHosts).toEqual(["youtu.be"]);
  });

  it("polls soon after a job was started without a socket, and not for the jobs of a list", async () => {
    areSocketsRefused = true;
    const { jobs } = await open();
    expect(requests.lists).toBe(1);
    const started = makeJob({ id: "started" });
    listed = [job, makeJob({ id: "started", status: "processing", progress: 5 }), makeJob({ id: "of another tab" })];
    jobs.getState().receive(started);
    await until(jobs, ({ table }) => table.size === 3);
    expect(jobsToShow(jobs.getState()).find(({ id }) => id === "started")).toMatchObject({ progress: 5 });
    expect(requests.lists).toBe(2);
  });

  it("stops polling once the socket is connected, and receives its pushes", async () => {
    const { connection, jobs, progress } = await open();
    await until(connection, (state) => state.status === "connected");
    const before = requests.lists;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3);
    expect(requests.lists).toBe(before);
    sockets.emit("job", makeJob({ status: "processing", progress: 55 }));
    await until(jobs, () => progress() === 55);
  });

  it("has the whole list again when a phone is unlocked, though the old socket broke without an event", async () => {
    const { connection, jobs, progress } = await open();
    await until(connection, (state) => state.status === "connected");
    // Nothing of this reaches the page.
    job = makeJob({ status: "processing", progress: 60, updatedAt: "2026-01-01T12:01:00.000Z" });
    const connected = new Promise((resolve) => sockets.once("connection", resolve));
    const twoMinutesLater = Date.now() + 120_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(twoMinutesLater);
    page.dispatchEvent(new Event("visibilitychange"));
    await connected;
    await until(jobs, () => progress() === 60);
    clock.mockRestore();
    expect(progress()).toBe(60);
  });

  it.each(["list", "push", "snapshot"])("accepts a job with an unknown error code in a %s", async (source) => {
    const error = { code: "code_of_a_newer_server", message: "All lines are busy." };
    const failed = { ...makeJob({ status: "failed", attempt: 2 }), error };
    const jobsOfServer = [makeJob({ id: "another" }), failed];
    listed = source === "list" ? jobsOfServer : [];
    snapshotted = source === "snapshot" ? jobsOfServer : [];
    areSocketsRefused = source === "list";
    const { connection, jobs } = await open();
    if (source === "push") {
      await until(connection, (state) => state.status === "connected");
      for (const pushed of jobsOfServer) sockets.emit("job", pushed);
    }
    await until(jobs, (state) => jobsToShow(state).length === 2);
    const shown = jobsToShow(jobs.getState()).find(({ status }) => status === "failed");
    expect(shown).toMatchObject({ error: { code: "internal", message: error.message } });
  });

  it("receives the status of video sites by polls, from old servers none, and by pushes", async () => {
    areSocketsRefused = true;
    const failing = [{ site: "youtube", reason: "refusing" }];
    const { sites, connection } = await open();
    expect(sites.getState().failing).toEqual([]);
    siteStatus = { failing: [...failing, { site: "site-of-a-newer-server", reason: "refusing" }] };
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    await until(sites, (state) => state.failing.length === 1);
    expect(sites.getState().failing).toEqual(failing);
    areSocketsRefused = false;
    browser.dispatchEvent(new Event("online"));
    await until(connection, (state) => state.status === "connected");
    sockets.emit("sites", { failing: [] });
    await until(sites, (state) => state.failing.length === 0);
  });

  it("drops an event of unknown shape and stays connected", async () => {
    const { connection, jobs, progress } = await open();
    await until(connection, (state) => state.status === "connected");
    sockets.emit("job", { id: "one", status: "melting" });
    sockets.emit("job", makeJob({ status: "processing", progress: 56 }));
    await until(jobs, () => progress() === 56);
    expect(jobsToShow(jobs.getState())).toHaveLength(1);
  });

  it("polls at once and every 5 s after the socket breaks, despite network errors, until it is back", async () => {
    const { connection, jobs, progress } = await open();
    await until(connection, (state) => state.status === "connected");

    areSocketsRefused = true;
    job = makeJob({ status: "processing", progress: 30 });
    sockets.disconnectSockets(true);
    await until(jobs, () => progress() === 30);
    expect(connection.getState().status).toBe("lost");

    isRestDown = true;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    isRestDown = false;
    job = makeJob({ status: "processing", progress: 20 });
    const before = requests.lists;
    // The failed poll may not have ended yet; a later tick polls again.
    while (requests.lists === before) await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(progress()).toBe(30);

    areSocketsRefused = false;
    job = makeJob({ status: "processing", progress: 70 });
    browser.dispatchEvent(new Event("online"));
    await until(connection, (state) => state.status === "connected");
    await until(jobs, () => progress() === 70);
    // It is answered after a poll that is on its way.
    await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/api/site-status`);
    const listsWhenConnected = requests.lists;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3);
    expect(requests.lists).toBe(listsWhenConnected);
  });

  it("does not load the identity again when the first identity event brings nothing new", async () => {
    const { connection, jobs, progress } = await open();
    await until(connection, (state) => state.status === "connected");
    sockets.emit("identity", { tier: "free", authenticated: false });
    sockets.emit("job", { ...job, progress: 70 });
    await until(jobs, () => progress() === 70);
    expect(requests.configs).toBe(1);
  });

  it("receives a new tier from an identity event", async () => {
    const { connection, device } = await open();
    await until(connection, (state) => state.status === "connected");
    sockets.emit("identity", { tier: "pro", authenticated: true });
    await until(device, (state) => state.tier === "pro");
    expect(device.getState().info?.authenticated).toBe(true);
  });

  it("replaces the list when the session ends and another viewer follows", async () => {
    person = {
      id: "u",
      email: "ada@example.org",
      tier: "pro",
      usage: { month: "2026-01", totalConversions: 1, totalDataUsed: 1 },
      subscription: null,
    };
    const { connection, jobs, user } = await open();
    expect(user.getState()).toMatchObject({ phase: "signed-in", usage: { totalConversions: 1 } });
    await until(connection, (state) => state.status === "connected");
    person = null;
    job = makeJob({ id: "another" });
    sockets.disconnectSockets();
    await until(user, (state) => state.phase === "signed-out");
    await until(jobs, (state) => jobsToShow(state)[0]?.id === "another");
    expect(jobsToShow(jobs.getState())).toHaveLength(1);
  });

  it("finds out by its polls that somebody else has signed in, and reads that list soon", async () => {
    areSocketsRefused = true;
    person = { id: "u", email: "ada@example.org", tier: "pro", usage: NO_USAGE, subscription: null };
    const { jobs, user } = await open();
    person = { ...person, id: "v", email: "bob@example.org" };
    job = makeJob({ id: "another" });
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    await until(user, (state) => state.user?.id === "v");
    // Without another interval.
    await until(jobs, (state) => jobsToShow(state)[0]?.id === "another");
    expect(jobsToShow(jobs.getState())).toHaveLength(1);
  });

  it("receives pushed usage", async () => {
    const { connection, user } = await open();
    await until(connection, (state) => state.status === "connected");
    sockets.emit("usage", { month: "2026-01", totalConversions: 7, totalDataUsed: 70 });
    await until(user, (state) => state.usage !== null);
    expect(user.getState().usage?.totalConversions).toBe(7);
  });
});
