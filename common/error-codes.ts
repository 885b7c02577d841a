/** Error codes of requests and conversions, a part of the wire format, and what helps after them. */
import { z } from "zod";
import { WireReason } from "./reasons.ts";

/** Why a conversion failed. */
export const ConversionErrorCode = z.enum([
  "invalid_link",
  "unsupported_host",
  "unavailable",
  "private",
  "members_only",
  "login_required",
  "geo_blocked",
  "live",
  "playlist",
  "too_long",
  "too_large",
  "part_outside",
  "no_subtitles",
  "no_chapters",
  "site_blocked",
  "site_changed",
  "busy",
  "network",
  "timeout",
  "storage",
  "blocked",
  "internal",
]);
export type ConversionErrorCode = z.infer<typeof ConversionErrorCode>;

/** Why a request was rejected; a request about a link may also be rejected with a {@link ConversionErrorCode}. */
export const RequestErrorCode = z.enum([
  "bad_request",
  "bad_origin",
  "sign_in_required",
  "fresh_sign_in_required",
  "invalid_token",
  "missing_scope",
  "pro_required",
  "not_found",
  "conflict",
  "payload_too_large",
  "rate_limited",
  "network_busy",
  "queue_full",
  "unavailable_now",
  "access_blocked",
  "payment_unconfigured",
  "already_subscribed",
  "payment_provider",
  "message_not_sent",
]);
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

export const REMEDIES: Readonly<Record<ConversionErrorCode, Remedy>> = {
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
};
