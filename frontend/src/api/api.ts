/**
 * The calls of the client. Every answer passes through the shapes both sides share, so the rest of
 * the client never meets data it does not know.
 */
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

/** An answer that is not a success. `message` is the status, a colon and the body, or the status text. */
export class ApiError extends Error {
  readonly status: number;
  /** What the server says went wrong; absent when it did not answer in its own words. */
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

/** The sentence a toast shows: of what the server said, or the fallback. */
export function sentenceFor(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.body && sentenceOf(error.body)) || fallback;
}

/** Whether a call ended because its own caller gave it up. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** A request's own name: whoever sends it twice under one has asked once. */
export function newRequestKey(): string {
  // Not `randomUUID`, which only sites with a certificate have.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Between the tries of a POST that nobody answered. */
const WAITS_MS = [300, 900, 2_700] as const;

/** Settles when the time is over or the signal fires, whichever is first. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

interface Call {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Of a POST: absent, it gets one of its own. */
  readonly key?: string | undefined;
  /** Whoever calls tries again by itself. */
  readonly isSingle?: boolean;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly etag?: string | null;
}

/** Jobs as a poll found them; the time is absent if the server did not tell it. */
export interface PolledList {
  readonly jobs: Snapshot["jobs"];
  readonly asOf: string | null;
}

const Done = z.object({ success: z.literal(true) });
const Jobs = z.object({ jobs: z.array(Job) });

export type Api = ReturnType<typeof createApi>;

/**
 * @param baseUrl prefix of every path; empty in the browser, where paths are relative to the page.
 * Every call throws {@link ApiError} for an answer that is no success, TypeError when there is no
 * answer, ZodError when the answer has an unknown shape, and AbortError when its signal fires.
 */
export function createApi(baseUrl = "") {
  /** A POST that nobody answered is sent again under the same key, which makes nothing twice. */
  async function send(path: string, call: Call = {}): Promise<Response> {
    if (call.method !== "POST") return sendOnce(path, call);
    const named = { ...call, key: call.key ?? newRequestKey() };
    for (const waitMs of named.isSingle ? [] : WAITS_MS) {
      try {
        return await sendOnce(path, named);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        await pause(waitMs, call.signal);
      }
    }
    return sendOnce(path, named);
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
    /** What a link leads to; `thumbnail: false` spares the picture. */
    preview: (input: { youtubeUrl: string; thumbnail: boolean }, signal: AbortSignal) =>
      call("/api/preview", Preview, { method: "POST", body: input, signal }),
    /**
     * What changes jobs is called once; trying again is up to whoever calls. @param key names the request, see {@link
     * newRequestKey}
     */
    createConversion: (input: { youtubeUrl: string; format: Format }, signal?: AbortSignal, key?: string) =>
      call("/api/conversions", Job, { method: "POST", body: input, signal, key, isSingle: true }),
    createBatch: (input: Omit<CreateBatch, "quality">, signal?: AbortSignal, key?: string) =>
      call("/api/batch-conversions", BatchAnswer, { method: "POST", body: input, signal, key, isSingle: true }),
    /** Cancels what is still active of a batch, and answers with it. */
    cancelBatch: async (id: string, signal?: AbortSignal) =>
      (await call(batchPath(id), Jobs, { method: "DELETE", signal })).jobs,
    /** Starts over what has failed or was canceled of a batch, and answers with it. */
    retryBatch: async (id: string, signal?: AbortSignal, key?: string) =>
      (await call(`${batchPath(id)}/retry`, Jobs, { method: "POST", body: {}, signal, key, isSingle: true })).jobs,

    /** Who is signed in; null when nobody is. */
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
    /** The secret of the one incomplete subscription a person has, of this plan from now on. */
    createSubscription: (plan: Plan) =>
      call("/api/create-subscription", SubscriptionSecret, { method: "POST", body: { plan } }),
    openBillingPortal: () => call("/api/billing-portal", BillingPortal, { method: "POST", body: {} }),
    getConversion: (id: string, signal?: AbortSignal) => call(jobPath(id), Job, { signal }),
    retryConversion: (id: string, signal?: AbortSignal, key?: string) =>
      call(`${jobPath(id)}/retry`, Job, { method: "POST", body: {}, signal, key, isSingle: true }),

    /** Refused with 409 when the job has ended in the meantime: its file is not taken away by a late click. */
    cancelConversion: (id: string, signal?: AbortSignal) =>
      call(`${jobPath(id)}?while=active`, Job, { method: "DELETE", signal }),
    /** A job that is still at work is stopped first. */
    async removeConversion(id: string, signal?: AbortSignal): Promise<void> {
      const answer = await send(jobPath(id), { method: "DELETE", signal });
      if (answer.status !== 204) await send(jobPath(id), { method: "DELETE", signal });
    },

    /** Polls that answer null while nothing has changed since their own last answer. */
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
