/** The routes where people make, list and revoke their tokens. */
import Router from "koa-router";
import { CreateToken, type CreatedToken, type TokenList } from "../../../common/token-calls.ts";
import { createToken, listTokens, revokeToken } from "../../domain/accounts/tokens.ts";
import type { Domain } from "../../domain/domain.ts";
import { json, signedIn } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

export function tokenRoutes(domain: Domain, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/tokens" });

  router.get("/", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = { tokens: await listTokens(domain, userId) } satisfies TokenList;
  });

  router.post("/", limit("account"));
  router.post("/", json(CreateToken), async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.set("Cache-Control", "private, no-store");
    ctx.status = 201;
    ctx.body = (await createToken(domain, userId, ctx.state.input)) satisfies CreatedToken;
  });

  router.delete("/:id", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await revokeToken(domain, userId, ctx.params["id"] ?? "");
    ctx.status = 204;
  });

  return router;
}
