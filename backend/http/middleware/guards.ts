/** Checks that a call must pass before its route. */
import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import type { z } from "zod";
import { UserError } from "../../../common/errors.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { ViewerState } from "./identify.ts";
import { JSON_TYPE } from "./read-json.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type OriginCheck = (origin: string, host: string | undefined) => boolean;

/**
 * @returns a check that accepts the public address, and an origin whose host is the host of the request. A page that came
 *   by http is not our own where the public address is https: anybody on its way may have written it
 */
export function createOriginCheck(publicUrl: string): OriginCheck {
  const site = new URL(publicUrl);
  return (origin, host) => {
    if (origin === site.origin) return true;
    if (!URL.canParse(origin) || host === undefined) return false;
    const page = new URL(origin);
    const isUnprotected = site.protocol === "https:" && page.protocol === "http:" && page.hostname === site.hostname;
    return page.host === host && !isUnprotected;
  };
}

/** Whether a call changes nothing, or comes from one of our own pages. */
export function isSafeOrOwn(ctx: Context, isOwnOrigin: OriginCheck): boolean {
  if (SAFE_METHODS.has(ctx.method)) return true;
  const origin = ctx.get("Origin");
  return origin !== "" && isOwnOrigin(origin, ctx.get("Host"));
}

/**
 * Requires our own origin and JSON for calls that change something. A page of another site cannot send such a call with
 * a visitor's cookie, because browsers ask first (CORS preflight) and get no permission. No browser adds a token by
 * itself, so calls with one need no origin.
 */
export function requireOwnJson(isOwnOrigin: OriginCheck): Middleware<ViewerState> {
  return async (ctx, next) => {
    if (ctx.state.viewer.token) {
      if (hasBody(ctx.req) && !JSON_TYPE.test(ctx.get("Content-Type"))) throw new UserError("bad_request");
    } else if (!SAFE_METHODS.has(ctx.method)) {
      if (!isSafeOrOwn(ctx, isOwnOrigin)) throw new UserError("bad_origin");
      if (!JSON_TYPE.test(ctx.get("Content-Type"))) throw new UserError("bad_request");
    }
    await next();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Validates the body and puts it on `ctx.state.input`.
 * @throws UserError bad_request
 */
export function json<T>(schema: z.ZodType<T>): Middleware<ViewerState & { input: T }> {
  return async (ctx, next) => {
    const parsed = schema.safeParse(ctx.request.body);
    if (!parsed.success) throw new UserError("bad_request");
    ctx.state.input = parsed.data;
    await next();
  };
}

/**
 * @returns the id of the signed-in user
 * @throws UserError sign_in_required
 */
export function signedIn(viewer: Viewer): { userId: string } {
  if (viewer.userId === null) throw new UserError("sign_in_required");
  return { userId: viewer.userId };
}
