/** The routes where people make, test and remove their webhooks. */
import type { CreatedWebhook, Webhook, WebhookDelivery, WebhookList } from "../../../common/webhook-calls.ts";
import type { Domain } from "../../domain/domain.ts";
import { sendTest, type SendMessage } from "../../domain/webhooks/deliver.ts";
import {
  createWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
} from "../../domain/webhooks/webhooks.ts";
import { CallRouter } from "../middleware/call-router.ts";
import { FRESH_MS, requireFreshSignIn } from "../middleware/fresh-sign-in.ts";
import { signedIn } from "../middleware/guards.ts";
import type { Limit } from "../middleware/limit.ts";
import { sessionOf } from "../middleware/session.ts";
import { WEBHOOK_CALLS } from "./webhook-calls.ts";

export function accountWebhookRoutes(domain: Domain, send: SendMessage, limit: Limit): CallRouter {
  const router = new CallRouter();

  router.on(WEBHOOK_CALLS.list, async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = { webhooks: await listWebhooks(domain, userId) } satisfies WebhookList;
  });

  router.on(WEBHOOK_CALLS.create, [limit("account")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    requireFreshSignIn(sessionOf(ctx), FRESH_MS);
    ctx.set("Cache-Control", "private, no-store");
    ctx.status = 201;
    ctx.body = (await createWebhook(domain, userId, ctx.state.input)) satisfies CreatedWebhook;
  });

  router.on(WEBHOOK_CALLS.test, [limit("account")], async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    const webhook = await findWebhook(domain, userId, ctx.params["id"] ?? "");
    ctx.body = (await sendTest(domain, webhook, send)) satisfies WebhookDelivery;
  });

  router.on(WEBHOOK_CALLS.enable, async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    ctx.body = (await enableWebhook(domain, userId, ctx.params["id"] ?? "")) satisfies Webhook;
  });

  router.on(WEBHOOK_CALLS.remove, async (ctx) => {
    const { userId } = signedIn(ctx.state.viewer);
    await removeWebhook(domain, userId, ctx.params["id"] ?? "");
    ctx.status = 204;
  });

  return router;
}
