/** The only place that turns errors into HTTP answers. */
import { randomUUID } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import type { Contacts } from "../../../common/contacts.ts";
import {
  ConversionError,
  SENTENCES,
  STATUSES,
  UserError,
  type ErrorBody,
  type ErrorCode,
  type RequestErrorCode,
} from "../../../common/errors.ts";
import { traceIdOf } from "../../domain/call.ts";
import { isDatabaseAway } from "../../domain/database/database-watch.ts";
import { RateLimitedError } from "../../domain/rate-limited-error.ts";
import { StoreUnavailableError } from "../../storage/file-store.ts";
import type { ViewerState } from "../middleware/identify.ts";
import { isForPage, isPagePath } from "../pages/page.ts";
import { negotiateLanguage } from "../pages/page-language.ts";
import { blockedPage } from "./blocked-page.ts";
import { COME_BACK_HEADERS, comeBackPage, RETRY_AFTER_SECONDS } from "./come-back-page.ts";
import { routeOf, type TraceCalls } from "./trace-calls.ts";

/** The call is valid, but its link is refused. */
const LINK_REFUSED = 422;

/**
 * What an answer says about a file before the file turns out to be gone: a download manager would save the error under
 * the name of the file.
 */
const ABOUT_FILE = [
  "Content-Disposition",
  "Content-Length",
  "Content-Range",
  "Content-Type",
  "Accept-Ranges",
  "ETag",
  "Last-Modified",
];

/** @returns the HTTP status of a code */
export function statusOf(code: ErrorCode): number {
  if (code === "internal") return 500;
  return code in STATUSES ? STATUSES[code as RequestErrorCode] : LINK_REFUSED;
}

/** An error with a sentence for visitors. */
type KnownError = UserError | ConversionError;

export interface ErrorSettings {
  readonly log: Logger;
  readonly traceCalls: TraceCalls;
  /** For the page that blocked visitors see; absent where no pages are served. */
  readonly contacts?: Contacts;
}

/**
 * Gives each request an id and a trace, and answers errors with an `ErrorBody`. Errors that are not known are logged, as
 * a 500.
 */
export function renderErrors({ log, traceCalls, contacts }: ErrorSettings): Middleware<ViewerState> {
  return async (ctx, next) => {
    const requestId = randomUUID();
    const traced = traceCalls({ id: requestId, method: ctx.method, path: ctx.path });
    const { traceparent } = traced;
    ctx.state.call = { id: requestId, traceparent };
    const logFields = { requestId, traceId: traceIdOf({ traceparent }), path: ctx.path };
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined && ctx.path.startsWith("/api/"))
        throw new UserError("not_found", "There is nothing at this address.");
    } catch (error) {
      const known = asKnownError(error);
      if (!known) log.error({ error, ...logFields, method: ctx.method }, "a call failed");
      else if (known.cause !== undefined && statusOf(known.code) >= 500)
        log.warn({ error: known.cause, ...logFields }, known.message);
      answer(ctx, known, requestId, contacts);
    } finally {
      traced.end({ route: routeOf(ctx), status: ctx.status });
    }
  };
}

function answer(ctx: Context, known: KnownError | null, requestId: string, contacts?: Contacts): void {
  const body: ErrorBody = known
    ? { code: known.code, message: known.message, reason: known.reason }
    : { code: "internal", message: SENTENCES.internal, requestId };
  const isUnavailable = body.code === "unavailable_now";
  if (known instanceof RateLimitedError) ctx.set("Retry-After", String(known.retryAfterSeconds));
  if (isUnavailable) ctx.set("Retry-After", String(RETRY_AFTER_SECONDS));
  for (const name of ABOUT_FILE) ctx.remove(name);
  ctx.status = statusOf(body.code);
  ctx.body = body;
  const isPageNavigation = isPagePath(ctx.path) && isForPage(ctx) && ctx.accepts("json", "html") === "html";
  if (!isPageNavigation) return;
  if (body.code === "access_blocked" && contacts) {
    ctx.type = "html";
    ctx.set("Cache-Control", "no-store");
    ctx.body = blockedPage(negotiateLanguage(ctx), contacts.supportEmail);
  }
  if (!isUnavailable) return;
  ctx.set(COME_BACK_HEADERS);
  ctx.body = comeBackPage("away", negotiateLanguage(ctx));
}

function asKnownError(error: unknown): KnownError | null {
  // The file store cannot be reached at the moment; the cause is logged.
  if (error instanceof StoreUnavailableError)
    return Object.assign(new UserError("unavailable_now", error.message), { cause: error });
  if (error instanceof UserError || error instanceof ConversionError) return error;
  return fromClientError(error) ?? (isDatabaseAway(error) ? new UserError("unavailable_now") : null);
}

/** Koa and its middleware throw errors with a 4xx status for requests that they cannot read. */
function fromClientError(error: unknown): UserError | null {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  if (status === 413) return new UserError("payload_too_large");
  if (typeof status === "number" && status >= 400 && status < 500) return new UserError("bad_request");
  return null;
}
