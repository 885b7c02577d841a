/**
 * How a call of the API is declared: once, beside its route. Router, scopes of tokens, limits of bodies, parameters, OpenAPI
 * document, fuzz and conformance read the declaration.
 */
import type { z } from "zod";
import { ConversionErrorCode, type ErrorCode } from "../../../common/errors.ts";
import type { TokenScope } from "../../../common/token-calls.ts";

export interface Content<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  /** Of the schema in the OpenAPI document. Those that are parts of others are named in `schemas.ts` instead. */
  readonly name?: string;
  readonly example: unknown;
  /** More examples, by what they show. */
  readonly moreExamples?: Readonly<Record<string, unknown>>;
}

export interface Answer extends Partial<Content> {
  readonly description: string;
  /** Of an answer that is no JSON: the types that it may have. */
  readonly mediaTypes?: readonly string[];
  /** What headers of the answer say, by their names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Other kinds of calls are routes too, such as `/metrics`, but they are not of the API. */
type Route = `${"GET" | "POST" | "DELETE"} /api/${string}`;

export interface Call<Input = unknown> {
  readonly route: Route;
  readonly group:
    | "Conversions"
    | "Links and lists"
    | "Batches"
    | "Follows"
    | "This site"
    | "Account"
    | "Payment"
    | "Contact"
    | "Operator";
  readonly summary: string;
  readonly description?: string;
  /** The body. Calls are judged by this. */
  readonly request?: Content<Input>;
  /** The largest body, where it may be larger than that of other calls. */
  readonly maxBodyBytes?: number;
  /** The query parameters. Calls are judged by this, and routes see no others. */
  readonly query?: z.ZodObject;
  /** Headers that change the answer, by their names in lower case. Calls are judged by this. */
  readonly headers?: z.ZodObject;
  /** Only an account may call it. */
  readonly isForAccounts?: true;
  /** The scope that a token needs; "any": all tokens may call it. Without it, none may. */
  readonly tokens?: TokenScope | "any";
  /** May be sent again with the same `Idempotency-Key`. */
  readonly isRepeatable?: true;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Codes beside those of every call; see {@link errorsOf}. */
  readonly errors?: readonly ErrorCode[];
  /** Why the fuzz and Schemathesis do not make this call. */
  readonly untried?: string;
}

/** A link may be refused for any of these before its conversion begins. */
export const LINK_ERRORS: readonly ErrorCode[] = [
  "invalid_link",
  "unsupported_host",
  "playlist",
  "private",
  "live",
  "blocked",
];
export const READ_ERRORS: readonly ErrorCode[] = [...ConversionErrorCode.options, "rate_limited"];
export const QUEUE_ERRORS: readonly ErrorCode[] = [
  "rate_limited",
  "network_busy",
  "queue_full",
  "conflict",
  "pro_required",
];

const EVERY_CALL: readonly ErrorCode[] = [
  "access_blocked",
  "invalid_token",
  "missing_scope",
  "pro_required",
  "internal",
  "unavailable_now",
];
const CALLS_THAT_CHANGE: readonly ErrorCode[] = ["bad_request", "bad_origin", "payload_too_large"];

/** @returns all codes that the call may answer with, each once */
export function errorsOf({ route, errors = [], isForAccounts }: Call): ErrorCode[] {
  const isChange = !route.startsWith("GET ");
  return [
    ...new Set<ErrorCode>([
      ...errors,
      ...(isForAccounts ? (["sign_in_required"] as const) : []),
      ...(isChange ? CALLS_THAT_CHANGE : []),
      ...EVERY_CALL,
    ]),
  ];
}

/** @returns such as ["POST", "/api/conversions/:id/retry"] */
export function addressOf({ route }: Pick<Call, "route">): readonly [method: string, path: string] {
  const [method = "", path = ""] = route.split(" ");
  return [method, path];
}
