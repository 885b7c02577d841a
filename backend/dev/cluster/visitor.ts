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
import { isTombstone, mergeIntoTable, mergeSnapshot, visibleJobs, type JobTable } from "../../../common/merge.ts";
import { keepCookies, visitPage } from "../testing/test-device.ts";

const RETRY_MS = 100;
/** Tries of a call, unless given. */
const MAX_TRIES = 50;
const CALL_TIMEOUT_MS = 20_000;
/** Answers after which our page tries again: the process is stopping or cannot be reached. */
const RETRYABLE = new Set([502, 503, 504]);

/** Counts of the calls of all visitors. */
export interface CallCount {
  calls: number;
  /** Calls that were repeated after a broken connection or a 502, 503 or 504. */
  retried: number;
  /** Calls that failed in the end. */
  failed: string[];
}

export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses of errors that are answers like others. */
  readonly accepted?: readonly number[];
}

type TabSocket = Socket<ServerEvents, ClientEvents>;

/** @param maxTries a call fails after this many tries */
export async function createVisitor(origin: string, count: CallCount, maxTries = MAX_TRIES): Promise<Visitor> {
  const visitor = new Visitor(origin, count, maxTries);
  await visitor.arrive();
  return visitor;
}

export class Visitor {
  /** Ids of the jobs that its calls created. */
  readonly jobIds = new Set<string>();
  readonly tabs: Tab[] = [];
  readonly origin: string;
  readonly #count: CallCount;
  readonly #maxTries: number;
  readonly #jar = new CookieJar();
  #deviceId = "";

  constructor(origin: string, count: CallCount, maxTries: number) {
    this.origin = origin;
    this.#count = count;
    this.#maxTries = maxTries;
  }

  get deviceId(): string {
    return this.#deviceId;
  }

  /** The current value of the `Cookie` header. */
  get cookie(): string {
    return this.#jar.getCookieStringSync(this.origin);
  }

  /** Gets a device id and its cookie. */
  async arrive(): Promise<void> {
    const answer = await this.call("GET", "/api/device-info");
    this.#deviceId = DeviceInfo.parse(await answer.json()).deviceId;
  }

  async convert(youtubeUrl: string, format: "mp3" | "mp4"): Promise<Job> {
    const headers = { "idempotency-key": randomUUID() };
    const answer = await this.call("POST", "/api/conversions", { body: { youtubeUrl, format }, headers });
    const job = Job.parse(await answer.json());
    this.jobIds.add(job.id);
    return job;
  }

  async list(): Promise<Job[]> {
    return JobList.parse(await (await this.call("GET", "/api/conversions")).json());
  }

  async cancel(id: string): Promise<void> {
    await (await this.call("DELETE", `/api/conversions/${id}`)).body?.cancel();
  }

  /**
   * Downloads a finished file and resumes where a connection broke.
   * @returns the number of bytes
   */
  async download(job: Job): Promise<number> {
    if (job.status !== "completed") throw new Error(`job ${job.id} is ${job.status}, so it has no file`);
    let bytes = 0;
    while (bytes < job.fileSize) {
      const headers: Record<string, string> = bytes > 0 ? { range: `bytes=${bytes}-` } : {};
      const answer = await this.call("GET", `/api/conversions/${job.id}/file`, { headers });
      try {
        for await (const chunk of answer.body ?? []) bytes += z.instanceof(Uint8Array).parse(chunk).length;
      } catch {
        // The connection broke; the next call asks for the rest.
        this.#count.retried += 1;
      }
    }
    return bytes;
  }

  async openTab(transports: readonly ("websocket" | "polling")[] = ["websocket"]): Promise<Tab> {
    const tab = await Tab.open(this.origin, () => this.cookie, transports);
    this.tabs.push(tab);
    return tab;
  }

  /** Navigates to a page and stores its cookies; redirects are not followed. */
  async visit(url: string, form?: Record<string, string>): Promise<Response> {
    return await visitPage(this.#jar, new URL(url, this.origin), form);
  }

  /**
   * Makes a call and retries it as our page does.
   * @throws Error when the answer is an error that a retry would not change, or after the last try
   */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    this.#count.calls += 1;
    let reason = "";
    for (let nth = 0; nth < this.#maxTries; nth += 1) {
      if (nth > 0) await delay(RETRY_MS);
      const result = await this.#tryCall(method, path, options);
      if (typeof result !== "string") return result;
      reason = result;
      this.#count.retried += 1;
    }
    this.#count.failed.push(`${method} ${path} ${reason}`);
    throw new Error(`${method} ${path}: ${reason}`);
  }

