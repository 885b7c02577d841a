/** The calls of the operator's page. To everybody else they do not exist. */
import { Readable } from "node:stream";
import type { Middleware } from "koa";
import { UserError } from "../../../common/errors.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import type { Domain } from "../../domain/domain.ts";
import { exportForOperator, findAccounts } from "../../domain/operator/accounts.ts";
import { performAct } from "../../domain/operator/acts.ts";
import { WATCH_MS } from "../../domain/operator/operator-watch.ts";
import type { OperatorView } from "../../domain/operator/operator-view.ts";
import { requireFreshSignIn } from "../middleware/fresh-sign-in.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { signedIn } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";
import { sessionOf } from "../middleware/session.ts";
import { OPERATOR_CALLS } from "./operator-calls.ts";

/** An operator works for longer than a visitor who deletes an account, and signs in once for that time. */
const FRESH_MS = 60 * 60 * 1_000;

export interface OperatorRouteSettings {
  readonly limit: Limit;
  readonly publicUrl: string;
}

export function operatorRoutes(
  domain: Domain,
  billing: Billing,
  view: OperatorView,
  { limit, publicUrl }: OperatorRouteSettings,
): CallRouter {
  const router = new CallRouter();
  const blockContext = { siteHost: new URL(publicUrl).hostname, videoHosts: domain.videoHosts };

  router.on(OPERATOR_CALLS.watch, [forOperators()], async (ctx) => {
    const { userId, sessionId } = ctx.state.viewer;
    if (userId !== null && sessionId !== undefined)
      domain.bus.publish("operator:watching", { userId, sessionId, forMs: WATCH_MS });
    ctx.body = await view.readState();
  });
  router.on(OPERATOR_CALLS.history, [forOperators()], async (ctx) => {
    ctx.body = await view.readHistory();
  });
  router.on(OPERATOR_CALLS.records, [forOperators()], async (ctx) => {
    ctx.body = await view.readRecords();
  });

  router.on(OPERATOR_CALLS.act, [forOperators()], async (ctx) => {
    const { viewer, call } = ctx.state;
    const act = ctx.state.input;
    await performAct(domain, { userId: signedIn(viewer).userId, call }, act, { blockContext, billing });
    if (act.act === "read_back") view.forgetBilling();
    ctx.body = { success: true };
  });

  // An operator whose browser was taken over must not read the addresses of everybody.
  router.on(OPERATOR_CALLS.findAccounts, [forOperators(), limit("account")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = { accounts: await findAccounts(domain, userId, ctx.state.input.email) };
  });
  router.on(OPERATOR_CALLS.exportAccount, [forOperators(), limit("account")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = Readable.from(await exportForOperator(domain, userId, ctx.params["id"] ?? ""));
    ctx.attachment("tapedeck-account.json");
    ctx.set("Cache-Control", "private, no-store");
    ctx.type = "json";
  });
  return router;
}

/**
 * Must come before anything that checks or limits the call: others get the answer of an unknown address.
 * @throws UserError not_found, fresh_sign_in_required
 */
function forOperators(): Middleware<ViewerState> {
  return async (ctx, next) => {
    if (ctx.state.viewer.isOperator !== true) throw new UserError("not_found", "There is nothing at this address.");
    requireFreshSignIn(sessionOf(ctx), FRESH_MS);
    ctx.set("Cache-Control", "private, no-store");
    await next();
  };
}
