/**
 * The stored events of the provider. Only the id and the object that changed are stored: the current state is always
 * read back from the provider.
 */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../../database/open-model.ts";

export interface BillingEvent {
  /** The event's id at the provider. */
  _id: string;
  type: string;
  customerId: string | null;
  /** The provider's name of the object's type, such as `dispute`. */
  objectKind: string | null;
  objectId: string | null;
  receivedAt: Date;
  /** Null until the event has been handled. */
  handledAt: Date | null;
  attempts: number;
  /** If the event has not been handled by then, its queue entry was lost. */
  dueAt: Date;
  /** Reason why the last attempt failed. */
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
  storedIn("billing_events"),
);
schema.index({ handledAt: 1, dueAt: 1 });
schema.index({ customerId: 1, handledAt: 1 });
schema.index({ receivedAt: 1 });

export const openBillingEventModel = opensModel("BillingEvent", schema);
