/** A visitor of a long run: one cookie, several open pages, and calls that are retried as our page retries them. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { DeviceInfo, JobList } from "../../../common/api.ts";
import { Job } from "../../../common/job.ts";
import type { Format } from "../../../common/tiers.ts";
import { LiveView } from "./live-view.ts";
import { openDevice, type TestDevice } from "./test-device.ts";

const RETRY_MS = 100;
/** Tries of a call, unless given. */
const MAX_TRIES = 50;
const CALL_TIMEOUT_MS = 20_000;
/** Answers after which our page tries again: the process is stopping or cannot be reached. */
const RETRYABLE = new Set([502, 503, 504]);
/** How long a task is repeated. */
const PERSIST_MS = 5 * 60 * 1_000;
const PERSIST_PAUSE_MS = 500;

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
  readonly headers?: Record<string, string>;
  /** Statuses of errors that are answers like others. */
  readonly accepted?: readonly number[];
}

/**
 * Repeats a task until it succeeds.
 * @throws the last error of the task, after five minutes
 */
export async function persist<T>(task: () => Promise<T>): Promise<T> {
  const deadlineMs = Date.now() + PERSIST_MS;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await delay(PERSIST_PAUSE_MS);
    }
  }
}

/** @param maxTries a call fails after this many tries */
export async function createVisitor(origin: string, count: CallCount, maxTries = MAX_TRIES): Promise<Visitor> {
  const visitor = new Visitor(await persist(() => openDevice(origin)), count, maxTries);
  await visitor.readDeviceId();
  return visitor;
}

export class Visitor {
  /** Ids of the jobs that its calls created. */
  readonly jobIds = new Set<string>();
  readonly tabs: LiveView[] = [];
  readonly device: TestDevice;
  readonly #count: CallCount;
  readonly #maxTries: number;
  #deviceId = "";

  constructor(device: TestDevice, count: CallCount, maxTries: number) {
    this.device = device;
    this.#count = count;
    this.#maxTries = maxTries;
  }

  get deviceId(): string {
    return this.#deviceId;
  }

  async readDeviceId(): Promise<void> {
    const answer = await this.call("GET", "/api/device-info");
    this.#deviceId = DeviceInfo.parse(await answer.json()).deviceId;
  }

  async convert(youtubeUrl: string, format: Format): Promise<Job> {
    const headers = { "idempotency-key": randomUUID() };
    const answer = await this.call("POST", "/api/conversions", { body: { youtubeUrl, format }, headers });
    const job = Job.parse(await answer.json());
    this.jobIds.add(job.id);
    return job;
  }

  async list(): Promise<Job[]> {
    return JobList.parse(await (await this.call("GET", "/api/conversions")).json());
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

  async openTab(transports: readonly ("websocket" | "polling")[] = ["websocket"]): Promise<LiveView> {
    const { device } = this;
    const tab = await LiveView.connect(device.origin, () => device.cookie, { transports, isPatient: true });
    this.tabs.push(tab);
    return tab;
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
      const answer = await this.#tryCall(method, path, options);
      if (typeof answer !== "string" && !RETRYABLE.has(answer.status)) {
        if (answer.ok || options.accepted?.includes(answer.status)) return answer;
        return await this.#fail(method, path, `${answer.status}: ${await answer.text()}`);
      }
      reason = typeof answer === "string" ? answer : `${answer.status}: ${await answer.text()}`;
      this.#count.retried += 1;
    }
    return await this.#fail(method, path, reason);
  }

  /** @returns the answer, or how the connection broke, as in a browser's fetch */
  async #tryCall(method: string, path: string, { body, headers }: CallOptions): Promise<Response | string> {
    try {
      return await this.device.call(method, path, body, headers, AbortSignal.timeout(CALL_TIMEOUT_MS));
    } catch (error) {
      if (!(error instanceof Error)) return String(error);
      return `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
    }
  }

  #fail(method: string, path: string, reason: string): Promise<never> {
    this.#count.failed.push(`${method} ${path} ${reason}`);
    return Promise.reject(new Error(`${method} ${path}: ${reason}`));
  }
}
