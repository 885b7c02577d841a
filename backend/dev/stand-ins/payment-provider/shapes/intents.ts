/** Payment and setup intents, which the browser confirms. */
import { type Account, randomLetters } from "../account.ts";
import type { Invoice, PaymentIntent, SetupIntent, Subscription } from "../state.ts";
import { blank } from "./blank.ts";

export function newPaymentIntent(account: Account, invoice: Invoice, subscription: Subscription): PaymentIntent {
  const id = account.newId("payment_intent");
  return {
    ...blank(account, "payment_intent"),
    id,
    amount: invoice.amount_due,
    client_secret: `${id}_secret_${randomLetters(25)}`,
    currency: invoice.currency,
    customer: invoice.customer,
    description: invoice.billing_reason === "subscription_create" ? "Subscription creation" : "Subscription update",
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" },
    },
    payment_method_types: subscription.payment_settings?.payment_method_types ?? ["card"],
    payment_record: null,
    setup_future_usage:
      subscription.payment_settings?.save_default_payment_method === "on_subscription" ? "off_session" : null,
  };
}

export function newSetupIntent(account: Account, customer: string): SetupIntent {
  const id = account.newId("setup_intent");
  return {
    ...blank(account, "setup_intent"),
    id,
    client_secret: `${id}_secret_${randomLetters(31)}`,
    customer,
    payment_method_types: ["card"],
  };
}
