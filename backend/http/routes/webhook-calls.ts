/** The declarations of the calls about webhooks. */
import { TIERS } from "../../../common/tiers.ts";
import * as webhookCalls from "../../../common/webhook-calls.ts";
import type { Call } from "../api-description/call.ts";
import { MESSAGES } from "../api-description/messages.ts";

const DELIVERY: webhookCalls.WebhookDelivery = {
  ...MESSAGES.test,
  state: "delivered",
  tries: 1,
  status: 204,
  problem: null,
  nextTryAt: null,
};

const WEBHOOK: webhookCalls.Webhook = {
  id: "4be1b7d0-3e0b-4a27-8a7c-5f6b0a3f9c11",
  url: "https://program.example/ended",
  createdAt: "2026-01-02T03:04:05.000Z",
  disabledReason: null,
  deliveries: [
    {
      id: MESSAGES["job.completed"].id,
      type: "job.completed",
      createdAt: MESSAGES["job.completed"].createdAt,
      state: "waiting",
      tries: 2,
      status: 503,
      problem: null,
      nextTryAt: "2026-01-15T09:30:30.000Z",
    },
  ],
};

export const WEBHOOK_CALLS = {
  list: {
    route: "GET /api/webhooks",
    group: "Account",
    summary: "List the webhooks of the account with their last messages",
    isForAccounts: true,
    answers: {
      200: {
        description: "The webhooks, newest first",
        name: "WebhookList",
        schema: webhookCalls.WebhookList,
        example: { webhooks: [WEBHOOK] },
      },
    },
  },
  create: {
    route: "POST /api/webhooks",
    group: "Account",
    summary: "Make a webhook",
    description:
      "The answer has the secret that signs the messages, which cannot be read again. Webhooks of an account: " +
      `${TIERS.free.maxWebhooks} on the free plan, ${TIERS.pro.maxWebhooks} with Pro. Needs a sign-in of the last ten ` +
      "minutes. What they get is under `webhooks`.",
    isForAccounts: true,
    request: { name: "CreateWebhook", schema: webhookCalls.CreateWebhook, example: { url: WEBHOOK.url } },
    answers: {
      201: {
        description: "The webhook",
        name: "CreatedWebhook",
        schema: webhookCalls.CreatedWebhook,
        example: {
          ...WEBHOOK,
          deliveries: [],
          secret: "tapedeck_webhook_made-of-random-characters-43-of-them",
        },
      },
    },
    errors: ["rate_limited", "fresh_sign_in_required", "conflict"],
  },
  test: {
    route: "POST /api/webhooks/:id/test",
    group: "Account",
    summary: "Send a test message to a webhook",
    description: "Waits for the answer, and does not repeat the message.",
    isForAccounts: true,
    answers: {
      200: {
        description: "What came of it",
        name: "WebhookDelivery",
        schema: webhookCalls.WebhookDelivery,
        example: DELIVERY,
      },
    },
    errors: ["rate_limited", "not_found"],
  },
  enable: {
    route: "POST /api/webhooks/:id/enable",
    group: "Account",
    summary: "Turn a webhook on again",
    isForAccounts: true,
    answers: { 200: { description: "The webhook", name: "Webhook", schema: webhookCalls.Webhook, example: WEBHOOK } },
    errors: ["not_found"],
  },
  remove: {
    route: "DELETE /api/webhooks/:id",
    group: "Account",
    summary: "Remove a webhook",
    isForAccounts: true,
    answers: { 204: { description: "Removed" } },
    errors: ["not_found"],
  },
} satisfies Record<string, Call>;
