/** Schemas of the calls about webhooks, and of the messages that webhooks get. */
import { z } from "zod";
import { Job } from "./job.ts";

export const MAX_WEBHOOK_ADDRESS = 2_000;
/** The newest messages that the dashboard shows of each webhook. */
export const SHOWN_DELIVERIES = 10;
/** Unix time in seconds and HMAC-SHA256, in the format of Stripe: `t=1700000000,v1=0123…`. */
export const SIGNATURE_HEADER = "Tapedeck-Signature";

export const WebhookMessageType = z.enum(["job.completed", "job.failed", "test"]);
export type WebhookMessageType = z.infer<typeof WebhookMessageType>;

/** The body of a message about a job. The same id may come more than once. */
export const JobMessage = z.object({
  id: z.string(),
  type: WebhookMessageType.exclude(["test"]),
  createdAt: z.iso.datetime(),
  job: Job,
});
export type JobMessage = z.infer<typeof JobMessage>;

/** The body of the message that the test button sends. */
export const TestMessage = z.object({ id: z.string(), type: z.literal("test"), createdAt: z.iso.datetime() });
export type TestMessage = z.infer<typeof TestMessage>;

/** POST /api/webhooks. */
export const CreateWebhook = z.object({ url: z.string().trim().min(1).max(MAX_WEBHOOK_ADDRESS) });
export type CreateWebhook = z.infer<typeof CreateWebhook>;

/**
 * Why there was no answer: it took too long, there was no connection, or the address is not a public one or is blocked
 * here.
 */
export const DeliveryProblem = z.enum(["too_slow", "no_connection", "refused_address"]);
export type DeliveryProblem = z.infer<typeof DeliveryProblem>;

export const DeliveryState = z.enum(["waiting", "delivered", "failed"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** A message and what came of it. */
export const WebhookDelivery = z.object({
  /** Of the message. */
  id: z.string(),
  type: WebhookMessageType,
  createdAt: z.iso.datetime(),
  state: DeliveryState,
  tries: z.int().min(0),
  /** The HTTP status of the last answer; null without one. */
  status: z.int().nullable(),
  /** Null with an answer, and before the first try. */
  problem: DeliveryProblem.nullable(),
  /** Null unless it waits. */
  nextTryAt: z.iso.datetime().nullable(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** Why a webhook was turned off: it answered 410, or took no message for a day. */
export const DisabledReason = z.enum(["gone", "failing"]);
export type DisabledReason = z.infer<typeof DisabledReason>;

/** A webhook without its secret. */
export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  createdAt: z.iso.datetime(),
  /** Null while it is on. */
  disabledReason: DisabledReason.nullable(),
  /** The newest ones, newest first. */
  deliveries: z.array(WebhookDelivery),
});
export type Webhook = z.infer<typeof Webhook>;

/** Response of GET /api/webhooks, newest first. */
export const WebhookList = z.object({ webhooks: z.array(Webhook) });
export type WebhookList = z.infer<typeof WebhookList>;

/** Response of POST /api/webhooks: the only answer with the secret. */
export const CreatedWebhook = Webhook.extend({ secret: z.string() });
export type CreatedWebhook = z.infer<typeof CreatedWebhook>;
