/** Confirms a payment between the browser and the provider; card data never pass through our server. */
import type { PaymentIntent, SetupIntent, Stripe, StripeElements, StripeError } from "@stripe/stripe-js";
import { currentTexts } from "../../texts/store.ts";
import type { PlanSecret } from "./checkout.ts";

/** A mounted payment form and its secret. */
export interface ReadyForm {
  readonly stripe: Stripe;
  readonly elements: StripeElements;
  readonly secret: PlanSecret;
}

export type Confirmation =
  | { readonly isPaid: true }
  /** `isStale`: the secret cannot be paid any more, with any card. */
  | { readonly isPaid: false; readonly message: string; readonly isStale: boolean };

type Status = PaymentIntent.Status | SetupIntent.Status;
const isSettled = (status: Status | undefined) => status === "succeeded" || status === "processing";

/**
 * Confirms a setup or payment intent, depending on the secret.
 * @param returnUrl where the browser returns if the bank requires a page of its own
 */
export async function confirmCheckout(
  { stripe, elements, secret }: ReadyForm,
  returnUrl: string,
): Promise<Confirmation> {
  const options = { elements, confirmParams: { return_url: returnUrl }, redirect: "if_required" } as const;
  if (secret.isSetupIntent) {
    const { error, setupIntent } = await stripe.confirmSetup(options);
    return toConfirmation(error, (error?.setup_intent ?? setupIntent)?.status);
  }
  const { error, paymentIntent } = await stripe.confirmPayment(options);
  return toConfirmation(error, (error?.payment_intent ?? paymentIntent)?.status);
}

function toConfirmation(error: StripeError | undefined, status: Status | undefined): Confirmation {
  // Already paid in another tab: the provider reports an error, but the user has paid.
  if (isSettled(status)) return { isPaid: true };
  return {
    isPaid: false,
    message: error?.message ?? currentTexts().billing.notices.paymentFailed.description,
    isStale: error?.code?.endsWith("_unexpected_state") === true || status === "canceled",
  };
}
