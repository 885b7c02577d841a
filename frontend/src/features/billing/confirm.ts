/** The one step that charges a card: between the browser and the provider, never through our server. */
import type { PaymentIntent, SetupIntent, Stripe, StripeElements, StripeError } from "@stripe/stripe-js";
import { currentTexts } from "../../texts/store.ts";
import type { PlanSecret } from "./checkout.ts";

/** A mounted payment form and the secret it was made for. */
export interface ReadyForm {
  readonly stripe: Stripe;
  readonly elements: StripeElements;
  readonly secret: PlanSecret;
}

export type Confirmation =
  | { readonly isPaid: true }
  /** `isStale`: the secret cannot be paid any more, whatever the card. */
  | { readonly isPaid: false; readonly message: string; readonly isStale: boolean };

type Status = PaymentIntent.Status | SetupIntent.Status;
const isSettled = (status: Status | undefined) => status === "succeeded" || status === "processing";

/**
 * Confirms a setup or a payment, as the secret says. The browser leaves the page only if the
 * person's bank wants it to; it then comes back to `returnUrl`.
 */
export async function confirmCheckout(
  { stripe, elements, secret }: ReadyForm,
  returnUrl: string,
): Promise<Confirmation> {
  const options = { elements, confirmParams: { return_url: returnUrl }, redirect: "if_required" } as const;
  if (secret.isSetupIntent) {
    const { error, setupIntent } = await stripe.confirmSetup(options);
    return judge(error, (error?.setup_intent ?? setupIntent)?.status);
  }
  const { error, paymentIntent } = await stripe.confirmPayment(options);
  return judge(error, (error?.payment_intent ?? paymentIntent)?.status);
}

function judge(error: StripeError | undefined, status: Status | undefined): Confirmation {
  // Paid in another tab in the meantime: an error to the provider, but not to the person.
  if (isSettled(status)) return { isPaid: true };
  return {
    isPaid: false,
    message: error?.message ?? currentTexts().billing.notices.paymentFailed.description,
    isStale: error?.code?.endsWith("_unexpected_state") === true || status === "canceled",
  };
}
