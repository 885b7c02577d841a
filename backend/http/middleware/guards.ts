/** Checks that a call must pass before its route. */
import type { Middleware } from "koa";
import type { z } from "zod";
import { UserError } from "../../../common/errors.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { ViewerState } from "./identify.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type OriginCheck = (origin: string, host: string | undefined) => boolean;

/** @returns a check that accepts the public address, and an origin whose host is the host of the request */
export function createOriginCheck(publicUrl: string): OriginCheck {
  const publicOrigin = new URL(publicUrl).origin;
  return (origin, host) =>
    origin === publicOrigin || (URL.canParse(origin) && host !== undefined && new URL(origin).host === host);
}

/**
 * Requires our own origin and JSON for calls that change something. A page of another site cannot send such a call with
 * a visitor's cookie, because browsers ask first (CORS preflight) and get no permission.
 */
export function requireOwnJson(isOwnOrigin: OriginCheck): Middleware<ViewerState> {
  return async (ctx, next) => {
    if (!SAFE_METHODS.has(ctx.method)) {
      const origin = ctx.get("Origin");
      if (origin === "" || !isOwnOrigin(origin, ctx.get("Host"))) throw new UserError("bad_origin");
      if (!/^application\/json\s*(?:;|$)/i.test(ctx.get("Content-Type"))) throw new UserError("bad_request");
    }
    await next();
  };
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
