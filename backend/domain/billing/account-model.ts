/**
 * What we keep about a payer: who they are at the payment provider, and what it said last about
 * their subscription. One record for each user who has ever come near the checkout.
 */
import { Schema, type Connection, type Model } from "mongoose";
import type { SubscriptionState } from "./tier-rules.ts";

export interface BillingAccount {
  /** The user's id. */
  _id: string;
  /** The provider's id; null until the first checkout got that far. */
  customerId: string | null;
  /** As read back from the provider; null: none that counts. */
  subscription: SubscriptionState | null;
  /** A subscription that waits for its first payment. */
  pendingId: string | null;
  /** Reads of the provider's state are numbered when they begin; only a later one may overwrite. */
  readsBegun: number;
  lastReadWritten: number;
  /** When to read next, by the provider's clock; null: not until somebody says so. */
  nextReadAt: Date | null;
  /** Reads that failed in a row. */
  failures: number;
  /** When a page last asked for a read out of turn. */
  nudgedAt: Date | null;
  /** Part of keys that keep the provider from doing things twice; counts answers that were errors. */
  keySeries: number;
  /** Who is at the checkout, and until when nobody else may be. */
  leaseId: string | null;
  leaseUntil: Date;
  /** Charges that went back to their payer, and whose credit was looked after; each is done once. */
  settledCharges?: string[];
  /** Set: the user is gone, and so is the customer as soon as the provider has done it. */
  closedAt: Date | null;
  createdAt: Date;
}

export type BillingAccountModel = Model<BillingAccount>;

const subscription = new Schema<SubscriptionState>(
  {
    id: { type: String, required: true },
    plan: { type: String, required: true },
    status: { type: String, required: true },
    periodEndsAt: { type: Date, required: true },
    endsAt: { type: Date, default: null },
    pastDueSince: { type: Date, default: null },
    isDisputed: { type: Boolean, default: false },
  },
  { _id: false },
);

const schema = new Schema<BillingAccount>(
  {
    _id: { type: String, required: true },
    customerId: { type: String, default: null },
    subscription: { type: subscription, default: null },
    pendingId: { type: String, default: null },
    readsBegun: { type: Number, default: 0 },
    lastReadWritten: { type: Number, default: 0 },
    nextReadAt: { type: Date, default: null },
    failures: { type: Number, default: 0 },
    nudgedAt: { type: Date, default: null },
    keySeries: { type: Number, default: 0 },
    leaseId: { type: String, default: null },
    leaseUntil: { type: Date, default: new Date(0) },
    settledCharges: { type: [String], default: [] },
    closedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, collection: "billing_accounts", autoCreate: false, autoIndex: false },
);
schema.index({ customerId: 1 });
schema.index({ nextReadAt: 1 });

export async function openBillingAccountModel(connection: Connection): Promise<BillingAccountModel> {
  const model = connection.model<BillingAccount>("BillingAccount", schema);
  await model.createIndexes();
  return model;
}
