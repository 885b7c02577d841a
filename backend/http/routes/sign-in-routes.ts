/** Signing in by the identity provider, and out. */
import type { Middleware } from "koa";
import type { Logger } from "pino";
import type { SignInError } from "../../../common/account-calls.ts";
import { UserError } from "../../../common/errors.ts";
import type { DeviceCookies } from "../../domain/accounts/device-cookie.ts";
import { endAllSessions, endSession } from "../../domain/accounts/sessions.ts";
import { adoptDevice, signIn } from "../../domain/accounts/sign-in.ts";
import { revokeAllTokens } from "../../domain/accounts/tokens.ts";
import { revokeFeed } from "../../domain/feeds/feeds.ts";
import type { Domain } from "../../domain/domain.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { signedIn, type OriginCheck } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { limitSignIn } from "../middleware/limit-sign-in.ts";
import { isOwnNavigation, wantsPage } from "../middleware/own-navigation.ts";
import { dropSession, sessionOf, type BrowserSession } from "../middleware/session.ts";
import type { CodeFlow } from "../sign-in/code-flow.ts";
import { SignInFailure } from "../sign-in/failure.ts";
import { SIGN_IN_CALLS } from "./sign-in-calls.ts";

/** Lifetime of the session of a sign-in that is not finished yet. */
const PENDING_MS = 10 * 60 * 1_000;

export interface SignInRouteSettings {
  /** Null if no identity provider is set up. */
  readonly flow: CodeFlow | null;
  readonly cookies: DeviceCookies;
  readonly limit: Limit;
  readonly isOwnOrigin: OriginCheck;
  readonly sessionMs: number;
  readonly publicUrl: string;
  readonly log: Logger;
}

export function signInRoutes(domain: Domain, settings: SignInRouteSettings): CallRouter {
  const router = new CallRouter();
  addSignInRoutes(router, domain, settings);
  addSignOutRoutes(router, domain, settings);
  return router;
}

function addSignInRoutes(
  router: CallRouter,
  domain: Domain,
  { flow, cookies, limit, isOwnOrigin, sessionMs, publicUrl, log }: SignInRouteSettings,
): void {
  // A page of another site may not begin a sign-in, nor use up the limit; the sign-in page has a button for it.
  const onlyOwn: Middleware<ViewerState> = async (ctx, next) => {
    if (isOwnNavigation(ctx, isOwnOrigin)) await next();
    else ctx.redirect("/login");
  };
  router.on(SIGN_IN_CALLS.signIn, [onlyOwn, limitSignIn(limit), redirectFailures(log)], async (ctx) => {
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

  router.on(SIGN_IN_CALLS.finishSignIn, [redirectFailures(log)], async (ctx) => {
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
  router: CallRouter,
  domain: Domain,
  { isOwnOrigin, log }: Pick<SignInRouteSettings, "isOwnOrigin" | "log">,
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
  router.on(SIGN_IN_CALLS.signOutByLink, async (ctx, next) => {
    if (isOwnNavigation(ctx, isOwnOrigin)) return signOut(ctx, next);
    if (!wantsPage(ctx)) throw new UserError("bad_origin");
    // A link on another site signs nobody out; our page has one that does.
    ctx.redirect("/");
  });
  router.on(SIGN_IN_CALLS.signOut, signOut);

  router.on(SIGN_IN_CALLS.signOutEverywhere, async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    // Before the sessions: this one can repeat the call if the database fails in between.
    await revokeAllTokens(domain, userId);
    await revokeFeed(domain, userId);
    await endAllSessions(domain, userId);
    dropSession(ctx);
    log.info({ userId }, "a user signed out everywhere");
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
