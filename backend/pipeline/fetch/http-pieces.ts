/** Single requests for media, with what a line that breaks asks for: going on where it broke. */
import { STATUS_CODES } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Agent, errors, interceptors, type Dispatcher } from "undici";
import { ConversionError } from "../../../common/errors.ts";
import { classifyFetchFailure, describeFetchError } from "../errors/classify.ts";
import type { GuardSession } from "../guard/egress-guard.ts";
import type { Turns } from "./host-turns.ts";

/** Connections of one conversion to one host at a time; more is rude and gains little. */
export const CONNECTIONS_PER_HOST = 4;
const MAX_REDIRECTS = 10;
/** A connection that breaks this often without a byte in between is given up. */
const MAX_TRIES = 3;
const RETRY_PAUSE_MS = 200;

/** An answer to a request for media. Disposing of it ends it, read or not. */
export interface MediaAnswer extends Disposable {
  readonly status: number;
  /** After redirects. */
  readonly url: string;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Buffer>;
}

/** Requests past a conversion's guard, in turn with those of other conversions to the same host. */
export class MediaClient implements AsyncDisposable {
  readonly #session: GuardSession;
  readonly #turns: Turns | undefined;
  readonly #agent: Agent;
  readonly #dispatcher: Dispatcher;

  constructor(session: GuardSession, turns?: Turns) {
    this.#session = session;
    this.#turns = turns;
    this.#agent = new Agent({ connect: session.connect, connections: CONNECTIONS_PER_HOST });
    this.#dispatcher = this.#agent.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS }));
  }

  async get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<MediaAnswer> {
    const { origin, pathname, search } = new URL(url);
    using given = new DisposableStack();
    const turn = await this.#turns?.take(origin, this.#session, signal);
    if (turn) given.use(turn);
    try {
      const answer = await this.#dispatcher.request({
        origin,
        path: pathname + search,
        method: "GET",
        headers: { ...headers, "accept-encoding": "identity" },
        signal,
      });
      const { statusCode: status, body } = answer;
      given.defer(() => body.destroy());
      // What breaks is told to whoever reads; a body that nobody reads any more may break unheard.
      body.on("error", () => undefined);
      if ((status < 200 || status >= 300) && status !== 416) throw this.#classify(`HTTP Error ${status}: ${STATUS_CODES[status] ?? ""}`);
      const kept = given.move();
      return {
        status,
        url: lastOf((answer.context as { history?: readonly URL[] } | null)?.history) ?? url,
        header: (name) => lastOf([answer.headers[name] ?? []].flat()),
        body,
        [Symbol.dispose]: () => kept.dispose(),
      };
    } catch (error) {
      throw this.asFailure(error, signal);
    }
  }

  /** Whatever broke a request or its body, as an error to throw. */
  asFailure(error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (error instanceof ConversionError) return error;
    const cause = describeFetchError(error);
    // Thrown by the redirect interceptor too, for a redirect that leads back to an address it came from.
    const isClear = this.#session.refusals.length > 0 || error instanceof errors.InvalidArgumentError;
    return isClear ? this.#classify(cause) : new ConversionError("network", { detail: cause, cause: error });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  #classify(stderrTail: string): ConversionError {
    return classifyFetchFailure({ stderrTail, refusals: this.#session.refusals });
  }
}

function lastOf(values: readonly { toString(): string }[] | undefined): string | undefined {
  return values?.at(-1)?.toString();
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
