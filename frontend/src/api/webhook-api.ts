/** The client's API calls about webhooks, which the dashboard alone needs. */
import { CreatedWebhook, Webhook, WebhookDelivery, WebhookList } from "../../../common/webhook-calls.ts";
import type { CreateWebhook } from "../../../common/webhook-calls.ts";
import { HttpClient } from "./http-client.ts";

const client = new HttpClient("");

/** Each call throws what {@link HttpClient.call} throws. */
export const webhookApi = {
  list: async () => (await client.call("/api/webhooks", WebhookList)).webhooks,
  /** Sent once: a repeated call would make a second webhook. @returns the webhook with its secret */
  create: (input: CreateWebhook) =>
    client.call("/api/webhooks", CreatedWebhook, { method: "POST", body: input, isSentOnce: true }),
  /** @returns what came of the message */
  test: (id: string) =>
    client.call(`/api/webhooks/${id}/test`, WebhookDelivery, { method: "POST", body: {}, isSentOnce: true }),
  enable: (id: string) => client.call(`/api/webhooks/${id}/enable`, Webhook, { method: "POST", body: {} }),
  remove: (id: string) => client.send(`/api/webhooks/${id}`, { method: "DELETE", body: {} }),
};
