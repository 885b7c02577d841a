/** Signing in and out, and what users may do with their account. */
import { Readable } from "node:stream";
import type { Middleware } from "koa";
import Router from "koa-router";
import type { Logger } from "pino";
import { DeleteAccount, type SignInError } from "../../../common/account-calls.ts";
import { UserError } from "../../../common/errors.ts";
import { getCurrentUser } from "../../domain/accounts/current-user.ts";
import { deleteAccount } from "../../domain/accounts/delete-account.ts";
import { exportAccount } from "../../domain/accounts/export-account.ts";
import type { DeviceCookies } from "../../domain/accounts/device-cookie.ts";
import { endAllSessions, endSession } from "../../domain/accounts/sessions.ts";
import { adoptDevice, signIn } from "../../domain/accounts/sign-in.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import type { Domain } from "../../domain/domain.ts";
import { json, signedIn, type OriginCheck } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import { requireFreshSignIn } from "../middleware/fresh-sign-in.ts";
import type { Limit } from "../middleware/limit.ts";
import { limitSignIn } from "../middleware/limit-sign-in.ts";
import { isOwnNavigation, wantsPage } from "../middleware/own-navigation.ts";
import { dropSession, sessionOf, type BrowserSession } from "../middleware/session.ts";
import { CALLBACK_PATH, type CodeFlow } from "../sign-in/code-flow.ts";
import { SignInFailure } from "../sign-in/failure.ts";

/** Lifetime of the session of a sign-in that is not finished yet. */
const PENDING_MS = 10 * 60 * 1_000;

/** For what cannot be undone. */
const FRESH_MS = 10 * 60 * 1_000;

export interface AccountRouteSettings {
  readonly billing: Billing;
  /** Null if no identity provider is set up. */
  readonly flow: CodeFlow | null;
  readonly cookies: DeviceCookies;
  readonly limit: Limit;
  readonly isOwnOrigin: OriginCheck;
  readonly sessionMs: number;
  readonly publicUrl: string;
  readonly log: Logger;
}

export function accountRoutes(domain: Domain, settings: AccountRouteSettings): Router<ViewerState> {
  const router = new Router<ViewerState>();
  addSignInRoutes(router, domain, settings);
  addSignOutRoutes(router, domain, settings);
  addAccountRoutes(router, domain, settings);
  return router;
}

function addSignInRoutes(
  router: Router<ViewerState>,
  domain: Domain,
  { flow, cookies, limit, isOwnOrigin, sessionMs, publicUrl, log }: AccountRouteSettings,
): void {
  // A page of another site may not begin a sign-in, nor use up the limit; the sign-in page has a button for it.
  const onlyOwn: Middleware<ViewerState> = async (ctx, next) => {
    if (isOwnNavigation(ctx, isOwnOrigin)) await next();
    else ctx.redirect("/login");
  };
  router.get("/api/login", onlyOwn, limitSignIn(limit), redirectFailures(log), async (ctx) => {
    if (!flow) throw new SignInFailure("unavailable", "sign-in is not set up");
    const isFresh = ctx.query["fresh"] !== undefined;
    // The provider sends browsers back to the public address, so the session cookie must be set there. `here` prevents
    // a loop behind a proxy that changes the host.
    if (ctx.host !== new URL(publicUrl).host && ctx.query["here"] === undefined)
      return ctx.redirect(new URL(`/api/login?here${isFresh ? "&fresh" : ""}`, publicUrl).href);
    await flow.begin(ctx, isFresh);
    const session = sessionOf(ctx);
    session.isFreshSignIn = isFresh;
    if (session.userId === undefined) session.maxAge = PENDING_MS;
  });

  router.get(CALLBACK_PATH, redirectFailures(log), async (ctx) => {
    if (!flow) throw new SignInFailure("unavailable", "sign-in is not set up");
    const { identity, authenticatedAtMs } = await flow.complete(ctx);
    // New ids of device and session: somebody may know or have planted those from before the sign-in (session fixation).
    const { deviceId, setCookie } = cookies.issue();
    const device = { from: ctx.state.viewer.deviceId, to: deviceId };
    const user = await signIn(domain, device, identity);
    ctx.append("Set-Cookie", setCookie);
    const session = sessionOf(ctx);
    rememberSignIn(session, authenticatedAtMs);
    session.userId = user._id;
    session.deviceId = deviceId;
    session.maxAge = sessionMs;
    await session.regenerate();
    log.info({ userId: user._id }, "a user signed in");
    // After the browser has its cookie, its other tabs reconnect as the user. Until then they may have added jobs.
    ctx.res.once("finish", () => {
      domain.bus.publish("device:changed", { deviceId: device.from });
      adoptDevice(domain, device, user._id).catch((error: unknown) => log.error({ error }, "jobs were not adopted"));
    });
    ctx.redirect("/");
  });
}

