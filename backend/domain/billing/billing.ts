/** The dependencies of all billing functions. The server creates them once. */
import type { Stripe } from "stripe";
import { UserError } from "../../../common/errors.ts";
import type { UserModel } from "../accounts/user-model.ts";
import type { Task, TaskQueue } from "../task-queue.ts";
import type { BillingAccountModel } from "./account-model.ts";
import type { Catalog } from "./provider/catalog.ts";
import type { BillingEventModel } from "./events/event-model.ts";

/** `event`: find the customer of a received event. `account`: read an account back from the provider. */
export type BillingTask = Task<"event" | "account">;
export type BillingQueue = TaskQueue<BillingTask["kind"]>;

/** The payment provider, when it is configured. */
export interface Payment {
  readonly stripe: Stripe;
  readonly catalog: Catalog;
  readonly webhookSecret: string;
  /** True when the keys belong to the provider's live mode. Events of the other mode are ignored. */
  readonly isLive: boolean;
}

export interface Billing {
  readonly accounts: BillingAccountModel;
  readonly events: BillingEventModel;
  readonly users: UserModel;
  readonly queue: BillingQueue;
  /** Null when no provider is configured: users cannot pay, and existing subscriptions keep their last known state. */
  readonly payment: Payment | null;
  /** Grace period: users keep Pro for this long while a payment is overdue. */
  readonly graceMs: number;
  /** Longest time between two read-backs of an account with a subscription. */
  readonly reconcileMs: number;
  /** The provider's clock, which decides when periods end. */
  now(): Date;
}

/** @throws UserError payment_unconfigured */
export function requirePayment({ payment }: Billing): Payment {
  if (payment === null) throw new UserError("payment_unconfigured");
  return payment;
}
