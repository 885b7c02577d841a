/** The client's API calls. Every response is parsed with the schemas that server and client share. */
import { z } from "zod";
import {
  BatchAnswer,
  BillingPortal,
  DeviceInfo,
  JobList,
  Preview,
  PublicConfig,
  SubscriptionSecret,
  Usage,
  User,
} from "../../../common/api.ts";
import type { CreateBatch, DeleteAccount, Plan } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import type { ErrorCode } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import type { Snapshot } from "../../../common/merge.ts";
import type { Format } from "../../../common/tiers.ts";
import { sentenceOf } from "../texts/store.ts";

/** An error response. `message` is the status, a colon and the body, or the status text without a body. */
export class ApiError extends Error {
  readonly status: number;
  /** Parsed error body; absent when the response is not from the server itself, for instance from a proxy. */
  readonly body: ErrorBody | undefined;

  constructor(status: number, statusText: string, bodyText: string) {
    super(`${status}: ${bodyText || statusText}`);
    this.name = "ApiError";
    this.status = status;
    this.body = parseErrorBody(bodyText);
  }

  get code(): ErrorCode | undefined {
    return this.body?.code;
  }
}

function parseErrorBody(bodyText: string): ErrorBody | undefined {
  try {
    return ErrorBody.safeParse(JSON.parse(bodyText)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @returns the sentence for the server's error body, or the fallback without one */
export function sentenceFor(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.body && sentenceOf(error.body)) || fallback;
}

/** Whether a call was aborted by its caller. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** @returns a new idempotency key; the server counts requests with the same key once */
export function newRequestKey(): string {
  // `crypto.randomUUID` exists only on HTTPS pages.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Delays between the tries of a POST without a response. */
const RETRY_DELAYS_MS = [300, 900, 2_700] as const;

/** Resolves after the time, or when the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

interface Call {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Idempotency key of a POST; by default a new one. */
  readonly key?: string | undefined;
  /** Turns retries off, for callers that retry by themselves. */
  readonly isSingle?: boolean;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly etag?: string | null;
}

/** Response of a poll for jobs; the time is null if the server did not send it. */
export interface PolledList {
  readonly jobs: Snapshot["jobs"];
  readonly asOf: string | null;
}

const Done = z.object({ success: z.literal(true) });
const Jobs = z.object({ jobs: z.array(Job) });

export type Api = ReturnType<typeof createApi>;

/**
 * @param baseUrl prefix of every path; empty in the browser, where paths are relative to the page
 * @returns the calls; each throws {@link ApiError} for an error response, TypeError when there is no response, ZodError
 * for a response of unknown shape, and AbortError when its signal aborts
 */
export function createApi(baseUrl = "") {
  /** Retries a POST without a response under the same idempotency key. */
  async function send(path: string, call: Call = {}): Promise<Response> {
    if (call.method !== "POST") return sendOnce(path, call);
    const keyedCall = { ...call, key: call.key ?? newRequestKey() };
    for (const delayMs of keyedCall.isSingle ? [] : RETRY_DELAYS_MS) {
      try {
        return await sendOnce(path, keyedCall);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        await pause(delayMs, call.signal);
      }
    }
    return sendOnce(path, keyedCall);
  }

  async function sendOnce(path: string, call: Call): Promise<Response> {
    const { method = "GET", body, signal, etag, key } = call;
    const headers: Record<string, string> = { accept: "application/json" };
    if (method !== "GET") headers["content-type"] = "application/json";
    if (etag) headers["if-none-match"] = etag;
    if (key !== undefined) headers["idempotency-key"] = key;
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      credentials: "include",
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    if (!response.ok && response.status !== 304)
      throw new ApiError(response.status, response.statusText, await response.text());
    return response;
  }

  async function call<Shape extends z.ZodType>(path: string, shape: Shape, options?: Call): Promise<z.output<Shape>> {
    return shape.parse(await (await send(path, options)).json());
  }

  const batchPath = (id: string) => `/api/batch-conversions/${encodeURIComponent(id)}`;
  const jobPath = (id: string) => `/api/conversions/${encodeURIComponent(id)}`;

  return {
    getConfig: (signal?: AbortSignal) => call("/api/config", PublicConfig, { signal }),
    /** Preview of a link; `thumbnail: false` leaves out the picture. */
    preview: (input: { youtubeUrl: string; thumbnail: boolean }, signal: AbortSignal) =>
      call("/api/preview", Preview, { method: "POST", body: input, signal }),
    // Calls that change jobs have no retries here: the outbox retries them, with the key of {@link newRequestKey}.
    createConversion: (input: { youtubeUrl: string; format: Format }, signal?: AbortSignal, key?: string) =>
      call("/api/conversions", Job, { method: "POST", body: input, signal, key, isSingle: true }),
    createBatch: (input: Omit<CreateBatch, "quality">, signal?: AbortSignal, key?: string) =>
      call("/api/batch-conversions", BatchAnswer, { method: "POST", body: input, signal, key, isSingle: true }),
    /** Cancels the active jobs of a batch. @returns the canceled jobs */
    cancelBatch: async (id: string, signal?: AbortSignal) =>
      (await call(batchPath(id), Jobs, { method: "DELETE", signal })).jobs,
    /** Retries the failed and canceled jobs of a batch. @returns the retried jobs */
    retryBatch: async (id: string, signal?: AbortSignal, key?: string) =>
      (await call(`${batchPath(id)}/retry`, Jobs, { method: "POST", body: {}, signal, key, isSingle: true })).jobs,

    /** @returns the signed-in user, or null */
    async getUser(signal?: AbortSignal): Promise<User | null> {
      try {
        return await call("/api/auth/user", User, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
    getUsage: (signal?: AbortSignal) => call("/api/usage", Usage, { signal }),
    signOut: () => call("/api/logout", Done),
    signOutEverywhere: () => call("/api/logout-everywhere", Done, { method: "POST", body: {} }),
    deleteAccount: (input: DeleteAccount) => call("/api/account", Done, { method: "DELETE", body: input }),
    /** Creates the user's incomplete subscription, or changes its plan. @returns its secret */
    createSubscription: (plan: Plan) =>
      call("/api/create-subscription", SubscriptionSecret, { method: "POST", body: { plan } }),
    openBillingPortal: () => call("/api/billing-portal", BillingPortal, { method: "POST", body: {} }),
    getConversion: (id: string, signal?: AbortSignal) => call(jobPath(id), Job, { signal }),
    retryConversion: (id: string, signal?: AbortSignal, key?: string) =>
      call(`${jobPath(id)}/retry`, Job, { method: "POST", body: {}, signal, key, isSingle: true }),

    /** Rejected with 409 when the job has ended, so that a late click does not remove its file. */
    cancelConversion: (id: string, signal?: AbortSignal) =>
      call(`${jobPath(id)}?while=active`, Job, { method: "DELETE", signal }),
    /** Removes a job. The first DELETE only cancels an active job; then a second one removes it. */
    async removeConversion(id: string, signal?: AbortSignal): Promise<void> {
      const answer = await send(jobPath(id), { method: "DELETE", signal });
      if (answer.status !== 204) await send(jobPath(id), { method: "DELETE", signal });
    },

    /** @returns polls that give null while nothing has changed since their own last response */
    conditionalPolls() {
      let listTag: string | null = null;
      let deviceTag: string | null = null;
      return {
        async list(signal?: AbortSignal): Promise<PolledList | null> {
          const response = await send("/api/conversions", { signal, etag: listTag });
          if (response.status === 304) return null;
          const jobs = JobList.parse(await response.json());
          listTag = response.headers.get("etag");
          return { jobs, asOf: z.iso.datetime().safeParse(response.headers.get("x-as-of")).data ?? null };
        },
        async deviceInfo(signal?: AbortSignal): Promise<DeviceInfo | null> {
          const response = await send("/api/device-info", { signal, etag: deviceTag });
          if (response.status === 304) return null;
          const info = DeviceInfo.parse(await response.json());
          deviceTag = response.headers.get("etag");
          return info;
        },
      };
    },
  };
}
