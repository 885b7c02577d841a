/** Finds the customer that an object of the provider's belongs to, for messages that do not name one. */
import type { Stripe } from "stripe";
import { isMissing } from "../provider/stripe-client.ts";

type Reference = string | { readonly id: string } | null | undefined;

const FINDERS: { readonly [kind: string]: (stripe: Stripe, id: string) => Promise<Reference> } = {
  charge: async (stripe, id) => (await stripe.charges.retrieve(id)).customer,
  dispute: async (stripe, id) => customerOfCharge((await stripe.disputes.retrieve(id, { expand: ["charge"] })).charge),
  invoice: async (stripe, id) => (await stripe.invoices.retrieve(id)).customer,
  payment_intent: async (stripe, id) => (await stripe.paymentIntents.retrieve(id)).customer,
  refund: async (stripe, id) => customerOfCharge((await stripe.refunds.retrieve(id, { expand: ["charge"] })).charge),
  subscription: async (stripe, id) => (await stripe.subscriptions.retrieve(id)).customer,
};

/** Whether a customer can be found for objects of this kind. */
export function hasCustomer(kind: string): boolean {
  return Object.hasOwn(FINDERS, kind);
}

/**
 * @param kind the provider's name for it, such as `dispute`
 * @returns the customer's id; null: the object is gone, or belongs to nobody
 * @throws the client's errors when the provider cannot be asked
 */
export async function findCustomerOf(stripe: Stripe, kind: string, id: string): Promise<string | null> {
  try {
    const customer = hasCustomer(kind) ? await FINDERS[kind]?.(stripe, id) : null;
    return typeof customer === "string" ? customer : (customer?.id ?? null);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function customerOfCharge(charge: Stripe.Charge | string | null): Reference {
  return charge === null || typeof charge === "string" ? null : charge.customer;
}