  /** @returns the answer, or the reason for a retry */
  async #tryCall(
    method: string,
    path: string,
    { body, headers, accepted = [] }: CallOptions,
  ): Promise<Response | string> {
    const url = `${this.origin}${path}`;
    try {
      const answer = await fetch(url, {
        method,
        headers: {
          cookie: this.#jar.getCookieStringSync(url),
          origin: this.origin,
          ...(method !== "GET" && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      if (RETRYABLE.has(answer.status)) return `${answer.status}: ${await answer.text()}`;
      await keepCookies(this.#jar, answer);
      if (answer.ok || accepted.includes(answer.status)) return answer;
      throw new Refused(`${answer.status}: ${await answer.text()}`);
    } catch (error) {
      if (error instanceof Refused) {
        this.#count.failed.push(`${method} ${path} ${error.message}`);
        throw error;
      }
      // The connection broke, as in a browser's fetch.
      if (!(error instanceof Error)) return String(error);
      return `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
    }
  }
}

/** An answer that a retry would not change. */
class Refused extends Error {}

/** An open page: its socket and the merged list of jobs. */
export class Tab {
  readonly socket: TabSocket;
  /** Every version that was pushed, in the order of arrival. */
  readonly events: Job[] = [];
  /** Pushes of a job after its removal. */
  readonly returned: string[] = [];
  /** Connects anew, as a page that is loaded again, with the current cookies. */
  readonly reload: () => void;
  readonly #changed = new EventEmitter().setMaxListeners(0);
  #table: JobTable = new Map();
  #snapshots = 0;
  #recoveries = 0;

  private constructor(socket: TabSocket, reload: () => void) {
    this.socket = socket;
    this.reload = reload;
    socket.on("snapshot", (snapshot) => {
      this.#snapshots += 1;
      this.#update(mergeSnapshot(this.#table, snapshot));
    });
    socket.on("job", (job) => {
      this.events.push(job);
      const known = this.#table.get(job.id);
      if (known && isTombstone(known)) this.returned.push(`${job.id} was pushed after its removal`);
      this.#update(mergeIntoTable(this.#table, job));
    });
    socket.on("job:removed", ({ id }) => this.#update(mergeIntoTable(this.#table, { id, removed: true })));
    socket.on("connect", () => {
      if (socket.recovered) this.#recoveries += 1;
    });
    // A stopping process disconnects its sockets; a page reconnects at once.
    socket.on("disconnect", (reason) => {
      if (reason === "io server disconnect") socket.connect();
    });
  }

  /** Connects and waits for the first snapshot. */
  static async open(origin: string, cookie: () => string, transports: readonly string[]): Promise<Tab> {
    const socket: TabSocket = io(origin, {
      extraHeaders: { cookie: cookie(), origin },
      transports: [...transports],
      forceNew: true,
      reconnectionDelay: 200,
      reconnectionDelayMax: 1_000,
    });
    // A browser sends its current cookies at every connection.
    socket.io.on("reconnect_attempt", () => {
      socket.io.opts.extraHeaders = { cookie: cookie(), origin };
    });
    const tab = new Tab(socket, () => {
      socket.io.opts.extraHeaders = { cookie: cookie(), origin };
      socket.disconnect().connect();
    });
    await new Promise<void>((resolve) => socket.once("snapshot", () => resolve()));
    return tab;
  }

  /** Number of received snapshots. */
  get snapshots(): number {
    return this.#snapshots;
  }

  /** Number of connections that were recovered: the events that they missed came before their snapshots. */
  get recoveries(): number {
    return this.#recoveries;
  }

  jobs(): Job[] {
    return visibleJobs(this.#table);
  }

  /**
   * Waits until the page shows that the job has ended.
   * @param attempt the end of an earlier attempt does not count
   * @throws Error when it does not within `timeoutMs`
   */
  async untilEnded(id: string, timeoutMs: number, attempt = 1): Promise<Job> {
    return await this.until(id, timeoutMs, (job) => job.attempt >= attempt && !isActive(job.status));
  }

  /**
   * Waits until the page shows a version of the job that matches.
   * @throws Error when it does not within `timeoutMs`
   */
  async until(id: string, timeoutMs: number, matches: (job: Job) => boolean): Promise<Job> {
    const signal = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const job = this.jobs().find((one) => one.id === id);
      if (job && matches(job)) return job;
      await once(this.#changed, "table", { signal }).catch(() => {
        throw new Error(
          `a page did not show the expected state of job ${id} in time: it shows ${job?.status ?? "nothing"} ` +
            `of ${job?.updatedAt ?? "no time"}, is ${this.socket.connected ? "connected" : "not connected"}, ` +
            `and received ${this.#snapshots} snapshots and ${this.#recoveries} recovered connections`,
        );
      });
    }
  }

  close(): void {
    this.socket.disconnect();
  }

  #update(table: JobTable): void {
    this.#table = table;
    this.#changed.emit("table");
  }
}
