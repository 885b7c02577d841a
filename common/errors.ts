/**
 * Error codes of requests and conversions, and the sentence that users read for each.
 * The codes are part of the wire format; the sentences tell users what to do next.
 */
import { z } from "zod";

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
  "site_blocked",
  "site_changed",
  "busy",
  "network",
  "timeout",
  "storage",
  "internal",
]);
export type ConversionErrorCode = z.infer<typeof ConversionErrorCode>;

/** Why a request was rejected; a request about a link may also be rejected with a {@link ConversionErrorCode}. */
export const RequestErrorCode = z.enum([
  "bad_request",
  "bad_origin",
  "sign_in_required",
  "pro_required",
  "not_found",
  "conflict",
  "payload_too_large",
  "rate_limited",
  "unavailable_now",
  "payment_unconfigured",
  "already_subscribed",
  "payment_provider",
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
  /** Identifies the request in the server's log; present for errors of the server itself. */
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Default sentence for each code; an error may carry a more exact one. */
export const SENTENCES: Readonly<Record<ErrorCode, string>> = {
  invalid_link: "Please enter a valid YouTube URL",
  unsupported_host: "This link leads to a place Tapedeck does not open. Try a link from a supported site.",
  unavailable: "There is no video at this link any more. Check the link and try again.",
  private: "This video is private. Ask its owner to make it public, then retry.",
  members_only: "This video is for paying members of its channel only, so it cannot be converted.",
  login_required: "This video can only be seen after signing in at its site, so it cannot be converted.",
  geo_blocked: "This video is not available in the country our server is in.",
  live: "This is a live stream. Come back when it has ended.",
  playlist: "This link is a list of videos. Open one of them and paste its own link.",
  too_long: "This video is longer than your plan allows.",
  too_large: "This video does not fit the file size your plan allows.",
  site_blocked: "The video site is refusing us at the moment. Retry in a few minutes.",
  site_changed: "The video site has changed, and we have to catch up with it. We know of it: retry in a few hours.",
  busy: "The video site asks us to wait. Retry in a while.",
  network: "The connection to the video site broke. Retry in a moment.",
  timeout: "The video site stopped sending. Retry in a moment.",
  storage: "There is no room to store the file at the moment. Retry in a few minutes.",
  internal: "Something went wrong on our side. Retry, and contact us if it happens again.",
  bad_request: "The request could not be read. Reload the page and try again.",
  bad_origin: "The request did not come from this site. Reload the page and try again.",
  sign_in_required: "Please sign in first.",
  pro_required: "This needs Pro.",
  not_found: "That conversion does not exist any more.",
  conflict: "The conversion has changed in the meantime. Reload the page to see how it stands.",
  payload_too_large: "The request is too large.",
  rate_limited: "Too many requests. Wait a moment and try again.",
  payment_unconfigured: "Payment system configuration error",
  already_subscribed: "You are already on Pro. Card, invoices and cancelling are behind Manage billing.",
  payment_provider: "The payment provider does not answer at the moment. Nothing was charged; try again in a minute.",
  unavailable_now: "The service cannot answer at the moment. Try again in a few seconds.",
};

/** The message of an "internal" failure whose worker died in several attempts. */
export const STOPPED_TOO_OFTEN =
  "Our server stopped three times while it worked on this video. Contact us if you need it.";

/** Temporary failures: the job is retried with back-off before it fails. */
const TRANSIENT: ReadonlySet<ConversionErrorCode> = new Set(["network", "timeout", "site_blocked", "site_changed"]);

/** Failure of a conversion, thrown by link policy and pipeline and stored with the job. */
export class ConversionError extends Error {
  readonly code: ConversionErrorCode;
  /** Output of the tool, for the log only; users never see it. */
  readonly detail: string | undefined;
  /** Whether another attempt may succeed. */
  readonly isTransient: boolean;

  constructor(
    code: ConversionErrorCode,
    options: { message?: string; detail?: string; cause?: unknown; isTransient?: boolean } = {},
  ) {
    super(options.message ?? SENTENCES[code], { cause: options.cause });
    this.name = "ConversionError";
    this.code = code;
    this.detail = options.detail;
    this.isTransient = options.isTransient ?? TRANSIENT.has(code);
  }
}

/** A rejected request: thrown by domain functions and routes, turned into a response by the one error renderer. */
export class UserError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string = SENTENCES[code]) {
    super(message);
    this.name = "UserError";
    this.code = code;
  }
}
