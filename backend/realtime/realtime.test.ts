import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { io, type Socket } from "socket.io-client";
import { afterEach, describe, expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import { JobRemovedEvent, SnapshotEvent, type ClientEvents, type ServerEvents } from "../../common/events.ts";
import { Job } from "../../common/job.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { leadConversions } from "../dev/testing/led-conversion.ts";
import { convertWithoutTools } from "../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../dev/testing/test-server.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** Longer than the interval of progress reports, so that the limit takes effect. */
const PUSH_INTERVAL_MS = 50;
const REPORT_MS = 10;

const led = leadConversions(1_000);
/** Replaces the pipeline. The path of the link decides how the conversion goes. */
const convert: NonNullable<Runtime["convert"]> = async (request, listener, signal) => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/gone")) throw new ConversionError("unavailable");
  if (pathname.endsWith("/held")) return await led.convert(request, listener, signal);
  if (pathname.endsWith("/unhurried"))
    for (let percent = 0; percent < 100; percent += 0.1) {
      listener.progress({ stage: "download", percent });
      await delay(REPORT_MS, undefined, { signal });
    }
  return await convertWithoutTools(request, listener, signal);
};

const server = await ofFile(
  startTestServer(
    { hasExtractor: false, WORKER_CONCURRENCY: "4", settings: { realtime: { pushIntervalMs: PUSH_INTERVAL_MS } } },
    undefined,
    convert,
  ),
);

type Event = { name: "snapshot"; jobs: Job[] } | { name: "job"; job: Job } | { name: "job:removed"; id: string };

/** A socket that checks every event against its schema and records it. */
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

  /** @returns the first event that fits, received or still to come */
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
    this.socket.once("connect", () => resolve("accepted"));
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

