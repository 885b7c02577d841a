/** The REST API: authenticates a call, finds its operation, and replays the answer for a repeated idempotency key. */
import type { IncomingMessage } from "node:http";
import { Stripe } from "stripe";
import { type Account, randomLetters } from "../account.ts";
import { ApiError, invalidRequest } from "../api-error.ts";
import { catchUp } from "../billing/passing-time.ts";
import { expand } from "./expand.ts";
import { parseForm } from "./form.ts";
import { OPERATIONS } from "./operations.ts";
import { read } from "./reading.ts";

export interface RecordedCall {
  readonly method: string;
  readonly path: string;
  readonly params: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export class Api {
  readonly calls: RecordedCall[] = [];
  readonly #account: Account;
  readonly #origin: () => string;
  /** Answers by idempotency key, each with the call that it is for. */
  readonly #answered = new Map<string, { readonly call: string; readonly answer: Answer }>();

  constructor(account: Account, origin: () => string) {
    this.#account = account;
    this.#origin = origin;
  }

  answer(request: IncomingMessage, url: URL, form: string): Answer {
    const { method = "GET" } = request;
    const given = parseForm(method === "POST" ? form : url.search.slice(1));
    this.calls.push({ method, path: url.pathname, params: given });
    try {
      authenticate(request);
      const key = request.headers["idempotency-key"];
      if (method !== "POST" || key === undefined) return this.#perform(method, url.pathname, given);
      const call = `${url.pathname} ${form}`;
      const known = this.#answered.get(String(key));
      if (known && known.call !== call)
        throw new ApiError(400, {
          type: "idempotency_error",
          message: "Keys for idempotent requests can only be used with the same parameters they were first used with.",
        });
      const answer = known?.answer ?? this.#perform(method, url.pathname, given);
      // Nothing was done with invalid parameters.
      if (answer.status !== 400) this.#answered.set(String(key), { call, answer });
      return answer;
    } catch (error) {
      if (error instanceof ApiError) return answerOf(error.status, { error: error.body });
      throw error;
    }
  }

  /** Returns errors of an operation as answers, which are replayed too. */
  #perform(method: string, path: string, given: Record<string, unknown>): Answer {
    const account = this.#account;
    catchUp(account);
    try {
      const operation = OPERATIONS.find((candidate) => candidate.method === method && candidate.path.test(path));
      const context = { account, origin: this.#origin(), id: operation?.path.exec(path)?.[1] ?? "" };
      const answer = operation
        ? operation.run(context, given)
        : method === "GET"
          ? read(account, path, given)
          : undefined;
      if (!answer) throw invalidRequest(`Unrecognized request URL (${method}: ${path}).`, {}, 404);
      return answerOf(200, expand(account, answer, [given["expand"] ?? []].flat().map(String)));
    } catch (error) {
      if (error instanceof ApiError) return answerOf(error.status, { error: error.body });
      throw error;
    }
  }
}

function authenticate({ headers }: IncomingMessage): void {
  if (!/^Bearer sk_test_\w+$/.test(headers.authorization ?? ""))
    throw invalidRequest("Invalid API Key provided.", {}, 401);
  const version = headers["stripe-version"];
  if (version !== undefined && version !== Stripe.API_VERSION)
    throw invalidRequest(`Invalid Stripe API version. The stand-in has ${Stripe.API_VERSION} only.`);
}

function answerOf(status: number, body: object): Answer {
  const headers = { "request-id": `req_${randomLetters(14)}`, "content-type": "application/json" };
  return { status, headers, body: JSON.stringify(body) };
}
