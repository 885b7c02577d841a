import { once } from "node:events";
import { io, type Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { JobRemovedEvent, SnapshotEvent, type ClientEvents, type ServerEvents } from "../../common/events.ts";
import { Job } from "../../common/job.ts";
import { startTestServer, type TestDevice, type TestServer } from "../dev/testing/test-server.ts";

/** Wide enough that every conversion's reports would come more often, were they not held back. */
const PUSH_INTERVAL_MS = 400;
/** A figure that waits to be pushed was reported at most this long before: the pipeline reports as often. */
const REPORT_MS = 250;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    WORKER_CONCURRENCY: "4",
    settings: { realtime: { pushIntervalMs: PUSH_INTERVAL_MS } },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

type Event = { name: "snapshot"; jobs: Job[] } | { name: "job"; job: Job } | { name: "job:removed"; id: string };

/** A socket that keeps everything it is told, held against the wire's schemas. */
class Listener {
  readonly socket: Socket<ServerEvents, ClientEvents>;
  readonly events: Event[] = [];
  readonly #waiting: { fits: (event: Event) => boolean; resolve: (event: Event) => void }[] = [];

  constructor(headers: Record<string, string>, transports = ["websocket"]) {
    this.socket = io(server.origin, {
      extraHeaders: headers,
      transports,
      forceNew: true,
      autoConnect: false,
      reconnectionDelay: 10,
      reconnectionDelayMax: 10,
    });
    this.socket.on("snapshot", (event) => this.#take({ name: "snapshot", jobs: SnapshotEvent.parse(event).jobs }));
    this.socket.on("job", (job) => this.#take({ name: "job", job: Job.parse(job) }));
    this.socket.on("job:removed", (event) => this.#take({ name: "job:removed", id: JobRemovedEvent.parse(event).id }));
    listeners.push(this);
  }

  #take(event: Event): void {
    this.events.push(event);
    for (const waiter of this.#waiting.filter(({ fits }) => fits(event))) {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      waiter.resolve(event);
    }
  }

  get jobs(): Job[] {
    return this.events.flatMap((event) => (event.name === "job" ? [event.job] : []));
  }

  /** The first event, seen or still to come, that fits. */
  until(fits: (event: Event) => boolean): Promise<Event> {
    const seen = this.events.find((event) => fits(event));
    return seen ? Promise.resolve(seen) : new Promise((resolve) => this.#waiting.push({ fits, resolve }));
  }
  untilJob(id: string, ...statuses: Job["status"][]): Promise<Event> {
    return this.until((event) => event.name === "job" && event.job.id === id && statuses.includes(event.job.status));
  }
  untilRemoved(id: string): Promise<Event> {
    return this.until((event) => event.name === "job:removed" && event.id === id);
  }

  async connect(): Promise<this> {
    this.socket.connect();
    await this.until((event) => event.name === "snapshot");
    return this;
  }
  async refused(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.socket.once("connect_error", (error) => resolve(error.message));
    this.socket.once("connect", () => resolve("it was let in"));
    this.socket.connect();
    const reason = await promise;
    this.socket.disconnect();
    return reason;
  }
}
const listeners: Listener[] = [];
afterEach(() => {
  for (const { socket } of listeners.splice(0)) socket.disconnect();
});

function listen(device: TestDevice, transports?: string[]): Promise<Listener> {
  return new Listener({ cookie: device.cookie, origin: server.origin }, transports).connect();
}
async function remove(device: TestDevice, id: string): Promise<void> {
  const answer = await device.call("DELETE", `/api/conversions/${id}`);
  await answer.body?.cancel();
}

describe("on connecting", () => {
  it.each([[["websocket"]], [["polling"]], [["polling", "websocket"]]])(
    "a browser gets its own list at once, over %j",
    async (transports) => {
      const device = await server.newDevice();
      const other = await server.newDevice();
      const job = await device.convert(server.site.urlOf("slow"));
      const foreign = await other.convert(server.site.urlOf("slow"));
      const listener = await listen(device, transports);
      // A push of the running job may overtake the list that was being read; merging sorts it out.
      const list = listener.events.find(({ name }) => name === "snapshot");
      expect(list).toMatchObject({ jobs: [{ id: job.id }] });
      expect(JSON.stringify(listener.events)).not.toContain(foreign.id);
      await remove(device, job.id);
      await remove(other, foreign.id);
    },
  );

  it("everybody gets an empty list who has nothing", async () => {
    expect((await listen(await server.newDevice())).events).toEqual([{ name: "snapshot", jobs: [] }]);
  });

  it("nobody is let in without a device, with an invented one, or under another's name", async () => {
    const [device, other] = [await server.newDevice(), await server.newDevice()];
    const [id = "", signature = ""] = device.cookie.split("; ");
    const [otherId = ""] = other.cookie.split("; ");
    const { origin } = server;
    expect(await new Listener({ origin }).refused()).toBe("no device");
    expect(await new Listener({ origin, cookie: id }).refused()).toBe("no device");
    expect(await new Listener({ origin, cookie: `${otherId}; ${signature}` }).refused()).toBe("no device");
    expect(await new Listener({ origin, cookie: `${id}; tapedeck.device.sig=forged` }).refused()).toBe("no device");
  });

  it.each([["websocket"], ["polling"]])(
    "no page of another site gets in with a visitor's cookie, over %s",
    async (transport) => {
      const { cookie } = await server.newDevice();
      for (const origin of [
        "https://evil.example",
        "null",
        `${server.origin}.evil.example`,
        server.origin.replace(/\d+$/, "1"),
      ])
        expect(await new Listener({ cookie, origin }, [transport]).refused()).toMatch(/websocket error|xhr poll error/);
      expect(
        (await new Listener({ cookie, origin: server.config.publicUrl }, [transport]).connect()).events,
      ).toHaveLength(1);
    },
  );
});

describe("what happens", () => {
  it("is told to every window of its own device and to no other, from the queue to the removal", async () => {
    const [mine, others] = [await server.newDevice(), await server.newDevice()];
    const [one, two, stranger] = [await listen(mine), await listen(mine), await listen(others)];
    const job = await mine.convert(server.site.urlOf("rain"));
    for (const window of [one, two]) await window.untilJob(job.id, "completed", "failed");
    await remove(mine, job.id);
    for (const window of [one, two]) await window.untilRemoved(job.id);
    // Something of the stranger's own, which comes after all that: what was to come has come.
    const last = await others.convert(server.site.urlOf("slow"));
    await stranger.untilJob(last.id, "queued");
    await remove(others, last.id);
    await stranger.untilJob(last.id, "canceled");
    expect(new Set(stranger.jobs.map(({ id }) => id))).toEqual(new Set([last.id]));
    expect(stranger.events.filter((event) => event.name === "job:removed")).toEqual([]);
    expect(one.jobs).toEqual(two.jobs);
    expect([...new Set(one.jobs.map(({ status }) => status))]).toEqual([
      "queued",
      "pending",
      "processing",
      "completed",
    ]);
  });

  it("is not decided by what a browser asks for", async () => {
    const [mine, others] = [await server.newDevice(), await server.newDevice()];
    const stranger = await listen(others);
    const { deviceId } = (await (await mine.call("GET", "/api/device-info")).json()) as { deviceId: string };
    const anything = stranger.socket as unknown as { emit(name: string, ...values: unknown[]): void };
    for (const name of ["join", "subscribe", "room"]) anything.emit(name, `device:${deviceId}`);
    const job = await mine.convert(server.site.urlOf("slow"));
    await remove(mine, job.id);
    const own = await others.convert(server.site.urlOf("slow"));
    await remove(others, own.id);
    await stranger.untilJob(own.id, "canceled");
    expect(stranger.jobs.map(({ id }) => id)).not.toContain(job.id);
  });
});

describe("progress", () => {
  it("comes at most once in the interval a job on average, and never runs backwards", async () => {
    const device = await server.newDevice();
    const listener = await listen(device);
    const job = await device.convert(server.site.urlOf("slow"), "mp4");
    await listener.until(
      (event) =>
        event.name === "job" &&
        (event.job.status === "failed" || listener.jobs.filter(({ status }) => status === "processing").length >= 10),
    );
    await remove(device, job.id);
    const pushes = listener.jobs.filter((one) => one.status === "processing");
    const percents = pushes.map(({ progress }) => progress);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    // The first goes out with the change of status, and news of title or picture with theirs.
    const figures = pushes.slice(1).filter((push, n) => describes(push) === describes(pushes[n]));
    expect(figures.length).toBeGreaterThan(5);
    const spanMs = Date.parse(figures.at(-1)?.updatedAt ?? "") - Date.parse(figures[0]?.updatedAt ?? "") + REPORT_MS;
    expect(figures.length - 1).toBeLessThanOrEqual(spanMs / PUSH_INTERVAL_MS);
  });

  function describes(job: Job | undefined): string {
    return JSON.stringify([job?.title, job?.thumbnailUrl, job?.durationSeconds, job?.note]);
  }
});

describe("a connection that drops", () => {
  it("gets the newest of what it missed, and nothing else, when it is back in time", async () => {
    const device = await server.newDevice();
    const [dropped, watching] = [await listen(device), await listen(device)];
    const before = await device.convert(server.site.urlOf("gone"));
    await dropped.untilJob(before.id, "failed");
    await drop(dropped);
    const seen = dropped.jobs.length;
    const missed = await device.convert(server.site.urlOf("rain"));
    await watching.untilJob(missed.id, "completed", "failed");
    await remove(device, before.id);
    await watching.untilRemoved(before.id);
    expect(dropped.jobs.some(({ id }) => id === missed.id)).toBe(false);

    dropped.socket.connect();
    await dropped.untilRemoved(before.id);
    expect(dropped.socket.recovered).toBe(true);
    expect(dropped.jobs.slice(seen)).toEqual([watching.jobs.findLast(({ id }) => id === missed.id)]);
    // The recovered socket sits in its rooms again; and had there been a snapshot, it would have come first.
    const next = await device.convert(server.site.urlOf("slow"));
    await remove(device, next.id);
    await dropped.untilJob(next.id, "canceled");
    expect(dropped.events.filter(({ name }) => name === "snapshot")).toHaveLength(1);
  });

  it("gets a new list when it was away for too long for that", async () => {
    await using impatient = await startTestServer({ settings: { realtime: { recoveryMs: 0 } } });
    const device = await impatient.newDevice();
    const live = await device.live();
    const { socket } = live;
    const down = new Promise((resolve) => socket.once("disconnect", resolve));
    const again = new Promise<{ jobs: Job[] }>((resolve) => socket.once("snapshot", resolve));
    socket.io.reconnection(false);
    socket.io.engine.close();
    await down;
    const job = await device.convert(impatient.site.urlOf("slow"));
    socket.connect();
    expect((await again).jobs).toMatchObject([{ id: job.id }]);
    expect(socket.recovered).toBe(false);
  });

  it("under a cookie that is no longer its own is not let back in", async () => {
    const device = await server.newDevice();
    const listener = await listen(device);
    await drop(listener);
    listener.socket.io.opts.extraHeaders = { cookie: "tapedeck.device=forged", origin: server.origin };
    expect(await listener.refused()).toBe("no device");
  });

  /** The line goes, without a word from either side. */
  async function drop({ socket }: Listener): Promise<void> {
    socket.io.reconnection(false);
    const down = new Promise((resolve) => socket.once("disconnect", resolve));
    socket.io.engine.close();
    await down;
  }
});

it("a server that stops closes its sockets, and they come back to the next one", async () => {
  await using restarted = await startTestServer();
  const device = await restarted.newDevice();
  const { socket } = await device.live();
  const down = once(socket as unknown as NodeJS.EventEmitter, "disconnect");
  await restarted.stop();
  await down;
  const again = new Promise((resolve) => socket.once("snapshot", resolve));
  await restarted.start();
  socket.connect();
  expect(await again).toMatchObject({ jobs: [] });
});
