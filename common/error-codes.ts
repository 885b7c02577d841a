/** Error codes of requests and conversions, a part of the wire format, and what helps after them. */
import { z } from "zod";
import { WireReason } from "./reasons.ts";

/** What can help after a conversion has failed. */
export type Remedy =
  /** Temporary: the server itself tries again, with back-off, before the job fails. Then as with "retry". */
  | "again"
  /** The same request may succeed in a moment. */
  | "retry"
  /** The same request may succeed when the stream has ended. */
  | "wait"
  /** A higher plan or a smaller format. */
  | "higher_limit"
  /** Another link, or other choices for the video. */
  | "other_link";

/** Why a conversion failed, and what can help. */
export const REMEDIES = {
  invalid_link: "other_link",
  unsupported_host: "other_link",
  unavailable: "other_link",
  private: "other_link",
  members_only: "other_link",
  login_required: "other_link",
  geo_blocked: "other_link",
  live: "wait",
  playlist: "other_link",
  too_long: "higher_limit",
  too_large: "higher_limit",
  part_outside: "other_link",
  no_subtitles: "other_link",
  no_chapters: "other_link",
  site_blocked: "again",
  site_changed: "again",
  busy: "retry",
  network: "again",
  timeout: "again",
  storage: "retry",
  blocked: "other_link",
  internal: "retry",
} as const satisfies Readonly<Record<string, Remedy>>;

/**
 * Why a request was rejected, and the HTTP status. A request about a link may also be rejected with a
 * {@link ConversionErrorCode}, which is a 422, or a 500 for "internal".
 */
export const STATUSES = {
  bad_request: 400,
  bad_origin: 403,
  sign_in_required: 401,
  fresh_sign_in_required: 403,
  invalid_token: 401,
  missing_scope: 403,
  pro_required: 402,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  rate_limited: 429,
  network_busy: 429,
  queue_full: 503,
  unavailable_now: 503,
  access_blocked: 403,
  payment_unconfigured: 503,
  already_subscribed: 409,
  payment_provider: 502,
  message_not_sent: 503,
} as const satisfies Readonly<Record<string, number>>;

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] =>
  Object.keys(table) as Name[];

export const ConversionErrorCode = z.enum(namesOf(REMEDIES));
export type ConversionErrorCode = z.infer<typeof ConversionErrorCode>;

export const RequestErrorCode = z.enum(namesOf(STATUSES));
export type RequestErrorCode = z.infer<typeof RequestErrorCode>;

export const ErrorCode = z.union([ConversionErrorCode, RequestErrorCode]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/**
 * Codes as they arrive on the wire. A page of the previous build stays open while the server is upgraded; it reads a
 * code that it does not know as "internal" and shows the message that came with the code.
 */
export const WireConversionErrorCode = z
  .string()
  .transform((code): ConversionErrorCode => ConversionErrorCode.safeParse(code).data ?? "internal");
export const WireErrorCode = z.string().transform((code): ErrorCode => ErrorCode.safeParse(code).data ?? "internal");

/** Body of every error response. */
export const ErrorBody = z.object({
  code: WireErrorCode,
  message: z.string(),
  reason: WireReason,
  /** Identifies the request in the server's log; present for errors of the server itself. */
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
