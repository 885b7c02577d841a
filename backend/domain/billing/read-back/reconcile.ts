/** Plans read-backs that no event asks for: regular ones, retries, and those that a page of a waiting user requests. */
import type { mongo } from "mongoose";
import type { BillingAccount } from "../account-model.ts";
import type { Billing } from "../billing.ts";
import { postponeEvents } from "../events/events.ts";

/** Shortest time between two requested read-backs of an account. */
const REQUESTED_READ_INTERVAL_MS = 2_000;
/** A claimed account is due again after this time, in case its read-back fails or its queue entry is lost. */
const RECLAIM_MS = 60_000;

/**
 * Claims the accounts whose read-back is due by the provider's clock. A claimed account is not returned again for 60 s.
 * @returns ids of at most 100 accounts
 */
export async function claimDueAccounts(billing: Billing): Promise<string[]> {
  const now = billing.now();
  // Earlier versions stored no date for customers without a subscription.
  const isDue = { $or: [{ nextReadAt: { $ne: null, $lte: now } }, { nextReadAt: null, customerId: { $ne: null } }] };
  const due = await billing.accounts.find(isDue, { _id: 1 }).limit(100).lean<{ _id: string }[]>();
  const ids = due.map(({ _id }) => _id);
  if (ids.length > 0)
    await billing.accounts.updateMany(
      { _id: { $in: ids }, ...isDue },
      { $set: { nextReadAt: new Date(now.getTime() + RECLAIM_MS) } },
    );
  return ids;
}

/** Makes all known customers due, after a restore: the provider may know of payments that the backup does not. */
export async function planReadBackOfAll(database: mongo.Db): Promise<void> {
  await database
    .collection<BillingAccount>("billing_accounts")
    .updateMany({ customerId: { $ne: null }, closedAt: null }, { $set: { nextReadAt: new Date() } });
}

/**
 * Postpones an account and its events after a failed read-back. The queue entry retries it after `delayMs`;
 * {@link claimDueAccounts} returns it only later, in case the entry is lost.
 * @param reason stored with the events
 */
export async function postponeRead(billing: Billing, userId: string, delayMs: number, reason: string): Promise<void> {
  const nextReadAt = new Date(billing.now().getTime() + delayMs + RECLAIM_MS);
  const account = await billing.accounts
    .findOneAndUpdate({ _id: userId }, { $set: { nextReadAt } })
    .lean<BillingAccount>();
  const customerId = account?.customerId ?? null;
  if (customerId !== null) await postponeEvents(billing, { customerId }, delayMs, reason);
}

/**
 * Counts a failed read-back.
 * @returns number of consecutive failures
 */
export async function countReadFailure(billing: Billing, userId: string): Promise<number> {
  const account = await billing.accounts
    .findOneAndUpdate({ _id: userId }, { $inc: { failures: 1 } }, { returnDocument: "after" })
    .lean<{ failures: number }>();
  return account?.failures ?? 0;
}

/**
 * Queues an urgent read-back when a user opens the account page and a first payment or an unhandled event is pending,
 * so that the page need not wait for the provider's event. Does nothing if the last read-back failed, because that is
 * retried with back-off.
 */
export async function requestReadBack(billing: Billing, userId: string): Promise<void> {
  if (billing.payment === null) return;
  const now = Date.now();
  const account = await billing.accounts
    .findOneAndUpdate(
      {
        _id: userId,
        closedAt: null,
        failures: 0,
        $or: [{ nudgedAt: null }, { nudgedAt: { $lte: new Date(now - REQUESTED_READ_INTERVAL_MS) } }],
      },
      { $set: { nudgedAt: new Date(now) } },
    )
    .lean<BillingAccount>();
  if (account === null) return;
  if (account.pendingId !== null || (await hasUnhandledEvent(billing, account.customerId)))
    await billing.queue.enqueue({ kind: "account", id: userId }, { isUrgent: true });
}

async function hasUnhandledEvent({ events }: Billing, customerId: string | null): Promise<boolean> {
  return customerId !== null && (await events.exists({ customerId, handledAt: null })) !== null;
}
