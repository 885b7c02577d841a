/** The webhooks of the account as the dashboard shows them. */
import { SHOWN_DELIVERIES } from "../../../../common/webhook-calls.ts";
import type { CreateWebhook, Webhook } from "../../../../common/webhook-calls.ts";
import { webhookApi } from "../../api/webhook-api.ts";
import { createSecretStore } from "../secrets/secret-store.ts";

export const webhooks = createSecretStore<Webhook, CreateWebhook>(webhookApi);

/** Sends a test message, and shows what came of it. */
export const testWebhook = (id: string): Promise<boolean> =>
  webhooks.attempt(async () => {
    const delivery = await webhookApi.test(id);
    webhooks.change(id, (webhook) => ({
      ...webhook,
      deliveries: [delivery, ...webhook.deliveries].slice(0, SHOWN_DELIVERIES),
    }));
  });

/** Turns a webhook on again. */
export const enableWebhook = (id: string): Promise<boolean> =>
  webhooks.attempt(async () => {
    const enabled = await webhookApi.enable(id);
    webhooks.change(id, () => enabled);
  });
