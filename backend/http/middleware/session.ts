/** Sessions: a signed cookie that is renewed with use, and the data in the database. */
import type { Middleware, Request } from "koa";
import type Koa from "koa";
import { createSession } from "koa-session";
import { cookieNames } from "../../domain/accounts/cookie-names.ts";
import type { Domain } from "../../domain/domain.ts";
import { endSession, findSession, saveSession } from "../../domain/accounts/sessions.ts";
import type { ViewerState } from "./identify.ts";

/**
 * @param options.sessionMs lifetime of a session; used in its second half, it is renewed for the whole time
 * @param options.isSecure whether the cookie is sent over https only
 */
export function sessions(
  app: Koa<ViewerState>,
  domain: Domain,
  options: { sessionMs: number; isSecure: boolean },
): Middleware {
  const { isSecure, sessionMs } = options;
  const withSession = createSession(
    {
      key: cookieNames(isSecure).session,
      maxAge: sessionMs,
      renew: true,
      signed: true,
      httpOnly: true,
      // Not strict: the redirect back from the provider's page must send the cookie.
      sameSite: "lax",
      secure: isSecure,
      store: {
        get: async (id: string) => (await findSession(domain, id))?.data ?? null,
        set: async (id: string, data: Record<string, unknown>, lifetimeMs: number) => {
          await saveSession(domain, id, data, new Date(Date.now() + lifetimeMs));
        },
        destroy: (id: string) => endSession(domain, id),
      },
    },
    app,
  );
  return async (ctx, next) => {
    // The public address is https, even if the proxy connects by http.
    if (isSecure) ctx.cookies.secure = true;
    await withSession(ctx, next);
  };
}

/** The session of a browser, as `koa-session` gives it. */
export interface BrowserSession {
  /** The state of a sign-in that is not finished yet. */
  grant?: unknown;
  /** The sign-in that is not finished yet was begun to prove who the user is. */
  isFreshSignIn?: boolean;
  /** When the user was last asked at the identity provider (Unix time), as far as that is known. */
  authenticatedAtMs?: number;
  userId?: string;
  deviceId?: string;
  /** Lifetime in milliseconds; a new value counts from now. */
  maxAge: number;
  /** Keeps the content under a new id; the old id becomes invalid. */
  regenerate(): Promise<void>;
}

/** @throws Error if the session middleware is missing */
export function sessionOf(ctx: { request: Request }): BrowserSession {
  const { session } = ctx.request.ctx as { session?: BrowserSession };
  if (!session) throw new Error("the session middleware is missing");
  return session;
}

/** Deletes the session and its cookie. */
export function dropSession(ctx: { request: Request }): void {
  Object.assign(ctx.request.ctx, { session: null });
}
