/**
 * What became of the money that a customer has paid: kept, given back by us, or taken back by their
 * bank. Asked for after the subscriptions, so that a payment that comes in between is known here.
 */
import type { Stripe } from "stripe";

export interface Payments {
  /** Charges for subscriptions of which something went back or is disputed, newest first. */
  readonly troubled: readonly TroubledCharge[];
  /** The newest charge for each subscription. */
  readonly newest: ReadonlyMap<string, string>;
  /** Credit in cents that changes of plan have left, as far as no later invoice has used it. */
  readonly planChangeCreditCents: number;
}

export interface TroubledCharge {
  readonly id: string;
  readonly amountCents: number;
  readonly subscriptionId: string;
  readonly invoiceId: string;
  readonly isRefunded: boolean;
  /** The bank has taken the money and may still give it back. */
  readonly isDisputed: boolean;
  /** The bank has taken the money for good. */
  readonly isLost: boolean;
}

const NO_TROUBLE: Payments = { troubled: [], newest: new Map(), planChangeCreditCents: 0 };
/** The newest of each list; a hundred monthly payments are eight years. */
const LIMIT = 100;

/** One request where nothing ever went back, a few where something did. */
export async function paymentsOf(stripe: Stripe, customer: string): Promise<Payments> {
  const charges = (await stripe.charges.list({ customer, limit: LIMIT })).data.filter(({ paid }) => paid);
  if (!charges.some(({ refunded, disputed }) => refunded || disputed)) return NO_TROUBLE;
  const invoices = (await stripe.invoices.list({ customer, limit: LIMIT, expand: ["data.payments"] })).data;
  const paidFor = invoicesByIntent(invoices);
  const troubled: TroubledCharge[] = [];
  const newest = new Map<string, string>();
  for (const charge of charges) {
    const invoice = paidFor.get(idOf(charge.payment_intent) ?? "");
    const subscriptionId = idOf(invoice?.parent?.subscription_details?.subscription);
    // Something else was paid for, which is none of our business.
    if (invoice?.id === undefined || subscriptionId === null) continue;
    if (!newest.has(subscriptionId)) newest.set(subscriptionId, charge.id);
    if (!charge.refunded && !charge.disputed) continue;
    troubled.push({
      id: charge.id,
      amountCents: charge.amount,
      subscriptionId,
      invoiceId: invoice.id,
      isRefunded: charge.refunded,
      ...(await disputesOf(stripe, charge)),
    });
  }
  return { troubled, newest, planChangeCreditCents: creditLeftBy(invoices) };
}

/**
 * The charge that makes a subscription end at once, since its money went back: the one that has paid
 * for the running period, or for the credit that has; or any that a bank took back for good.
 */
export function endingCharge(
  { troubled, newest }: Payments,
  { id, latest_invoice: latest }: Stripe.Subscription,
): TroubledCharge | null {
  const own = troubled.filter(({ subscriptionId }) => subscriptionId === id);
  const lost = own.find(({ isLost }) => isLost);
  if (lost) return lost;
  if (latest === null || typeof latest === "string" || latest.status !== "paid" || latest.total === 0) return null;
  const isPaidByCharge = latest.amount_paid > 0;
  return (
    own.find(
      (charge) => charge.isRefunded && (isPaidByCharge ? charge.invoiceId === latest.id : charge.id === newest.get(id)),
    ) ?? null
  );
}

export function isDisputed({ troubled }: Payments, subscriptionId: string): boolean {
  return troubled.some((charge) => charge.isDisputed && charge.subscriptionId === subscriptionId);
}

/** A bank that only asks (`warning_…`) has not taken anything; one that we have not heard of may have. */
async function disputesOf(
  stripe: Stripe,
  { id, disputed }: Stripe.Charge,
): Promise<Pick<TroubledCharge, "isDisputed" | "isLost">> {
  const statuses = disputed
    ? (await stripe.disputes.list({ charge: id, limit: LIMIT })).data.map(({ status }) => status)
    : [];
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

/** Balances count what the customer owes, so credit is below zero. */
function creditLeftBy(invoices: readonly Stripe.Invoice[]): number {
  const change = invoices.reduce(
    (sum, { starting_balance: before, ending_balance: after }) => sum + (after === null ? 0 : after - before),
    0,
  );
  return Math.max(0, -change);
}

function idOf(reference: string | { readonly id: string } | null | undefined): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}
