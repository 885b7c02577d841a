/** The routes where people make, list and revoke their tokens. */
import { CreatedToken, CreateToken, TokenList } from "../../../common/token-calls.ts";
import { TIERS } from "../../../common/tiers.ts";
import { createToken, listTokens, revokeToken } from "../../domain/accounts/tokens.ts";
import type { Domain } from "../../domain/domain.ts";
import type { Call } from "../api-description/call.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { FRESH_MS, requireFreshSignIn } from "../middleware/fresh-sign-in.ts";
import { signedIn } from "../middleware/guards.ts";
import type { Limit } from "../middleware/limit.ts";
import { sessionOf } from "../middleware/session.ts";

const EXAMPLE = {
  id: "9a1a0f6e-4a53-4d0b-a7f3-9f1de6d1c9a4",
  name: "Phone",
  scopes: ["read", "convert"],
  ending: "1b2c",
  createdAt: "2026-01-02T03:04:05.000Z",
  lastUsedAt: null,
};

export const TOKEN_CALLS = {
  list: {
    route: "GET /api/tokens",
    group: "Account",
    summary: "List the tokens of the account",
    isForAccounts: true,
    answers: {
      200: {
        description: "The tokens, newest first",
        name: "TokenList",
        schema: TokenList,
        example: { tokens: [EXAMPLE] },
      },
    },
  },
  create: {
    route: "POST /api/tokens",
    group: "Account",
    summary: "Make a token",
    description:
      `The answer has the secret, which cannot be read again. Tokens of an account: ${TIERS.free.maxTokens} on the free plan, ` +
      `${TIERS.pro.maxTokens} with Pro. Needs a sign-in of the last ten minutes.`,
    isForAccounts: true,
    request: { name: "CreateToken", schema: CreateToken, example: { name: EXAMPLE.name, scopes: EXAMPLE.scopes } },
    answers: {
      201: {
        description: "The token",
        name: "CreatedToken",
        schema: CreatedToken,
        example: { ...EXAMPLE, secret: "tapedeck_made-of-random-characters-43-of-them-a1b2c" },
      },
    },
    errors: ["rate_limited", "fresh_sign_in_required", "conflict"],
  },
  revoke: {
    route: "DELETE /api/tokens/:id",
    group: "Account",
    summary: "Revoke a token",
    isForAccounts: true,
    answers: { 204: { description: "Revoked" } },
    errors: ["not_found"],
  },
} satisfies Record<string, Call>;

export function tokenRoutes(domain: Domain, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(TOKEN_CALLS.list, async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = { tokens: await listTokens(domain, userId) } satisfies TokenList;
  });

  router.on(TOKEN_CALLS.create, [limit("account")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    requireFreshSignIn(sessionOf(ctx), FRESH_MS);
    ctx.set("Cache-Control", "private, no-store");
    ctx.status = 201;
    ctx.body = (await createToken(domain, userId, ctx.state.input)) satisfies CreatedToken;
  });

  router.on(TOKEN_CALLS.revoke, async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await revokeToken(domain, userId, ctx.params["id"] ?? "");
    ctx.status = 204;
  });

  return router;
}
