/**
 * The stored billing account of a user: the customer id at the payment provider and the subscription as last
 * read from there. Created when the user first opens the checkout.
 */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { SubscriptionState } from "./tier-rules.ts";

/** What a subscription gives: Pro, and until when it is paid or ends. */
export interface PaidTier {
  readonly tier: Tier;
  /** Null on the free plan. */
  readonly until: Date | null;
}

/** What a read-back found that no message of the provider had announced, and took over. */
export interface FoundDifference {
  ours: PaidTier;
  theirs: PaidTier;
  at: Date;
}

export interface BillingAccount {
  /** The user's id. */
  _id: string;
  /** The customer's id at the provider; null until the first checkout creates the customer. */
  customerId: string | null;
  /** The live subscription as last read from the provider; null if there is none. */
  subscription: SubscriptionState | null;
  /** Id of a subscription that waits for its first payment. */
  pendingId: string | null;
  /** Number of read-backs begun so far; the number of a read-back is the value at its beginning. */
  readsBegun: number;
  /** Number of the read-back that was stored last; a read-back with a lower number is not stored. */
  lastReadWritten: number;
  /** Time of the next regular read-back, by the provider's clock; null if none is planned. */
  nextReadAt: Date | null;
  /** Consecutive failed read-backs. */
  failures: number;
  /** When the provider was last read back, by its clock; absent until the next time in accounts of older versions. */
  readAt?: Date;
  /** The last change that a read-back found and no message of the provider had announced. */
  difference?: FoundDifference;
  /** Time of the last read-back that a page requested. */
  nudgedAt: Date | null;
  /**
   * Part of every idempotency key. Counts the provider's error responses, because the provider repeats an error
   * for a key that it knows.
   */
  keySeries: number;
  /** Lease of the checkout: id of its holder, and when it ends. */
  leaseId: string | null;
  leaseUntil: Date;
  /** Ids of refunded or lost charges whose credit has been removed; see `clear-credit.ts`. */
  settledCharges?: string[];
  /** Set when the user has deleted the account. The record stays until the provider has deleted the customer. */
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

const paidTier = new Schema<PaidTier>(
  { tier: { type: String, required: true }, until: { type: Date, default: null } },
  { _id: false },
);
const difference = new Schema<FoundDifference>(
  {
    ours: { type: paidTier, required: true },
    theirs: { type: paidTier, required: true },
    at: { type: Date, required: true },
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
    readAt: Date,
    difference,
    nudgedAt: { type: Date, default: null },
    keySeries: { type: Number, default: 0 },
    leaseId: { type: String, default: null },
    leaseUntil: { type: Date, default: new Date(0) },
    settledCharges: { type: [String], default: [] },
    closedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
  },
  storedIn("billing_accounts"),
);
schema.index({ customerId: 1 });
schema.index({ nextReadAt: 1 });
schema.index({ failures: 1 });
schema.index({ "subscription.id": 1 });
schema.index({ "difference.at": 1 });

export const openBillingAccountModel = opensModel("BillingAccount", schema);
