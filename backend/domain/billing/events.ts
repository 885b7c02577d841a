/** The provider's messages: checked and kept at once, worked on from the queue, each once. */
import { Stripe } from "stripe";
import { z } from "zod";
import { UserError } from "../../../common/errors.ts";
import { isDuplicate } from "../sessions.ts";
import type { BillingAccount } from "./account-model.ts";
import { requirePayment, type Billing } from "./billing.ts";
import type { BillingEvent } from "./event-model.ts";
import { readBack } from "./read-back.ts";
import { endSubscription, subscriptionRefundedBy } from "./refunds.ts";

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
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

const About = z.object({
  id: z.string().optional().catch(undefined),
  object: z.string().optional().catch(undefined),
  customer: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish().catch(null),
});

/**
 * Takes a message in: signature checked, id kept, ticket written. One that is known already is fine.
 * @param body the bytes as they came, for the signature is over them
 * @throws UserError bad_request for a signature that is missing, wrong or more than five minutes old
 */
export async function receiveEvent(billing: Billing, body: string, signature: string): Promise<void> {
  const { stripe, webhookSecret } = requirePayment(billing);
  const event = await stripe.webhooks.constructEventAsync(body, signature, webhookSecret).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
      throw new UserError("bad_request", "The signature does not hold.");
    throw error;
  });
  const about = About.parse(event.data.object);
  const customerId = about.customer ?? (about.object === "customer" ? about.id : undefined) ?? null;
  const now = new Date();
  try {
    await billing.events.create({ _id: event.id, type: event.type, customerId, objectId: about.id ?? null, receivedAt: now, dueAt: new Date(now.getTime() + LOST_TICKET_MS) });
  } catch (error) {
    // Told before: it has its ticket.
    if (isDuplicate(error)) return;
    throw error;
  }
  await billing.queue.enqueue({ kind: "event", id: event.id });
}

/** Works on a message that was taken in. Safe to call again. @throws when the provider cannot be asked */
export async function handleEvent(billing: Billing, eventId: string): Promise<void> {
  const event = await billing.events.findOne({ _id: eventId, handledAt: null }).lean<BillingEvent>();
  if (!event) return;
  const account = event.customerId === null ? null : await billing.accounts.findOne({ customerId: event.customerId }).lean<BillingAccount>();
  // Customers that are none of ours may live in the same account of the provider.
  if (account) {
    if (event.type === "charge.refunded" && event.objectId !== null) await endRefunded(billing, event.objectId);
    await readBack(billing, account._id);
  }
  await billing.events.updateOne({ _id: eventId }, { $set: { handledAt: new Date(), lastError: null } });
}

async function endRefunded(billing: Billing, chargeId: string): Promise<void> {
  const { stripe } = requirePayment(billing);
  const subscriptionId = await subscriptionRefundedBy(stripe, chargeId, billing.now());
  if (subscriptionId === null) return;
  const { ended_at: endedAt } = await stripe.subscriptions.retrieve(subscriptionId);
  if (endedAt === null) await endSubscription(stripe, subscriptionId);
}

/** Notes a failure and when to try again. @returns how often it has failed */
export async function postponeEvent(billing: Billing, eventId: string, delayMs: number, reason: string): Promise<void> {
  const dueAt = new Date(Date.now() + delayMs + LOST_TICKET_MS);
  await billing.events.updateOne({ _id: eventId, handledAt: null }, { $inc: { attempts: 1 }, $set: { dueAt, lastError: reason } });
}

/** Messages whose tickets are lost; each is handed out once in a while. */
export async function takeLostEvents(billing: Billing, now: Date = new Date()): Promise<string[]> {
  const lost = await billing.events.find({ handledAt: null, dueAt: { $lte: now } }, { _id: 1 }).limit(100).lean<{ _id: string }[]>();
  const ids = lost.map(({ _id }) => _id);
  if (ids.length > 0) await billing.events.updateMany({ _id: { $in: ids } }, { $set: { dueAt: new Date(now.getTime() + LOST_TICKET_MS) } });
  return ids;
}

/** Forgets messages that were worked on long ago. @returns how many */
export async function forgetOldEvents(billing: Billing, now: Date = new Date()): Promise<number> {
  const { deletedCount } = await billing.events.deleteMany({ handledAt: { $ne: null }, receivedAt: { $lte: new Date(now.getTime() - KEPT_MS) } });
  return deletedCount;
}
