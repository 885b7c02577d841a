/** Stored webhooks of accounts, and the messages that they get. */
import { Schema, type Connection, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import {
  DeliveryProblem,
  DeliveryState,
  DisabledReason,
  WebhookMessageType,
  type JobMessage,
  type TestMessage,
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

const webhookSchema = new Schema<StoredWebhook>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    url: { type: String, required: true },
    secret: { type: String, required: true },
    createdAt: { type: Date, required: true },
    failures: { type: Number, default: 0 },
    failingSince: { type: Date, default: null },
    pausedUntil: { type: Date, default: null },
    dueAt: Date,
    disabledReason: { type: String, enum: [...DisabledReason.options, null], default: null },
    place: String,
  },
  storedIn("webhooks"),
);
webhookSchema.index({ userId: 1, createdAt: 1 });
webhookSchema.index({ place: 1 }, { unique: true, sparse: true });
webhookSchema.index({ dueAt: 1 }, { sparse: true });

const deliverySchema = new Schema<StoredDelivery>(
  {
    _id: { type: String, required: true },
    messageId: { type: String, required: true },
    webhookId: { type: String, required: true },
    userId: { type: String, required: true },
    type: { type: String, enum: WebhookMessageType.options, required: true },
    body: String,
    createdAt: { type: Date, required: true },
    state: { type: String, enum: DeliveryState.options, required: true },
    tries: { type: Number, default: 0 },
    status: { type: Number, default: null },
    problem: { type: String, enum: [...DeliveryProblem.options, null], default: null },
    nextTryAt: Date,
  },
  storedIn("webhook_deliveries"),
);
deliverySchema.index({ webhookId: 1, state: 1, nextTryAt: 1 });
deliverySchema.index({ webhookId: 1, createdAt: 1 });
deliverySchema.index({ userId: 1 });
deliverySchema.index({ createdAt: 1 });

const openWebhooks = opensModel("Webhook", webhookSchema);
const openDeliveries = opensModel("WebhookDelivery", deliverySchema);

export async function openWebhookModels(connection: Connection): Promise<WebhookModels> {
  return { webhooks: await openWebhooks(connection), deliveries: await openDeliveries(connection) };
}
