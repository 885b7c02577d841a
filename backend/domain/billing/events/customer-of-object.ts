/** Finds the customer of an object at the provider, for events that do not name the customer. */
import type { Stripe } from "stripe";
import { idOf } from "../provider/id-of.ts";
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

/** Whether {@link findCustomerOfObject} supports objects of this kind. */
export function canFindCustomer(kind: string): boolean {
  return Object.hasOwn(FINDERS, kind);
}

/**
 * @param kind the provider's name of the object type, such as `dispute`
 * @returns the customer's id; null when the object does not exist or has no customer
 * @throws the client's errors when the request fails
 */
export async function findCustomerOfObject(stripe: Stripe, kind: string, id: string): Promise<string | null> {
  if (!canFindCustomer(kind)) return null;
  try {
    return idOf(await FINDERS[kind]?.(stripe, id));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function customerOfCharge(charge: Stripe.Charge | string | null): Reference {
  return charge === null || typeof charge === "string" ? null : charge.customer;
}
