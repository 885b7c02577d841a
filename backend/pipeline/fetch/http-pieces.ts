/** Single requests for media, with what a line that breaks asks for: going on where it broke. */
import { setTimeout as wait } from "node:timers/promises";
import { ProxyAgent, fetch, type Dispatcher, type Response } from "undici";
import { ConversionError } from "../../../common/errors.ts";
import { classifyFetchFailure } from "../classify.ts";
import type { GuardSession } from "../egress-guard.ts";

/** Connections of one conversion to one host at a time; more is rude and gains little. */
export const CONNECTIONS_PER_HOST = 4;
/** A connection that breaks this often without a byte in between is given up. */
const MAX_TRIES = 3;
const RETRY_PAUSE_MS = 200;

/** Requests through a conversion's guard. */
export class MediaClient implements AsyncDisposable {
  readonly #session: GuardSession;
  readonly #agent: Dispatcher;

  constructor(session: GuardSession) {
    this.#session = session;
    this.#agent = new ProxyAgent({ uri: session.proxyUrl, proxyTunnel: true, connections: CONNECTIONS_PER_HOST });
  }

  async get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    try {
      const response = await fetch(url, { dispatcher: this.#agent, headers: { ...headers, "accept-encoding": "identity" }, signal });
      if (response.ok || response.status === 416) return response;
      await response.body?.cancel();
      throw this.#classify(`HTTP Error ${response.status}: ${response.statusText}`);
    } catch (error) {
      throw this.asFailure(error, signal);
    }
  }

  /** Whatever broke a request or its body, as an error to throw. */
  asFailure(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (error instanceof ConversionError) return error;
    const cause = error instanceof Error && error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : String(error);
    return this.#session.refusals.length > 0 ? this.#classify(cause) : new ConversionError("network", { detail: cause, cause: error });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  #classify(stderrTail: string): ConversionError {
    return classifyFetchFailure({ stderrTail, refusals: this.#session.refusals });
  }
}

/**
 * Runs `attempt` until it succeeds; after a break of the line it is called again. An attempt returns how many
 * bytes it has got by way of the thrown error's being "network" and the counter it was handed.
 * Throws what the last attempt threw, and `signal.reason` when aborted.
 */
export async function persist<T>(attempt: (made: (bytes: number) => void) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let fruitless = 1; ; fruitless += 1) {
    let gained = 0;
    try {
      // oxlint-disable-next-line no-await-in-loop -- the next attempt begins where this one broke
      return await attempt((bytes) => {
        gained += bytes;
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConversionError) || error.code !== "network") throw error;
      if (gained > 0) fruitless = 1;
      if (fruitless >= MAX_TRIES) throw error;
      // oxlint-disable-next-line no-await-in-loop
      await wait(RETRY_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}
