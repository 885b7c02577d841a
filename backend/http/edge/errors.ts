/** The one place where an error becomes an answer. */
import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";
import type { Logger } from "pino";
import { ConversionError, SENTENCES, UserError, type ErrorBody, type ErrorCode } from "../../../common/errors.ts";
import { isDatabaseAway } from "../../domain/database/database-watch.ts";
import { RateLimitedError } from "../../domain/rate-limited-error.ts";
import { StoreUnavailableError } from "../../storage/file-store.ts";
import { COME_BACK_HEADERS, comeBackPage, RETRY_AFTER_SECONDS } from "./come-back-page.ts";
import { isForPage, isPagePath } from "../pages/page.ts";
import type { ViewerState } from "../middleware/identify.ts";

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  bad_request: 400,
  sign_in_required: 401,
  pro_required: 402,
  bad_origin: 403,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  rate_limited: 429,
  internal: 500,
  unavailable_now: 503,
  payment_unconfigured: 503,
  already_subscribed: 409,
  payment_provider: 502,
};
/** Whatever is wrong with a link: understood, and refused. */
const LINK_REFUSED = 422;

export function renderErrors(log: Logger): Middleware<ViewerState> {
  return async (ctx, next) => {
    ctx.state.requestId = randomUUID();
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined && ctx.path.startsWith("/api/"))
        throw new UserError("not_found", "There is nothing at this address.");
    } catch (error) {
      const known =
        fromStore(error) ??
        (error instanceof UserError || error instanceof ConversionError
          ? error
          : (fromKoa(error) ?? fromDatabase(error)));
      if (!known)
        log.error({ error, requestId: ctx.state.requestId, method: ctx.method, path: ctx.path }, "a call failed");
      // Nobody's request was wrong: something behind us is.
      else if (known.cause !== undefined && (STATUS[known.code] ?? 0) >= 500)
        log.warn({ error: known.cause, requestId: ctx.state.requestId, path: ctx.path }, known.message);
      const body: ErrorBody = known
        ? { code: known.code, message: known.message }
        : { code: "internal", message: SENTENCES.internal, requestId: ctx.state.requestId };
      if (known instanceof RateLimitedError) ctx.set("Retry-After", String(known.retryAfterSeconds));
      if (body.code === "unavailable_now") ctx.set("Retry-After", String(RETRY_AFTER_SECONDS));
      ctx.status = STATUS[body.code] ?? LINK_REFUSED;
      ctx.body = body;
      if (
        body.code !== "unavailable_now" ||
        !isPagePath(ctx.path) ||
        !isForPage(ctx) ||
        ctx.accepts("json", "html") !== "html"
      )
        return;
      ctx.set(COME_BACK_HEADERS);
      ctx.body = comeBackPage("Tapedeck cannot answer at the moment.");
    }
  };
}

/** What Koa and its body parser throw for a body that cannot be read: an error with a 4xx status. */
function fromKoa(error: unknown): UserError | null {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  if (status === 413) return new UserError("payload_too_large");
  if (typeof status === "number" && status >= 400 && status < 500) return new UserError("bad_request");
  return null;
}

/** Its files are away for a moment; the cause is logged above. */
function fromStore(error: unknown): UserError | null {
  return error instanceof StoreUnavailableError
    ? Object.assign(new UserError("unavailable_now", error.message), { cause: error })
    : null;
}

/** A database that does not answer is away for a moment: the caller may come back, and nothing here is at fault. */
function fromDatabase(error: unknown): UserError | null {
  return isDatabaseAway(error) ? new UserError("unavailable_now") : null;
}
