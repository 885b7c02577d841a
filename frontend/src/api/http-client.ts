import type { z } from "zod";
import { pause } from "../../../common/waiting.ts";
import { ApiError } from "./errors.ts";

/** Creates an idempotency key: the server counts requests with the same key once. */
export function newRequestKey(): string {
  // `crypto.randomUUID` exists only on HTTPS pages.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Delays between the tries of a POST without a response. */
const RETRY_DELAYS_MS = [300, 900, 2_700] as const;

export interface Call {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Idempotency key of a POST; by default a new one. */
  readonly key?: string | undefined;
  /** Turns retries off, for callers that retry by themselves. */
  readonly isSentOnce?: boolean;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly etag?: string | null;
  /** Lets the request finish when the page is left meanwhile. */
  readonly keepalive?: boolean;
}

/** Sends JSON requests to the server. */
export class HttpClient {
  private readonly baseUrl: string;

  /** @param baseUrl prefix of every path; empty in the browser, where paths are relative to the page */
  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /**
   * Sends a request and parses the response.
   * @throws ApiError for an error response, TypeError without a response, ZodError for a response of another shape,
   * AbortError when the signal aborts
   */
  async call<Shape extends z.ZodType>(path: string, shape: Shape, options?: Call): Promise<z.output<Shape>> {
    return shape.parse(await (await this.send(path, options)).json());
  }

  /**
   * Sends a request; retries a POST without a response under the same idempotency key.
   * @throws ApiError, TypeError and AbortError as {@link call} does
   */
  async send(path: string, call: Call = {}): Promise<Response> {
    if (call.method !== "POST") return this.sendOnce(path, call);
    const keyedCall = { ...call, key: call.key ?? newRequestKey() };
    for (const delayMs of keyedCall.isSentOnce ? [] : RETRY_DELAYS_MS) {
      try {
        return await this.sendOnce(path, keyedCall);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        await pause(delayMs, call.signal);
      }
    }
    return this.sendOnce(path, keyedCall);
  }

  private async sendOnce(
    path: string,
    { method = "GET", body, signal, etag, key, keepalive = false }: Call,
  ): Promise<Response> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (method !== "GET") headers["content-type"] = "application/json";
    if (etag) headers["if-none-match"] = etag;
    if (key !== undefined) headers["idempotency-key"] = key;
    const response = await fetch(this.baseUrl + path, {
      method,
      headers,
      credentials: "include",
      keepalive,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    if (!response.ok && response.status !== 304)
      throw new ApiError(response.status, response.statusText, await response.text());
    return response;
  }
}
