/** What users may do with their account. */
import { Readable } from "node:stream";
import type { Logger } from "pino";
import { DELETE_ACCOUNT_PHRASE, DeleteAccount } from "../../../common/account-calls.ts";
import { User } from "../../../common/api.ts";
import { getCurrentUser } from "../../domain/accounts/current-user.ts";
import { deleteAccount } from "../../domain/accounts/delete-account.ts";
import { exportAccount } from "../../domain/accounts/export-account.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import type { Domain } from "../../domain/domain.ts";
import type { Call } from "../api-description/call.ts";
import { USAGE } from "../api-description/examples.ts";
import { doneAnswer, Nothing } from "../api-description/schemas.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { FRESH_MS, requireFreshSignIn } from "../middleware/fresh-sign-in.ts";
import { signedIn } from "../middleware/guards.ts";
import type { Limit } from "../middleware/limit.ts";
import { dropSession, sessionOf } from "../middleware/session.ts";

const USER: User = {
  id: "5b0c8a4e-6f0d-4d6e-8a58-0d8a8f3c1d22",
  email: "ada@example.com",
  firstName: "Ada",
  tier: "pro",
  usage: USAGE,
  subscription: {
    plan: "yearly",
    status: "active",
    periodEndsAt: "2027-01-01T00:00:00.000Z",
    cancelsAtPeriodEnd: false,
    graceEndsAt: null,
  },
};

export const ACCOUNT_CALLS = {
  user: {
    route: "GET /api/auth/user",
    group: "Account",
    summary: "The signed-in user",
    tokens: "read",
    isForAccounts: true,
    answers: { 200: { description: "The user", name: "User", schema: User, example: USER } },
  },
  export: {
    route: "GET /api/account/export",
    group: "Account",
    summary: "Download all stored data about the account",
    isForAccounts: true,
    answers: { 200: { description: "The data", schema: Nothing, example: {} } },
    errors: ["rate_limited"],
    untried: "is about the whole session or account",
  },
  delete: {
    route: "DELETE /api/account",
    group: "Account",
    summary: "Delete the account with its jobs and files",
    isForAccounts: true,
    request: { name: "DeleteAccount", schema: DeleteAccount, example: { confirmation: DELETE_ACCOUNT_PHRASE } },
    answers: { 200: doneAnswer("Deleted") },
    errors: ["rate_limited", "fresh_sign_in_required"],
    untried: "is about the whole session or account",
  },
} satisfies Record<string, Call>;

export function accountRoutes(domain: Domain, billing: Billing, limit: Limit, log: Logger): CallRouter {
  const router = new CallRouter();

  router.on(ACCOUNT_CALLS.user, async (ctx) => {
    ctx.body = await getCurrentUser(domain, billing, ctx.state.viewer);
  });

  router.on(ACCOUNT_CALLS.export, [limit("account")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.attachment("tapedeck-account.json");
    ctx.set("Cache-Control", "private, no-store");
    ctx.type = "json";
    // Koa destroys the stream when the browser closes the connection.
    ctx.body = Readable.from(exportAccount(domain, userId));
  });

  router.on(ACCOUNT_CALLS.delete, [limit("account")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    requireFreshSignIn(sessionOf(ctx), FRESH_MS);
    await deleteAccount(domain, userId);
    dropSession(ctx);
    log.info({ userId }, "an account was deleted by its user");
    ctx.body = { success: true };
  });

  return router;
}
