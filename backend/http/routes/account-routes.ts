/** Signing in and out, and what users may do with their account. */
import type { Middleware } from "koa";
import Router from "koa-router";
import type { Logger } from "pino";
import { DeleteAccount, type SignInError } from "../../../common/api.ts";
import { getCurrentUser } from "../../domain/accounts/current-user.ts";
import { deleteAccount } from "../../domain/accounts/delete-account.ts";
import { exportAccount } from "../../domain/accounts/export-account.ts";
import { endAllSessions, endSession } from "../../domain/accounts/sessions.ts";
import { signIn } from "../../domain/accounts/sign-in.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import type { Domain } from "../../domain/domain.ts";
import { json, signedIn } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { limitSignIn } from "../middleware/limit-sign-in.ts";
import { dropSession, sessionOf } from "../middleware/session.ts";
import { CALLBACK_PATH, type CodeFlow } from "../sign-in/code-flow.ts";
import { SignInFailure } from "../sign-in/failure.ts";

/** Lifetime of the session of a sign-in that is not finished yet. */
const PENDING_MS = 10 * 60 * 1_000;

export interface AccountRouteSettings {
  readonly billing: Billing;
  /** Null if no identity provider is set up. */
  readonly flow: CodeFlow | null;
  readonly limit: Limit;
  readonly sessionMs: number;
  readonly publicUrl: string;
  readonly log: Logger;
}

export function accountRoutes(domain: Domain, settings: AccountRouteSettings): Router<ViewerState> {
  const router = new Router<ViewerState>();
  addSignInRoutes(router, domain, settings);
  addSignOutRoutes(router, domain);
  addAccountRoutes(router, domain, settings.billing);
  return router;
}

function addSignInRoutes(
  router: Router<ViewerState>,
  domain: Domain,
  { flow, limit, sessionMs, publicUrl, log }: AccountRouteSettings,
): void {
  router.get("/api/login", limitSignIn(limit), redirectFailures(log), async (ctx) => {
    if (!flow) throw new SignInFailure("unavailable", "sign-in is not set up");
    // The provider sends browsers back to the public address, so the session cookie must be set there. `here` prevents
    // a loop behind a proxy that changes the host.
    if (ctx.host !== new URL(publicUrl).host && ctx.query["here"] === undefined)
      return ctx.redirect(new URL("/api/login?here", publicUrl).href);
    const session = sessionOf(ctx);
    if (session.userId === undefined) session.maxAge = PENDING_MS;
    await flow.begin(ctx);
  });

  router.get(CALLBACK_PATH, redirectFailures(log), async (ctx) => {
    if (!flow) throw new SignInFailure("unavailable", "sign-in is not set up");
    const identity = await flow.complete(ctx);
    const { deviceId } = ctx.state.viewer;
    const user = await signIn(domain, deviceId, identity);
    const session = sessionOf(ctx);
    delete session.grant;
    session.userId = user._id;
    session.deviceId = deviceId;
    session.maxAge = sessionMs;
    // A new session id: an id from before the sign-in must not give access to the signed-in session (session fixation).
    await session.regenerate();
    // After the browser has its cookie, its other tabs reconnect as the user.
    ctx.res.once("finish", () => domain.bus.publish("device:changed", { deviceId }));
    ctx.redirect("/");
  });
}

function addSignOutRoutes(router: Router<ViewerState>, domain: Domain): void {
  router.get("/api/logout", async (ctx) => {
    const { sessionId } = ctx.state.viewer;
    dropSession(ctx);
    if (sessionId !== undefined) await endSession(domain, sessionId);
    // A navigation gets a page, a call gets JSON.
    if (/\btext\/html\b/.test(ctx.get("Accept"))) ctx.redirect("/?logged_out=true");
    else ctx.body = { success: true };
  });

  router.post("/api/logout-everywhere", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await endAllSessions(domain, userId);
    dropSession(ctx);
    ctx.body = { success: true };
  });
}

function addAccountRoutes(router: Router<ViewerState>, domain: Domain, billing: Billing): void {
  router.get("/api/auth/user", async (ctx) => {
    ctx.body = await getCurrentUser(domain, billing, ctx.state.viewer);
  });

  router.get("/api/account/export", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.attachment("tapedeck-account.json");
    ctx.set("Cache-Control", "private, no-store");
    ctx.type = "json";
    ctx.body = JSON.stringify(await exportAccount(domain, userId), null, 2);
  });

  router.delete("/api/account", json(DeleteAccount), async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await deleteAccount(domain, userId);
    dropSession(ctx);
    ctx.body = { success: true };
  });
}

/** Redirects a failed sign-in to the sign-in page with an error code. */
function redirectFailures(log: Logger): Middleware<ViewerState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      log.warn({ error, code: error.code }, `a sign-in failed: ${error.message}`);
      delete sessionOf(ctx).grant;
      ctx.redirect(`/login?error=${error.code satisfies SignInError}`);
    }
  };
}
