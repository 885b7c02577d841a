/** Cookie and store of sessions: signed, in the database, rolling. */
import type { Middleware, Request } from "koa";
import type Koa from "koa";
import { createSession } from "koa-session";
import { SESSION_COOKIE } from "../../domain/accounts/session-cookie.ts";
import type { Domain } from "../../domain/domain.ts";
import { endSession, findSession, saveSession } from "../../domain/accounts/sessions.ts";
import type { ViewerState } from "./identify.ts";

/** A session that is used once half of this is over lasts this long again. */
export function sessions(
  app: Koa<ViewerState>,
  domain: Domain,
  options: { sessionMs: number; isSecure: boolean },
): Middleware {
  const { isSecure, sessionMs } = options;
  const withSession = createSession(
    {
      key: SESSION_COOKIE,
      maxAge: sessionMs,
      renew: true,
      signed: true,
      httpOnly: true,
      // Lax, not strict: the way back from the provider's page must bring the cookie along.
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
    // What the public address says counts, not the last leg behind a proxy.
    if (isSecure) ctx.cookies.secure = true;
    await withSession(ctx, next);
  };
}

/** What is kept between two requests of one browser, and the handles on keeping it. */
export interface BrowserSession {
  /** What a sign-in under way has to remember. */
  grant?: unknown;
  userId?: string;
  deviceId?: string;
  /** Milliseconds; set: from now on. */
  maxAge: number;
  /** The same content under a new name; the old name is worth nothing any more. */
  regenerate(): Promise<void>;
}

export function sessionOf(ctx: { request: Request }): BrowserSession {
  const { session } = ctx.request.ctx as { session?: BrowserSession };
  if (!session) throw new Error("the session layer is missing");
  return session;
}

/** Ends the session and takes its cookie back. */
export function dropSession(ctx: { request: Request }): void {
  Object.assign(ctx.request.ctx, { session: null });
}
