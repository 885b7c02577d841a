/** What messages have missed: accounts whose state may differ from ours are read back in time. */
import type { BillingAccount } from "../account-model.ts";
import type { Billing } from "../billing.ts";
import { postponeEvents } from "../events/events.ts";

/** A page that waits for its payment to arrive asks no more often than this. */
const NUDGE_MS = 2_000;
/** An account that is due again because its read failed or got lost. */
const AGAIN_MS = 60_000;

/** Accounts that are due, by the provider's clock; each is handed out once in a while. */
export async function takeDueAccounts(billing: Billing): Promise<string[]> {
  const now = billing.now();
  // Of those without a date, customers that an earlier version has read for the last time.
  const isDue = { $or: [{ nextReadAt: { $ne: null, $lte: now } }, { nextReadAt: null, customerId: { $ne: null } }] };
  const due = await billing.accounts.find(isDue, { _id: 1 }).limit(100).lean<{ _id: string }[]>();
  const ids = due.map(({ _id }) => _id);
  if (ids.length > 0)
    await billing.accounts.updateMany(
      { _id: { $in: ids }, ...isDue },
      { $set: { nextReadAt: new Date(now.getTime() + AGAIN_MS) } },
    );
  return ids;
}

/**
 * A read that failed is tried again by its own ticket after `delayMs`; only if that gets lost are it and its messages
 * due here.
 */
export async function postponeRead(billing: Billing, userId: string, delayMs: number, reason: string): Promise<void> {
  const account = await billing.accounts
    .findOneAndUpdate({ _id: userId }, { $set: { nextReadAt: new Date(billing.now().getTime() + delayMs + AGAIN_MS) } })
    .lean<BillingAccount>();
  const customerId = account?.customerId ?? null;
  if (customerId !== null) await postponeEvents(billing, { customerId }, delayMs, reason);
}

/** Notes that a read failed. @returns how many in a row */
export async function countFailure(billing: Billing, userId: string): Promise<number> {
  const account = await billing.accounts
    .findOneAndUpdate({ _id: userId }, { $inc: { failures: 1 } }, { returnDocument: "after" })
    .lean<{ failures: number }>();
  return account?.failures ?? 0;
}

/**
 * Somebody looks at their account. While a first payment may be on its way, the provider is asked
 * without waiting for its message; a message that waits for its turn gets it next.
 */
export async function nudge(billing: Billing, userId: string): Promise<void> {
  if (billing.payment === null) return;
  const now = Date.now();
  const account = await billing.accounts
    .findOneAndUpdate(
      // One that fails is tried again already, less and less often.
      {
        _id: userId,
        closedAt: null,
        failures: 0,
        $or: [{ nudgedAt: null }, { nudgedAt: { $lte: new Date(now - NUDGE_MS) } }],
      },
      { $set: { nudgedAt: new Date(now) } },
    )
    .lean<BillingAccount>();
  if (account === null) return;
  const isNewsLikely =
    account.pendingId !== null ||
    (account.customerId !== null &&
      (await billing.events.exists({ customerId: account.customerId, handledAt: null })) !== null);
  if (isNewsLikely) await billing.queue.enqueue({ kind: "account", id: userId }, { isUrgent: true });
}