describe("a new connection", () => {
  it.each([[["websocket"]], [["polling"]], [["polling", "websocket"]]])(
    "sends a browser its own jobs at once over %j",
    async (transports) => {
      const device = await server.newDevice();
      const other = await server.newDevice();
      const job = await device.convert(server.site.urlOf("slow"));
      const foreign = await other.convert(server.site.urlOf("slow"));
      const listener = await listen(device, transports);
      // A push of the running job may arrive before the snapshot; the page merges them.
      const list = listener.events.find(({ name }) => name === "snapshot");
      expect(list).toMatchObject({ jobs: [{ id: job.id }] });
      expect(JSON.stringify(listener.events)).not.toContain(foreign.id);
      await remove(device, job.id);
      await remove(other, foreign.id);
    },
  );

  it("sends an empty snapshot to a browser without jobs", async () => {
    expect((await listen(await server.newDevice())).events).toEqual([{ name: "snapshot", jobs: [] }]);
  });

  it("refuses a socket without a device cookie, or with a forged or foreign one", async () => {
    const device = await server.newDevice();
    const other = await server.newDevice();
    const [id = "", signature = ""] = device.cookie.split("; ");
    const [otherId = ""] = other.cookie.split("; ");
    const { origin } = server;
    expect(await new Listener({ origin }).refused()).toBe("no device");
    expect(await new Listener({ origin, cookie: id }).refused()).toBe("no device");
    expect(await new Listener({ origin, cookie: `${otherId}; ${signature}` }).refused()).toBe("no device");
    expect(await new Listener({ origin, cookie: `${id}; tapedeck.device.sig=forged` }).refused()).toBe("no device");
  });

  it.each([["websocket"], ["polling"]])(
    "refuses a page of another site with a visitor's cookie over %s",
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

describe("a change", () => {
  it("is pushed to every window of its own device and to no other, from the queue to the removal", async () => {
    const mine = await server.newDevice();
    const others = await server.newDevice();
    const one = await listen(mine);
    const two = await listen(mine);
    const stranger = await listen(others);
    // Held until "processing" was pushed, which the limit of pushes may otherwise merge into "completed".
    const link = `${server.site.urlOf("held")}?windows`;
    const job = await mine.convert(link);
    for (const window of [one, two]) await window.untilJob(job.id, "processing");
    await (await led.next(link)).finish();
    for (const window of [one, two]) await window.untilJob(job.id, "completed", "failed");
    await remove(mine, job.id);
    for (const window of [one, two]) await window.untilRemoved(job.id);
    // A job of the stranger, pushed after everything else: earlier pushes have arrived by then.
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

  it("is not pushed to a browser that asks for the room of another device", async () => {
    const mine = await server.newDevice();
    const others = await server.newDevice();
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
  it("is pushed at most once per interval on average, and never goes back", async () => {
    const device = await server.newDevice();
    const listener = await listen(device);
    const job = await device.convert(server.site.urlOf("unhurried"), "mp4");
    await listener.until(
      (event) =>
        event.name === "job" &&
        (event.job.status === "failed" || listener.jobs.filter(({ status }) => status === "processing").length >= 10),
    );
    await remove(device, job.id);
    const pushes = listener.jobs.filter((one) => one.status === "processing");
    const percents = pushes.map(({ progress }) => progress);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    // The first is pushed with the change of status; changes of title or picture have pushes of their own.
    const figures = pushes.slice(1).filter((push, n) => describes(push) === describes(pushes[n]));
    expect(figures.length).toBeGreaterThan(5);
    // The last version is younger than the push before it.
    const spanMs = Date.parse(figures.at(-1)?.updatedAt ?? "") - Date.parse(figures[0]?.updatedAt ?? "");
    expect(figures.length - 2).toBeLessThanOrEqual(spanMs / PUSH_INTERVAL_MS);
  });

  function describes(job: Job | undefined): string {
    return JSON.stringify([job?.title, job?.thumbnailUrl, job?.durationSeconds, job?.note]);
  }
});

describe("a connection that drops", () => {
  it("gets only the newest version of each missed job when it reconnects in time", async () => {
    const device = await server.newDevice();
    const dropped = await listen(device);
    const watching = await listen(device);
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
    // Then comes a list: changes of the moment in which the connection is recovered are not among the missed events.
    const afterwards = await dropped.until((event) => event.name === "snapshot" && event !== dropped.events[0]);
    expect(afterwards).toMatchObject({ jobs: [{ id: missed.id }] });
    // The recovered socket is in its rooms again.
    const next = await device.convert(server.site.urlOf("slow"));
    await remove(device, next.id);
    await dropped.untilJob(next.id, "canceled");
  });

  it("gets a new snapshot when it reconnects too late for recovery", async () => {
    await using shortLived = await startTestServer({ hasExtractor: false, settings: { realtime: { recoveryMs: 0 } } });
    const device = await shortLived.newDevice();
    const live = await device.live();
    const { socket } = live;
    const down = new Promise((resolve) => socket.once("disconnect", resolve));
    const again = new Promise<{ jobs: Job[] }>((resolve) => socket.once("snapshot", resolve));
    socket.io.reconnection(false);
    socket.io.engine.close();
    await down;
    const job = await device.convert(shortLived.site.urlOf("slow"));
    socket.connect();
    expect((await again).jobs).toMatchObject([{ id: job.id }]);
    expect(socket.recovered).toBe(false);
  });

  it("is refused when it reconnects with a forged cookie", async () => {
    const device = await server.newDevice();
    const listener = await listen(device);
    await drop(listener);
    listener.socket.io.opts.extraHeaders = { cookie: "tapedeck.device=forged", origin: server.origin };
    expect(await listener.refused()).toBe("no device");
  });

  /** Closes the connection without a disconnect packet. */
  async function drop({ socket }: Listener): Promise<void> {
    socket.io.reconnection(false);
    const down = new Promise((resolve) => socket.once("disconnect", resolve));
    socket.io.engine.close();
    await down;
  }
});

it("closes its sockets when the server stops, and they reconnect after the restart", async () => {
  const device = await server.newDevice();
  const { socket } = await device.live();
  const down = once(socket as unknown as NodeJS.EventEmitter, "disconnect");
  await server.stop();
  await down;
  const again = new Promise((resolve) => socket.once("snapshot", resolve));
  await server.start();
  socket.connect();
  expect(await again).toMatchObject({ jobs: [] });
});
