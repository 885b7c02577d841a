/** The provider's messages: checked and kept at once; each asks for a read-back of whoever it is about. */
import type { Stripe } from "stripe";
import { UserError } from "../../../../common/errors.ts";
import { isDuplicateKeyError } from "../../database/duplicate-key.ts";
import type { BillingAccount } from "../account-model.ts";
import { requirePayment, type Billing } from "../billing.ts";
import { findCustomerOf, hasCustomer } from "./customer-of-object.ts";
import type { BillingEvent } from "./event-model.ts";
import { parseMessage } from "./parse-event.ts";

/** A message whose ticket got lost is taken up after this long. */
const LOST_TICKET_MS = 30_000;
/** The provider repeats a message for three days; after that its id need not be known. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** What the provider is asked to tell us, by its own names. */
export const EVENT_TYPES = [
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "price.created",
  "price.updated",
  "price.deleted",
  "product.updated",
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/** Whose page asked for their account this short a time ago is still looking at it. */
const LOOKING_MS = 5 * 60 * 1_000;

/**
 * Takes a message in: checks its signature, keeps its id, and asks for a read-back of whoever it is
 * about. One that is known already, or of nobody that we know, is fine.
 * @param body the text as it came, for the signature is over it
 * @throws UserError bad_request for a signature that is missing, wrong or more than five minutes
 * old, and for what is no message
 */
export async function receiveEvent(billing: Billing, body: string, signature: string): Promise<void> {
  const { stripe, webhookSecret, isLive, catalog } = requirePayment(billing);
  await checkSignature(stripe, body, signature, webhookSecret);
  const { id, type, isLive: isOfLive, customerId, object } = parseMessage(body);
  if (isOfLive !== null && isOfLive !== isLive) return;
  if (object?.kind === "price" || object?.kind === "product") catalog.forget();
  const accounts = customerId === null ? [] : await findAccounts(billing, customerId);
  const mustAsk = customerId === null && object !== null && hasCustomer(object.kind);
  const isOurs = accounts.length > 0 || mustAsk;
  const now = new Date();
  try {
    await billing.events.create({
      _id: id,
      type,
      customerId,
      objectKind: object?.kind ?? null,
      objectId: object?.id ?? null,
      receivedAt: now,
      // Customers that are none of ours may live in the same account of the provider.
      handledAt: isOurs ? null : now,
      dueAt: new Date(now.getTime() + LOST_TICKET_MS),
    });
  } catch (error) {
    // Told before: it has its ticket.
    if (isDuplicateKeyError(error)) return;
    throw error;
  }
  if (mustAsk) await billing.queue.enqueue({ kind: "event", id });
  else await requestReads(billing, accounts);
}

async function checkSignature(stripe: Stripe, body: string, signature: string, secret: string): Promise<void> {
  try {
    // Only the signature: the client's own reading refuses thin events.
    await stripe.webhooks.signature?.verifyHeaderAsync(body, signature, secret);
  } catch (error) {
    // The client also throws plain errors, for signatures of an odd shape.
    throw Object.assign(new UserError("bad_request", "The signature does not hold."), { cause: error });
  }
}

/** Users of a customer: one, unless an operator has given one customer to two of them. All are read back. */
async function findAccounts(billing: Billing, customerId: string): Promise<BillingAccount[]> {
  return billing.accounts.find({ customerId }).lean<BillingAccount[]>();
}

/** However many messages wait for an account, it waits in the queue once; people who are waiting come first. */
async function requestReads(billing: Billing, accounts: readonly BillingAccount[]): Promise<void> {
  for (const account of accounts)
    await billing.queue.enqueue({ kind: "account", id: account._id }, { isUrgent: isAwaited(account) });
}

/** At the checkout, or with a page open that has just asked. */
function isAwaited({ pendingId, nudgedAt }: BillingAccount): boolean {
  return pendingId !== null || (nudgedAt !== null && nudgedAt.getTime() > Date.now() - LOOKING_MS);
}

/**
 * Finds out whom a message is about, and asks for their read-back, which marks it as handled. Safe
 * to call again.
 * @throws when the provider cannot be asked
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
  await requestReads(billing, accounts);
}

async function findCustomer(billing: Billing, { objectKind, objectId }: BillingEvent): Promise<string | null> {
  return objectKind === null || objectId === null
    ? null
    : findCustomerOf(requirePayment(billing).stripe, objectKind, objectId);
}

/** Notes for one message, or all of a customer, that an attempt failed and is repeated after `delayMs`. */
export async function postponeEvents(
  billing: Billing,
  which: { readonly _id: string } | { readonly customerId: string },
  delayMs: number,
  reason: string,
): Promise<void> {
  const dueAt = new Date(Date.now() + delayMs + LOST_TICKET_MS);
  await billing.events.updateMany(
    { ...which, handledAt: null },
    { $inc: { attempts: 1 }, $set: { dueAt, lastError: reason } },
  );
}

/** Messages whose tickets are lost; each is handed out once in a while. */
export async function takeLostEvents(billing: Billing, now: Date = new Date()): Promise<string[]> {
  const lost = await billing.events
    .find({ handledAt: null, dueAt: { $lte: now } }, { _id: 1 })
    .limit(100)
    .lean<{ _id: string }[]>();
  const ids = lost.map(({ _id }) => _id);
  if (ids.length > 0)
    await billing.events.updateMany(
      { _id: { $in: ids } },
      { $set: { dueAt: new Date(now.getTime() + LOST_TICKET_MS) } },
    );
  return ids;
}

/** Forgets messages that were worked on long ago. @returns how many */
export async function forgetOldEvents(billing: Billing, now: Date = new Date()): Promise<number> {
  const { deletedCount } = await billing.events.deleteMany({
    handledAt: { $ne: null },
    receivedAt: { $lte: new Date(now.getTime() - KEPT_MS) },
  });
  return deletedCount;
}
