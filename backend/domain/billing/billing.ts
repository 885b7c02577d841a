/** What the verbs on money work with. Made once by the server and handed to each verb. */
import type { Stripe } from "stripe";
import { UserError } from "../../../common/errors.ts";
import type { UserModel } from "../accounts/user-model.ts";
import type { BillingAccountModel } from "./account-model.ts";
import type { Catalog } from "./provider/catalog.ts";
import type { BillingEventModel } from "./events/event-model.ts";

/** Something to do that may have to be tried more than once. */
export interface BillingTask {
  /** A message of the provider's that came in, or an account whose state is to be read back. */
  readonly kind: "event" | "account";
  readonly id: string;
}

export interface TaskTiming {
  /** Not before this time (Unix, milliseconds); default at once. */
  readonly runAtMs?: number;
  /** Somebody waits for it: it goes before every task that nobody waits for. */
  readonly isUrgent?: boolean;
}

export interface BillingQueue {
  /** A task that waits already is not added again: it then runs at the earlier time, and is urgent if either is. */
  enqueue(task: BillingTask, timing?: TaskTiming): Promise<void>;
}

/** The provider, once it is set up. */
export interface Payment {
  readonly stripe: Stripe;
  readonly catalog: Catalog;
  readonly webhookSecret: string;
  /** The keys move real money; messages of the provider's test mode are then not meant for us, and the reverse. */
  readonly isLive: boolean;
}

export interface Billing {
  readonly accounts: BillingAccountModel;
  readonly events: BillingEventModel;
  readonly users: UserModel;
  readonly queue: BillingQueue;
  /** Null: nobody can pay here. What was paid for before goes on as last known. */
  readonly payment: Payment | null;
  /** Pro is kept for this long while a payment is overdue. */
  readonly graceMs: number;
  /** Every account that may have changed is read back at least this often. */
  readonly reconcileMs: number;
  /** The provider's clock, by which periods end. */
  now(): Date;
}

/** @throws UserError payment_unconfigured */
export function requirePayment({ payment }: Billing): Payment {
  if (payment === null) throw new UserError("payment_unconfigured");
  return payment;
}
