/** What a call must be before a route sees it. */
import type { Middleware } from "koa";
import type { z } from "zod";
import { UserError } from "../../../common/errors.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { ViewerState } from "./identify.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type OriginCheck = (origin: string, host: string | undefined) => boolean;

/** Our own page is at the public address, or wherever the very host that was asked says it is. */
export function createOriginCheck(publicUrl: string): OriginCheck {
  const publicOrigin = new URL(publicUrl).origin;
  return (origin, host) =>
    origin === publicOrigin || (URL.canParse(origin) && host !== undefined && new URL(origin).host === host);
}

/**
 * Calls that change something come from our own page and carry JSON: a page elsewhere can send
 * neither with a visitor's cookie, short of asking first.
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

/** Parses the body; what comes out is on `ctx.state.input`. @throws UserError bad_request */
export function json<T>(schema: z.ZodType<T>): Middleware<ViewerState & { input: T }> {
  return async (ctx, next) => {
    const parsed = schema.safeParse(ctx.request.body);
    if (!parsed.success) throw new UserError("bad_request");
    ctx.state.input = parsed.data;
    await next();
  };
}

/** @throws UserError sign_in_required */
export function signedIn(viewer: Viewer): { userId: string } {
  if (viewer.userId === null) throw new UserError("sign_in_required");
  return { userId: viewer.userId };
}
