/** Somebody who uses the cluster through the balancer: one cookie, several open pages, calls that are made again as our page makes them again. */
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { io, type Socket } from "socket.io-client";
import { CookieJar } from "tough-cookie";
import { z } from "zod";
import { DeviceInfo, JobList } from "../../../common/api.ts";
import type { ClientEvents, ServerEvents } from "../../../common/events.ts";
import { isActive, Job } from "../../../common/job.ts";
import { mergeIntoTable, mergeSnapshot, visibleJobs, type JobTable } from "../../../common/merge.ts";
import { keepCookies } from "../testing/test-device.ts";

const RETRY_MS = 100;
/** A call that has not got through after so many tries has failed. */
const MAX_TRIES = 50;
const CALL_TIMEOUT_MS = 20_000;
/** What a page takes for "not now": the process is going, or the way to it is. */
const PASSING = new Set([502, 503, 504]);

/** How the calls of everybody went. */
export interface CallCount {
  calls: number;
  /** Broke off or were told to come back, and were made again. */
  retried: number;
  /** Were not answered in the end. */
  failed: string[];
}

export interface Tab {
  readonly socket: Socket<ServerEvents, ClientEvents>;
  readonly events: readonly Job[];
  jobs(): Job[];
  /** Resolves when the page shows that the job has ended. @throws Error when it does not within the time */
  untilEnded(id: string, timeoutMs: number): Promise<Job>;
  /** How often it was told everything, and how often it was only told what it had missed. */
  readonly snapshots: number;
  readonly recoveries: number;
  close(): void;
}

export interface Visitor {
  readonly deviceId: string;
  /** Jobs of theirs, by the answers they got. */
  readonly jobIds: ReadonlySet<string>;
  convert(url: string, format: "mp3" | "mp4"): Promise<Job>;
  list(): Promise<Job[]>;
  cancel(id: string): Promise<void>;
  /** Fetches a finished file whole, going on where it broke off. @returns its bytes */
  download(job: Job): Promise<number>;
  openTab(transports?: readonly ("websocket" | "polling")[]): Promise<Tab>;
  readonly tabs: readonly Tab[];
}

export async function createVisitor(origin: string, count: CallCount): Promise<Visitor> {
  const jar = new CookieJar();
  const jobIds = new Set<string>();
  const tabs: Tab[] = [];

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    count.calls += 1;
    let reason = "";
    for (let nth = 0; nth < MAX_TRIES; nth += 1) {
      if (nth > 0) await delay(RETRY_MS);
      try {
        const answer = await fetch(`${origin}${path}`, {
          method,
          headers: { cookie: jar.getCookieStringSync(`${origin}${path}`), origin, ...(method === "GET" ? {} : { "content-type": "application/json" }), ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        });
        if (!PASSING.has(answer.status)) {
          await keepCookies(jar, answer);
          if (answer.ok) return answer;
          throw new Refused(`${answer.status}: ${await answer.text()}`);
        }
        reason = `${answer.status}: ${await answer.text()}`;
      } catch (error) {
        if (error instanceof Refused) {
          count.failed.push(`${method} ${path} ${error.message}`);
          throw error;
        }
        // The connection broke, as in a browser's fetch.
        reason = error instanceof Error ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}` : String(error);
      }
      count.retried += 1;
    }
    count.failed.push(`${method} ${path} ${reason}`);
    throw new Error(`${method} ${path}: ${reason}`);
  }

  const { deviceId } = DeviceInfo.parse(await (await call("GET", "/api/device-info")).json());
  return {
    deviceId,
    jobIds,
    tabs,
    async convert(youtubeUrl, format) {
      const answer = await call("POST", "/api/conversions", { youtubeUrl, format }, { "idempotency-key": randomUUID() });
      const job = Job.parse(await answer.json());
      jobIds.add(job.id);
      return job;
    },
    async list() {
      return JobList.parse(await (await call("GET", "/api/conversions")).json());
    },
    async cancel(id) {
      await (await call("DELETE", `/api/conversions/${id}`)).body?.cancel();
    },
    async download(job) {
      if (job.status !== "completed") throw new Error(`job ${job.id} is ${job.status}, so there is nothing to fetch`);
      let bytes = 0;
      while (bytes < job.fileSize) {
        const answer = await call("GET", `/api/conversions/${job.id}/file`, undefined, bytes > 0 ? { range: `bytes=${bytes}-` } : {});
        try {
          for await (const chunk of answer.body ?? []) bytes += z.instanceof(Uint8Array).parse(chunk).length;
        } catch {
          count.retried += 1;
        }
      }
      return bytes;
    },
    async openTab(transports = ["websocket"]) {
      const tab = await openTab(origin, () => jar.getCookieStringSync(origin), transports);
      tabs.push(tab);
      return tab;
    },
  };
}

/** The server understood and said no. */
class Refused extends Error {}

async function openTab(origin: string, cookie: () => string, transports: readonly string[]): Promise<Tab> {
  const socket: Socket<ServerEvents, ClientEvents> = io(origin, {
    extraHeaders: { cookie: cookie(), origin },
    transports: [...transports],
    forceNew: true,
    reconnectionDelay: 200,
    reconnectionDelayMax: 1_000,
  });
  const events: Job[] = [];
  let table: JobTable = new Map();
  let snapshots = 0;
  let recoveries = 0;
  const changed = new EventEmitter().setMaxListeners(0);
  const keep = (next: JobTable) => {
    table = next;
    changed.emit("table");
  };
  socket.on("snapshot", (snapshot) => {
    snapshots += 1;
    keep(mergeSnapshot(table, snapshot));
  });
  socket.on("job", (job) => {
    events.push(job);
    keep(mergeIntoTable(table, job));
  });
  socket.on("job:removed", ({ id }) => keep(mergeIntoTable(table, { id, removed: true })));
  socket.on("connect", () => {
    if (socket.recovered) recoveries += 1;
  });
  // Told to go by a process that stops: a page comes back at once.
  socket.on("disconnect", (reason) => {
    if (reason === "io server disconnect") socket.connect();
  });
  await new Promise<void>((resolve) => socket.once("snapshot", () => resolve()));
  return {
    socket,
    events,
    jobs: () => visibleJobs(table),
    async untilEnded(id, timeoutMs) {
      const signal = AbortSignal.timeout(timeoutMs);
      for (;;) {
        const job = visibleJobs(table).find((one) => one.id === id);
        if (job && !isActive(job.status)) return job;
        await once(changed, "table", { signal }).catch(() => {
          throw new Error(`a page waited in vain for the end of job ${id}, which it shows as ${job?.status ?? "nothing"} of ${job?.updatedAt ?? "no time"}; it is ${socket.connected ? "connected" : "not connected"}, was told everything ${snapshots} times and what it had missed ${recoveries} times`);
        });
      }
    },
    get snapshots() {
      return snapshots;
    },
    get recoveries() {
      return recoveries;
    },
    close: () => void socket.disconnect(),
  };
}
