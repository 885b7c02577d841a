/** Signing in and out, and what people may do with their account. */
import type { Context } from "koa";
import Router from "koa-router";
import type { Logger } from "pino";
import { DeleteAccount, type SignInError } from "../../../common/api.ts";
import { deleteAccount } from "../../domain/accounts/delete-account.ts";
import { exportAccount } from "../../domain/accounts/export-account.ts";
import { signIn } from "../../domain/accounts/sign-in.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import { getCurrentUser } from "../../domain/accounts/current-user.ts";
import type { Domain } from "../../domain/domain.ts";
import { endAllSessions, endSession } from "../../domain/accounts/sessions.ts";
import { json, signedIn } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { limitSignIn } from "../middleware/limit-sign-in.ts";
import { dropSession, sessionOf } from "../middleware/session.ts";
import { CALLBACK_PATH, type CodeFlow } from "../sign-in/code-flow.ts";
import { SignInFailure } from "../sign-in/failure.ts";

/** A sign-in not finished within this time is begun anew. */
const PENDING_MS = 10 * 60 * 1_000;

export interface AccountRouteSettings {
  readonly billing: Billing;
  /** Null: nobody can sign in here. */
  readonly flow: CodeFlow | null;
  readonly limit: Limit;
  readonly sessionMs: number;
  readonly publicUrl: string;
  readonly log: Logger;
}

export function accountRoutes(
  domain: Domain,
  { billing, flow, limit, sessionMs, publicUrl, log }: AccountRouteSettings,
): Router<ViewerState> {
  const router = new Router<ViewerState>();

  router.get("/api/login", limitSignIn(limit), async (ctx) => {
    await orExplain(ctx, async () => {
      if (!flow) throw new SignInFailure("unavailable", "sign-in is not set up");
      // The provider brings people back to the public address, so that is where the cookie must be.
      // Once only: behind a proxy the host may never look the same.
      if (ctx.host !== new URL(publicUrl).host && ctx.query["here"] === undefined)
        return ctx.redirect(new URL("/api/login?here", publicUrl).href);
      const session = sessionOf(ctx);
      if (session.userId === undefined) session.maxAge = PENDING_MS;
      await flow.begin(ctx);
    });
  });

  router.get(CALLBACK_PATH, async (ctx) => {
    await orExplain(ctx, async () => {
      if (!flow) throw new SignInFailure("unavailable", "sign-in is not set up");
      const identity = await flow.complete(ctx);
      const { deviceId } = ctx.state.viewer;
      const user = await signIn(domain, deviceId, identity);
      const session = sessionOf(ctx);
      delete session.grant;
      session.userId = user._id;
      session.deviceId = deviceId;
      session.maxAge = sessionMs;
      // A new name for the session: one that was known before signing in is worth nothing after.
      await session.regenerate();
      // Once the browser has its cookie, its other tabs come back as the user.
      ctx.res.once("finish", () => domain.bus.publish("device:changed", { deviceId }));
      ctx.redirect("/");
    });
  });

  router.get("/api/logout", async (ctx) => {
    const { sessionId } = ctx.state.viewer;
    dropSession(ctx);
    if (sessionId !== undefined) await endSession(domain, sessionId);
    // A page that is navigated to wants a page; a call wants an answer.
    if (/\btext\/html\b/.test(ctx.get("Accept"))) ctx.redirect("/?logged_out=true");
    else ctx.body = { success: true };
  });

  router.post("/api/logout-everywhere", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await endAllSessions(domain, userId);
    dropSession(ctx);
    ctx.body = { success: true };
  });

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

  return router;

  /** Whatever goes wrong on the way in ends at the sign-in page with a sentence, and without a session. */
  async function orExplain(ctx: Context, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      log.warn({ error, code: error.code }, `a sign-in failed: ${error.message}`);
      const session = sessionOf(ctx);
      delete session.grant;
      ctx.redirect(`/login?error=${error.code satisfies SignInError}`);
    }
  }
}
