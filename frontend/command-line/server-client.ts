/** The calls of the command. Each carries the token, and is repeated while the server cannot be reached. */
import { z } from "zod";
import { JobList, User, type CreateConversion } from "../../common/api.ts";
import { Job } from "../../common/job.ts";
import type { Snapshot } from "../../common/merge.ts";
import { pause } from "../../common/waiting.ts";
import {
  conversionPath,
  readAnswer,
  Refusal,
  refusalOf,
  send,
  type Account,
  type Call,
} from "../api-client/api-call.ts";
import { CommandError, EXIT } from "./command-error.ts";
import type { Reachability } from "./reachability.ts";

interface RepeatedCall extends Call {
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
    const call: RepeatedCall = {
      method: "POST",
      body: input,
      headers: { "idempotency-key": crypto.randomUUID() },
      retries: signal,
    };
    for (;;) {
      const answer = await this.#send("/api/conversions", call);
      if (answer.ok) return await this.#read(answer, Job);
      const refusal = await refusalOf(answer);
      if (refusal.retryAfterSeconds === undefined) throw commandErrorOf(refusal);
      onWait(refusal.message);
      await pause(refusal.retryAfterSeconds * 1_000, signal);
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
    const path = `${conversionPath(id)}?while=active`;
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
    const answer = await this.#send(`${conversionPath(id)}/file`, { headers, signal, retries: signal });
    if (answer.ok || answer.status === 416) return answer;
    throw commandErrorOf(await refusalOf(answer));
  }

  /** Sends a call until the server answers it. @throws CommandError noServer; AbortError */
  async #send(path: string, call: RepeatedCall = {}): Promise<Response> {
    for (;;) {
      const answer = await send(this.#account, path, call);
      if (answer instanceof Response) {
        this.#reachability.reached();
        return answer;
      }
      await this.#reachability.missed(answer.reason, call.retries);
    }
  }

  async #read<Shape extends z.ZodType>(answer: Response, shape: Shape): Promise<z.output<Shape>> {
    try {
      return await readAnswer(answer, shape, this.#account.server);
    } catch (error) {
      throw error instanceof Refusal ? commandErrorOf(error) : error;
    }
  }
}

/** @returns the server's sentence, and how the command ends */
function commandErrorOf({ message, code, refusesAll }: Refusal): CommandError {
  return new CommandError(refusesAll ? EXIT.noServer : EXIT.failed, message, code === undefined ? {} : { code });
}
