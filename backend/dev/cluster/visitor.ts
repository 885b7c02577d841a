/** A visitor of the cluster: one cookie, several open pages, and calls that are retried as our page retries them. */
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
/** A call fails after this many tries. */
const MAX_TRIES = 50;
const CALL_TIMEOUT_MS = 20_000;
/** Answers after which our page tries again: the process is stopping or cannot be reached. */
const PASSING = new Set([502, 503, 504]);

/** Counts of the calls of all visitors. */
export interface CallCount {
  calls: number;
  /** Calls that were repeated after a broken connection or a 502, 503 or 504. */
  retried: number;
  /** Calls that failed in the end. */
  failed: string[];
}

export interface Tab {
  readonly socket: Socket<ServerEvents, ClientEvents>;
  readonly events: readonly Job[];
  jobs(): Job[];
  /**
   * Waits until the page shows that the job has ended.
   * @throws Error when it does not within `timeoutMs`
   */
  untilEnded(id: string, timeoutMs: number): Promise<Job>;
  /** How many snapshots it received, and how many connections were recovered without one. */
  readonly snapshots: number;
  readonly recoveries: number;
  close(): void;
}

export interface Visitor {
  readonly deviceId: string;
  /** Ids of the jobs that its calls created. */
  readonly jobIds: ReadonlySet<string>;
  convert(url: string, format: "mp3" | "mp4"): Promise<Job>;
  list(): Promise<Job[]>;
  cancel(id: string): Promise<void>;
  /**
   * Downloads a finished file and resumes where a connection broke.
   * @returns the number of bytes
   */
  download(job: Job): Promise<number>;
  openTab(transports?: readonly ("websocket" | "polling")[]): Promise<Tab>;
  readonly tabs: readonly Tab[];
}

export async function createVisitor(origin: string, count: CallCount): Promise<Visitor> {
  const jar = new CookieJar();
  const jobIds = new Set<string>();
  const tabs: Tab[] = [];

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    count.calls += 1;
    let reason = "";
    for (let nth = 0; nth < MAX_TRIES; nth += 1) {
      if (nth > 0) await delay(RETRY_MS);
      try {
        const answer = await fetch(`${origin}${path}`, {
          method,
          headers: {
            cookie: jar.getCookieStringSync(`${origin}${path}`),
            origin,
            ...(method === "GET" ? {} : { "content-type": "application/json" }),
            ...headers,
          },
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
        reason =
          error instanceof Error
            ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`
            : String(error);
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
      const answer = await call(
        "POST",
        "/api/conversions",
        { youtubeUrl, format },
        { "idempotency-key": randomUUID() },
      );
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
        const answer = await call(
          "GET",
          `/api/conversions/${job.id}/file`,
          undefined,
          bytes > 0 ? { range: `bytes=${bytes}-` } : {},
        );
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

/** An answer that a retry would not change. */
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
  // A stopping process disconnects its sockets; a page reconnects at once.
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
          throw new Error(
            `a page waited in vain for the end of job ${id}: it shows ${job?.status ?? "nothing"} ` +
              `of ${job?.updatedAt ?? "no time"}, is ${socket.connected ? "connected" : "not connected"}, ` +
              `and received ${snapshots} snapshots and ${recoveries} recovered connections`,
          );
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
