/** Reads which payments of a customer were refunded or disputed. */
import type { Stripe } from "stripe";
import { idOf } from "../provider/id-of.ts";

export interface Payments {
  /** Charges for subscriptions that were refunded or disputed, at least in part; newest first. */
  readonly reversedCharges: readonly ReversedCharge[];
  /** Id of the newest charge of each subscription, by the subscription's id. */
  readonly newestCharges: ReadonlyMap<string, string>;
  /** Credit from changes of plan that no later invoice has used, in cents. */
  readonly planChangeCreditCents: number;
}

export interface ReversedCharge {
  readonly id: string;
  readonly amountCents: number;
  readonly subscriptionId: string;
  readonly invoiceId: string;
  readonly isRefunded: boolean;
  /** The bank has taken back the money and has not decided yet. */
  readonly isDisputed: boolean;
  /** The bank has taken back the money for good. */
  readonly isLost: boolean;
}

const NOTHING_REVERSED: Payments = { reversedCharges: [], newestCharges: new Map(), planChangeCreditCents: 0 };
/** Number of newest entries that are read of each list; a hundred monthly payments are eight years. */
const LIMIT = 100;

/**
 * Takes one request if no charge was ever refunded or disputed, a few otherwise. Call it after reading the
 * subscriptions, so that a payment between the two is included.
 * @param customer the customer's id
 */
export async function readPayments(stripe: Stripe, customer: string): Promise<Payments> {
  const charges = (await stripe.charges.list({ customer, limit: LIMIT })).data.filter(({ paid }) => paid);
  if (!charges.some(({ refunded, disputed }) => refunded || disputed)) return NOTHING_REVERSED;
  const invoices = (await stripe.invoices.list({ customer, limit: LIMIT, expand: ["data.payments"] })).data;
  const invoiceOf = invoicesByIntent(invoices);
  const reversedCharges: ReversedCharge[] = [];
  const newestCharges = new Map<string, string>();
  for (const charge of charges) {
    const invoice = invoiceOf.get(idOf(charge.payment_intent) ?? "");
    const subscriptionId = idOf(invoice?.parent?.subscription_details?.subscription);
    // The charge does not belong to a subscription.
    if (invoice?.id === undefined || subscriptionId === null) continue;
    if (!newestCharges.has(subscriptionId)) newestCharges.set(subscriptionId, charge.id);
    if (!charge.refunded && !charge.disputed) continue;
    reversedCharges.push({
      id: charge.id,
      amountCents: charge.amount,
      subscriptionId,
      invoiceId: invoice.id,
      isRefunded: charge.refunded,
      ...(await readDisputes(stripe, charge)),
    });
  }
  return { reversedCharges, newestCharges, planChangeCreditCents: remainingCreditCents(invoices) };
}

/**
 * Finds the reversed charge because of which a subscription must end immediately: any charge that the bank took back
 * for good, or the refunded charge that paid for the current period. If credit paid for the period, that is the newest
 * charge, from which the credit came.
 * @returns null when the subscription may go on
 */
export function findEndingCharge(
  { reversedCharges, newestCharges }: Payments,
  { id, latest_invoice: latest }: Stripe.Subscription,
): ReversedCharge | null {
  const own = reversedCharges.filter(({ subscriptionId }) => subscriptionId === id);
  const lost = own.find(({ isLost }) => isLost);
  if (lost) return lost;
  if (latest === null || typeof latest === "string" || latest.status !== "paid" || latest.total === 0) return null;
  const isPaidByCharge = latest.amount_paid > 0;
  const hasPaidForPeriod = (charge: ReversedCharge) =>
    isPaidByCharge ? charge.invoiceId === latest.id : charge.id === newestCharges.get(id);
  return own.find((charge) => charge.isRefunded && hasPaidForPeriod(charge)) ?? null;
}

/** Whether any payment of the subscription is in an open dispute. */
export function isDisputed({ reversedCharges }: Payments, subscriptionId: string): boolean {
  return reversedCharges.some((charge) => charge.isDisputed && charge.subscriptionId === subscriptionId);
}

async function readDisputes(
  stripe: Stripe,
  { id, disputed }: Stripe.Charge,
): Promise<Pick<ReversedCharge, "isDisputed" | "isLost">> {
  const statuses = disputed
    ? (await stripe.disputes.list({ charge: id, limit: LIMIT })).data.map(({ status }) => status)
    : [];
  // In an inquiry (`warning_…`) the bank has not taken back the money. A status that we do not know counts as open.
  const isOpen = (status: string) =>
    status !== "lost" && status !== "won" && status !== "prevented" && !status.startsWith("warning_");
  return { isDisputed: statuses.some(isOpen), isLost: statuses.includes("lost") };
}

function invoicesByIntent(invoices: readonly Stripe.Invoice[]): Map<string, Stripe.Invoice> {
  const found = new Map<string, Stripe.Invoice>();
  for (const invoice of invoices)
    for (const { payment } of invoice.payments?.data ?? []) {
      const intent = idOf(payment.payment_intent);
      if (intent !== null) found.set(intent, invoice);
    }
  return found;
}

/** A balance is the amount that the customer owes, so credit is negative. */
function remainingCreditCents(invoices: readonly Stripe.Invoice[]): number {
  const change = invoices.reduce(
    (sum, { starting_balance: before, ending_balance: after }) => sum + (after === null ? 0 : after - before),
    0,
  );
  return Math.max(0, -change);
}