function addSignOutRoutes(
  router: Router<ViewerState>,
  domain: Domain,
  { isOwnOrigin, log }: Pick<AccountRouteSettings, "isOwnOrigin" | "log">,
): void {
  const signOut: Middleware<ViewerState> = async (ctx) => {
    const { sessionId, userId } = ctx.state.viewer;
    dropSession(ctx);
    if (sessionId !== undefined) await endSession(domain, sessionId);
    if (userId !== null) log.info({ userId }, "a user signed out");
    // A navigation gets a page, a call gets JSON.
    if (wantsPage(ctx)) ctx.redirect("/?logged_out=true");
    else ctx.body = { success: true };
  };
  router.get("/api/logout", async (ctx, next) => {
    if (isOwnNavigation(ctx, isOwnOrigin)) return signOut(ctx, next);
    if (!wantsPage(ctx)) throw new UserError("bad_origin");
    // A link on another site signs nobody out; our page has one that does.
    ctx.redirect("/");
  });
  router.post("/api/logout", signOut);

  router.post("/api/logout-everywhere", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await endAllSessions(domain, userId);
    dropSession(ctx);
    log.info({ userId }, "a user signed out everywhere");
    ctx.body = { success: true };
  });
}

function addAccountRoutes(
  router: Router<ViewerState>,
  domain: Domain,
  { billing, limit, log }: AccountRouteSettings,
): void {
  router.get("/api/auth/user", async (ctx) => {
    ctx.body = await getCurrentUser(domain, billing, ctx.state.viewer);
  });

  router.get("/api/account/export", limit("account"));
  router.get("/api/account/export", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.attachment("tapedeck-account.json");
    ctx.set("Cache-Control", "private, no-store");
    ctx.type = "json";
    // Koa destroys the stream when the browser closes the connection.
    ctx.body = Readable.from(exportAccount(domain, userId));
  });

  router.delete("/api/account", limit("account"));
  router.delete("/api/account", json(DeleteAccount), async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    requireFreshSignIn(sessionOf(ctx), FRESH_MS);
    await deleteAccount(domain, userId);
    dropSession(ctx);
    log.info({ userId }, "an account was deleted by its user");
    ctx.body = { success: true };
  });
}

/** @param authenticatedAtMs when the provider asked the user; undefined: it does not say */
function rememberSignIn(session: BrowserSession, authenticatedAtMs: number | undefined): void {
  // A provider that does not state the time was told to ask the user, which is all that can be done with it.
  const askedAtMs = authenticatedAtMs ?? (session.isFreshSignIn === true ? Date.now() : undefined);
  delete session.isFreshSignIn;
  if (askedAtMs === undefined) delete session.authenticatedAtMs;
  else session.authenticatedAtMs = askedAtMs;
}

/** Redirects a failed sign-in to the sign-in page with an error code. */
function redirectFailures(log: Logger): Middleware<ViewerState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      log.warn({ error, code: error.code }, `a sign-in failed: ${error.message}`);
      ctx.redirect(`/login?error=${error.code satisfies SignInError}`);
    }
  };
}
