/** The routes where people make, test and remove their webhooks. */
import Router from "koa-router";
import {
  CreateWebhook,
  type CreatedWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookList,
} from "../../../common/webhook-calls.ts";
import type { Domain } from "../../domain/domain.ts";
import { sendTest, type SendMessage } from "../../domain/webhooks/deliver.ts";
import {
  createWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
} from "../../domain/webhooks/webhooks.ts";
import { json, signedIn } from "../middleware/guards.ts";
import type { ViewerState } from "../middleware/identify.ts";
import type { Limit } from "../middleware/limit.ts";

export function accountWebhookRoutes(domain: Domain, send: SendMessage, limit: Limit): Router<ViewerState> {
  const router = new Router<ViewerState>({ prefix: "/api/webhooks" });

  router.get("/", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = { webhooks: await listWebhooks(domain, userId) } satisfies WebhookList;
  });

  router.post("/", limit("account"));
  router.post("/", json(CreateWebhook), async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.set("Cache-Control", "private, no-store");
    ctx.status = 201;
    ctx.body = (await createWebhook(domain, userId, ctx.state.input)) satisfies CreatedWebhook;
  });

  router.post("/:id/test", limit("account"), async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    const webhook = await findWebhook(domain, userId, ctx.params["id"] ?? "");
    ctx.body = (await sendTest(domain, webhook, send)) satisfies WebhookDelivery;
  });

  router.post("/:id/enable", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = (await enableWebhook(domain, userId, ctx.params["id"] ?? "")) satisfies Webhook;
  });

  router.delete("/:id", async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await removeWebhook(domain, userId, ctx.params["id"] ?? "");
    ctx.status = 204;
  });

  return router;
}
