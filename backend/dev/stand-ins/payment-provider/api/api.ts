/** The REST API: authenticates a call, finds its operation, and replays the answer for a repeated idempotency key. */
import type { IncomingMessage } from "node:http";
import { API_VERSION, type Account, randomLetters } from "../account.ts";
import { ApiError, invalidRequest } from "../api-error.ts";
import { catchUp } from "../billing/passing-time.ts";
import { expand } from "./expand.ts";
import { parseForm } from "./form.ts";
import { IdempotentAnswers } from "./idempotency.ts";
import { OPERATIONS } from "./operations.ts";

export interface RecordedCall {
  readonly method: string;
  readonly path: string;
  readonly params: unknown;
  readonly idempotencyKey: string | null;
  readonly stripeVersion: string | null;
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
  readonly #idempotent = new IdempotentAnswers();

  constructor(account: Account, origin: () => string) {
    this.#account = account;
    this.#origin = origin;
  }

  answer(request: IncomingMessage, url: URL, form: string): Answer {
    const method = request.method ?? "GET";
    const requestId = `req_${randomLetters(14)}`;
    const key = single(request.headers["idempotency-key"]);
    const headers = {
      "request-id": requestId,
      "stripe-version": API_VERSION,
      "content-type": "application/json",
      ...(key !== null && { "idempotency-key": key }),
    };
    const given = parseForm(method === "POST" ? form : url.search.slice(1));
    this.calls.push({
      method,
      path: url.pathname,
      params: given,
      idempotencyKey: key,
      stripeVersion: single(request.headers["stripe-version"]),
    });
    try {
      authenticate(request);
      const known = method === "POST" && key !== null ? this.#idempotent.find(key, url.pathname, form) : undefined;
      if (known)
        return {
          ...known,
          headers: { ...headers, "original-request": known.headers["request-id"] ?? "", "idempotent-replayed": "true" },
        };
      const answer = { headers, ...this.#perform(method, url.pathname, given, { requestId, idempotencyKey: key }) };
      if (method === "POST" && key !== null) this.#idempotent.store(key, url.pathname, form, answer);
      return answer;
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, headers, body: errorBody(error) };
      throw error;
    }
  }

  /** Returns errors of an operation as answers, which are replayed too. */
  #perform(
    method: string,
    path: string,
    given: Record<string, unknown>,
    cause: NonNullable<Account["cause"]>,
  ): Pick<Answer, "status" | "body"> {
    const account = this.#account;
    const operation = OPERATIONS.find((candidate) => candidate.method === method && candidate.path.test(path));
    if (!operation)
      throw new ApiError(404, {
        type: "invalid_request_error",
        message:
          `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we ` +
          "can help at https://support.stripe.com/.",
      });
    catchUp(account);
    account.cause = cause;
    try {
      const answer = operation.run(
        { account, origin: this.#origin() },
        (operation.path.exec(path) ?? []).slice(1),
        given,
      );
      const paths = Array.isArray(given["expand"]) ? given["expand"].map(String) : [];
      return { status: 200, body: JSON.stringify(expand(account, answer, paths), null, 2) };
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, body: errorBody(error) };
      throw error;
    } finally {
      account.cause = null;
    }
  }
}

function authenticate(request: IncomingMessage): void {
  const [, key = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  if (key === "")
    throw new ApiError(401, {
      type: "invalid_request_error",
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, " +
        "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    });
  if (!/^(?:sk|rk)_test_\w+$/.test(key))
    throw new ApiError(401, {
      type: "invalid_request_error",
      message: `Invalid API Key provided: ${key.slice(0, 8)}${"*".repeat(8)}${key.slice(-4)}`,
    });
  const version = single(request.headers["stripe-version"]);
  if (version !== null && version !== API_VERSION)
    throw invalidRequest(`Invalid Stripe API version: ${version}. The stand-in speaks ${API_VERSION} only.`);
}

function errorBody(error: ApiError): string {
  return JSON.stringify(
    {
      error: {
        ...error.body,
        ...(error.body.code !== undefined && {
          doc_url: `https://stripe.com/docs/error-codes/${error.body.code.replaceAll("_", "-")}`,
        }),
      },
    },
    null,
    2,
  );
}

function single(header: string | string[] | undefined): string | null {
  return header === undefined ? null : String(header);
}
