/** The calls of the command. Each carries the token, and is repeated while the server cannot be reached. */
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { JobList, User, type CreateConversion } from "../../common/api.ts";
import { ErrorBody } from "../../common/errors.ts";
import { Job } from "../../common/job.ts";
import type { Snapshot } from "../../common/merge.ts";
import type { Account } from "./account-file.ts";
import { CommandError, EXIT } from "./command-error.ts";
import type { Reachability } from "./reachability.ts";

/** A call that is not answered for so long is sent again. */
const ANSWER_MS = 30_000;

interface Call {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call itself. */
  readonly signal?: AbortSignal | undefined;
  /** Ends only the waiting for the next try. */
  readonly retries?: AbortSignal | undefined;
}

export class ServerClient {
  readonly #account: Account;
  readonly #reachability: Reachability;

  constructor(account: Account, reachability: Reachability) {
    this.#account = account;
    this.#reachability = reachability;
  }

  /**
   * Queues a conversion; while the server allows no more, waits for as long as it says.
   * @param signal ends the waiting, but no call: its job could not be canceled
   * @param onWait gets the server's sentence
   * @throws CommandError; AbortError
   */
  async createConversion(input: CreateConversion, signal: AbortSignal, onWait: (sentence: string) => void) {
    const call: Call = {
      method: "POST",
      body: input,
      headers: { "idempotency-key": crypto.randomUUID() },
      retries: signal,
    };
    for (;;) {
      const answer = await this.#send("/api/conversions", call);
      const retryAfterSeconds = Number(answer.headers.get("retry-after"));
      if (answer.status !== 429 || !(retryAfterSeconds > 0)) return await this.#read(answer, Job);
      onWait((await refusalOf(answer)).message);
      await pause(retryAfterSeconds * 1_000, undefined, { signal });
    }
  }

  /** @throws CommandError; AbortError */
  async listJobs(signal: AbortSignal): Promise<Snapshot> {
    const answer = await this.#send("/api/conversions", { signal, retries: signal });
    const asOf = z.iso.datetime().safeParse(answer.headers.get("x-as-of")).data ?? new Date(0).toISOString();
    return { jobs: await this.#read(answer, JobList), asOf };
  }

  /** Cancels a job that is still active. @returns whether it was; @throws CommandError; AbortError */
  async cancel(id: string, signal: AbortSignal): Promise<boolean> {
    const path = `/api/conversions/${encodeURIComponent(id)}?while=active`;
    const answer = await this.#send(path, { method: "DELETE", signal, retries: signal });
    await answer.body?.cancel();
    return answer.ok;
  }

  /** The user of the token. @throws CommandError */
  async user(): Promise<User> {
    return await this.#read(await this.#send("/api/auth/user"), User);
  }

  /**
   * Opens the file of a completed job.
   * @param headers such as Range
   * @throws CommandError; AbortError
   */
  async openFile(id: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const answer = await this.#send(`/api/conversions/${encodeURIComponent(id)}/file`, {
      headers,
      signal,
      retries: signal,
    });
    if (answer.ok || answer.status === 416) return answer;
    throw await refusalOf(answer);
  }

  /** Sends a call until the server answers it. @throws CommandError noServer; AbortError */
  async #send(path: string, call: Call = {}): Promise<Response> {
    for (;;) {
      const answer = await this.#sendOnce(path, call);
      if (answer instanceof Response) {
        this.#reachability.reached();
        return answer;
      }
      await this.#reachability.missed(answer.reason, call.retries);
    }
  }

  async #sendOnce(
    path: string,
    { method = "GET", body, headers, signal }: Call,
  ): Promise<Response | { reason: string }> {
    const slow = new AbortController();
    const timer = setTimeout(() => slow.abort(), ANSWER_MS);
    try {
      const answer = await fetch(this.#account.server + path, {
        method,
        headers: {
          accept: "application/json",
          authorization: `Bearer ${this.#account.token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, slow.signal]) : slow.signal,
      });
      return answer.status < 502 ? answer : await unavailable(answer);
    } catch (error) {
      signal?.throwIfAborted();
      if (slow.signal.aborted) return { reason: "it does not answer" };
      if (error instanceof TypeError) return { reason: reasonOf(error) };
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #read<Shape extends z.ZodType>(answer: Response, shape: Shape): Promise<z.output<Shape>> {
    if (!answer.ok) throw await refusalOf(answer);
    const parsed = shape.safeParse(parseJson(await answer.text()));
    if (parsed.success) return parsed.data;
    throw new CommandError(
      EXIT.noServer,
      `What answers at ${this.#account.server} is not Tapedeck. Check the address.`,
    );
  }
}

/** A proxy without a server behind it, or a server without its database, is as good as no server. */
async function unavailable(answer: Response): Promise<Response | { reason: string }> {
  const text = await answer.text();
  const { data } = ErrorBody.safeParse(parseJson(text));
  if (data && data.code !== "unavailable_now") return new Response(text, answer);
  return { reason: data?.message ?? `status ${answer.status}` };
}

/** Codes of a server that would refuse every other call too. */
const REFUSES_ALL = new Set(["invalid_token", "missing_scope", "access_blocked", "sign_in_required"]);

/** @returns the server's sentence, and how the command ends */
async function refusalOf(answer: Response): Promise<CommandError> {
  const { data } = ErrorBody.safeParse(parseJson(await answer.text()));
  if (!data) return new CommandError(EXIT.failed, `The server has answered with status ${answer.status}. Try again.`);
  return new CommandError(REFUSES_ALL.has(data.code) ? EXIT.noServer : EXIT.failed, data.message, { code: data.code });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `fetch` hides what has happened in the cause. */
function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message;
  // The cause has several errors when a name has several addresses.
  return cause.message || ("code" in cause ? String(cause.code) : message);
}
