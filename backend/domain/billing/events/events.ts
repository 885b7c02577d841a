/**
 * Receives the provider's events. Each event is verified and stored at once, and leads to a read-back of the accounts
 * that it belongs to.
 */
import type { Stripe } from "stripe";
import { UserError } from "../../../../common/errors.ts";
import { isDuplicateKeyError } from "../../database/duplicate-key.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { canFindCustomer, findCustomerOfObject } from "./customer-of-object.ts";
import type { BillingEvent } from "./event-model.ts";
import { parseEvent } from "./parse-event.ts";

/** An event that is not handled after this time lost its queue entry and is queued again. */
const LOST_ENTRY_MS = 30_000;
/** Ids of events are kept this long to recognize duplicates. The provider repeats an event for three days. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;
/** A user whose page asked for a read-back within this time is assumed to be still waiting. */
const USER_WAIT_MS = 5 * 60 * 1_000;

/**
 * Verifies and stores an event and queues a read-back of its accounts. Ignores an event that was received before, and
 * one of a customer that is not ours.
 * @param body the unchanged request body, because the signature covers it
 * @param signature the request's signature header
 * @throws UserError bad_request when the signature is missing, wrong or more than five minutes old, or when the body is
 * not an event
 */
export async function receiveEvent(billing: Billing, body: string, signature: string): Promise<void> {
  const { stripe, webhookSecret, isLive, catalog } = requirePayment(billing);
  await checkSignature(stripe, body, signature, webhookSecret);
  const event = parseEvent(body);
  const { id, customerId, object } = event;
  if (event.isLive !== null && event.isLive !== isLive) return;
  if (object?.kind === "price" || object?.kind === "product") catalog.invalidate();
  const accounts = customerId === null ? [] : await findAccounts(billing, customerId);
  const mustFindCustomer = customerId === null && object !== null && canFindCustomer(object.kind);
  const isOurs = accounts.length > 0 || mustFindCustomer;
  const now = new Date();
  try {
    await billing.events.create({
      _id: id,
      type: event.type,
      customerId,
      objectKind: object?.kind ?? null,
      objectId: object?.id ?? null,
      receivedAt: now,
      // The provider account may also be used for customers of another product.
      handledAt: isOurs ? null : now,
      dueAt: new Date(now.getTime() + LOST_ENTRY_MS),
    });
  } catch (error) {
    // The event was received before and is already queued.
    if (isDuplicateKeyError(error)) return;
    throw error;
  }
  if (mustFindCustomer) await billing.queue.enqueue({ kind: "event", id });
  else await enqueueReadBacks(billing, accounts);
}

async function checkSignature(stripe: Stripe, body: string, signature: string, secret: string): Promise<void> {
  try {
    // Verifies the signature only: the client's own event parser rejects thin events.
    await stripe.webhooks.signature?.verifyHeaderAsync(body, signature, secret);
  } catch (error) {
    // For malformed signatures the client throws plain errors, so every error counts as a wrong signature.
    throw Object.assign(new UserError("bad_request", "The signature does not hold."), { cause: error });
  }
}

/** @returns the accounts of a customer: usually one, but an operator may give one customer to several users */
async function findAccounts(billing: Billing, customerId: string): Promise<BillingAccount[]> {
  return billing.accounts.find({ customerId }).lean<BillingAccount[]>();
}

async function enqueueReadBacks(billing: Billing, accounts: readonly BillingAccount[]): Promise<void> {
  for (const account of accounts)
    await billing.queue.enqueue({ kind: "account", id: account._id }, { isUrgent: isUserWaiting(account) });
}

/** Whether the user is at the checkout or has a page open that asked for a read-back recently. */
function isUserWaiting({ pendingId, nudgedAt }: BillingAccount): boolean {
  return pendingId !== null || (nudgedAt !== null && nudgedAt.getTime() > Date.now() - USER_WAIT_MS);
}

/**
 * Finds the customer of an event and queues a read-back, which marks the event as handled. Can be repeated.
 * @throws the client's errors when the request to the provider fails
 */
export async function handleEvent(billing: Billing, eventId: string): Promise<void> {
  const event = await billing.events.findOne({ _id: eventId, handledAt: null }).lean<BillingEvent>();
  if (!event) return;
  const customerId = event.customerId ?? (await findCustomer(billing, event));
  if (event.customerId === null && customerId !== null)
    await billing.events.updateOne({ _id: eventId }, { $set: { customerId } });
  const accounts = customerId === null ? [] : await findAccounts(billing, customerId);
  if (accounts.length === 0)
    await billing.events.updateOne({ _id: eventId }, { $set: { handledAt: new Date(), lastError: null } });
  await enqueueReadBacks(billing, accounts);
}

async function findCustomer(billing: Billing, { objectKind, objectId }: BillingEvent): Promise<string | null> {
  if (objectKind === null || objectId === null) return null;
  return findCustomerOfObject(requirePayment(billing).stripe, objectKind, objectId);
}

/**
 * Records a failed attempt for one event, or for all unhandled events of a customer.
 * @param delayMs time until the next attempt
 * @param reason stored as `lastError`
 */
export async function postponeEvents(
  billing: Billing,
  which: { readonly _id: string } | { readonly customerId: string },
  delayMs: number,
  reason: string,
): Promise<void> {
  const dueAt = new Date(Date.now() + delayMs + LOST_ENTRY_MS);
  await billing.events.updateMany(
    { ...which, handledAt: null },
    { $inc: { attempts: 1 }, $set: { dueAt, lastError: reason } },
  );
}

/**
 * Claims events whose queue entry was lost. A claimed event is not returned again for 30 s.
 * @returns ids of at most 100 events
 */
export async function claimLostEvents(billing: Billing, now: Date = new Date()): Promise<string[]> {
  const lost = await billing.events
    .find({ handledAt: null, dueAt: { $lte: now } }, { _id: 1 })
    .limit(100)
    .lean<{ _id: string }[]>();
  const ids = lost.map(({ _id }) => _id);
  if (ids.length > 0)
    await billing.events.updateMany(
      { _id: { $in: ids } },
      { $set: { dueAt: new Date(now.getTime() + LOST_ENTRY_MS) } },
    );
  return ids;
}

/**
 * Deletes events that were received more than 30 days ago. One that could not be handled is then useless: each account
 * has been read back every day since.
 * @returns number of deleted events
 */
export async function deleteOldEvents(billing: Billing, now: Date = new Date()): Promise<number> {
  const { deletedCount } = await billing.events.deleteMany({
    receivedAt: { $lte: new Date(now.getTime() - RETENTION_MS) },
  });
  return deletedCount;
}
