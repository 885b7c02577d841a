/**
 * The provider's messages that have come in, by its own ids. What a message claims is not kept: it
 * only says that something changed and for whom, and how things stand is asked for.
 */
import { Schema, type Connection, type Model } from "mongoose";

export interface BillingEvent {
  /** The provider's id. */
  _id: string;
  type: string;
  customerId: string | null;
  /** What it is about, in the provider's words, such as `dispute` and its id. */
  objectKind: string | null;
  objectId: string | null;
  receivedAt: Date;
  /** Null: still to be worked on. */
  handledAt: Date | null;
  attempts: number;
  /** Not worked on by then: its ticket is lost. */
  dueAt: Date;
  /** Why the last attempt failed. */
  lastError: string | null;
}

export type BillingEventModel = Model<BillingEvent>;

const schema = new Schema<BillingEvent>(
  {
    _id: { type: String, required: true },
    type: { type: String, required: true },
    customerId: { type: String, default: null },
    objectKind: { type: String, default: null },
    objectId: { type: String, default: null },
    receivedAt: { type: Date, required: true },
    handledAt: { type: Date, default: null },
    attempts: { type: Number, default: 0 },
    dueAt: { type: Date, required: true },
    lastError: { type: String, default: null },
  },
  { versionKey: false, collection: "billing_events", autoCreate: false, autoIndex: false },
);
schema.index({ handledAt: 1, dueAt: 1 });
schema.index({ customerId: 1, handledAt: 1 });
schema.index({ receivedAt: 1 });

export async function openBillingEventModel(connection: Connection): Promise<BillingEventModel> {
  const model = connection.model<BillingEvent>("BillingEvent", schema);
  await model.createIndexes();
  return model;
}
