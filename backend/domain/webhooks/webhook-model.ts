/** Stored webhooks of accounts, and the messages that they get. */
import type { Connection, Model } from "mongoose";
import { opensModel, schemaOf } from "../database/open-model.ts";
import type {
  DeliveryProblem,
  DeliveryState,
  DisabledReason,
  JobMessage,
  TestMessage,
  WebhookMessageType,
} from "../../../common/webhook-calls.ts";

export interface StoredWebhook {
  _id: string;
  userId: string;
  url: string;
  /** Signs messages, so that a hash of it is not enough. */
  secret: string;
  createdAt: Date;
  /** Tries that failed since the last one that did not, and since when; see `beginningOf` in deliver.ts. */
  failures: number;
  failingSince: Date | null;
  /** After a failure: until then no message is sent. */
  pausedUntil: Date | null;
  /** When messages are to be sent; absent when none waits. */
  dueAt?: Date;
  disabledReason: DisabledReason | null;
  /** See numbered-slots.ts. */
  place?: string;
}

export interface StoredDelivery {
  /** Id of the message and id of the webhook, so that each webhook gets each message once. */
  _id: string;
  messageId: string;
  webhookId: string;
  userId: string;
  type: WebhookMessageType;
  /** The text to send; removed when it is delivered or given up, because it has the title of a video. */
  body?: string;
  createdAt: Date;
  state: DeliveryState;
  tries: number;
  /** Of the last try. */
  status: number | null;
  problem: DeliveryProblem | null;
  /** Only while it waits. */
  nextTryAt?: Date;
}

/** @returns what a delivery tells of its message and webhook */
export function deliveryOf({ id, type }: JobMessage | TestMessage, { _id, userId }: StoredWebhook) {
  return { _id: `${id}.${_id}`, messageId: id, webhookId: _id, userId, type };
}

/** The state of a webhook whose last message was taken, and of a new one. */
export const HEALTHY = { failures: 0, failingSince: null, pausedUntil: null } as const;

export type WebhookModel = Model<StoredWebhook>;
export type DeliveryModel = Model<StoredDelivery>;

export interface WebhookModels {
  readonly webhooks: WebhookModel;
  readonly deliveries: DeliveryModel;
}

const webhookSchema = schemaOf<StoredWebhook>("webhooks", {
  failures: 0,
  failingSince: null,
  pausedUntil: null,
  disabledReason: null,
});
webhookSchema.index({ userId: 1, createdAt: 1 });
webhookSchema.index({ place: 1 }, { unique: true, sparse: true });
webhookSchema.index({ dueAt: 1 }, { sparse: true });

const deliverySchema = schemaOf<StoredDelivery>("webhook_deliveries", { tries: 0, status: null, problem: null });
deliverySchema.index({ webhookId: 1, state: 1, nextTryAt: 1 });
deliverySchema.index({ webhookId: 1, createdAt: 1 });
deliverySchema.index({ userId: 1 });
deliverySchema.index({ createdAt: 1 });

const openWebhooks = opensModel("Webhook", webhookSchema);
const openDeliveries = opensModel("WebhookDelivery", deliverySchema);

export async function openWebhookModels(connection: Connection): Promise<WebhookModels> {
  return { webhooks: await openWebhooks(connection), deliveries: await openDeliveries(connection) };
}
