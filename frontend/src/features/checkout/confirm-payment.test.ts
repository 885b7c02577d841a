import { expect, it } from "vitest";
import type { PaymentIntent, Stripe, StripeElements, StripeError } from "@stripe/stripe-js";
import { confirmCheckout } from "./confirm-payment.ts";

interface Answer {
  readonly error?: Partial<StripeError>;
  readonly status?: PaymentIntent.Status;
}

function confirm(isSetupIntent: boolean, { error, status }: Answer) {
  const calls: unknown[] = [];
  const intent = status && { status };
  // The provider's object has a hundred members; the code uses two.
  const stripe = {
    confirmPayment: (options: unknown) =>
      Promise.resolve((calls.push(["payment", options]), { error, paymentIntent: intent })),
    confirmSetup: (options: unknown) =>
      Promise.resolve((calls.push(["setup", options]), { error, setupIntent: intent })),
  } as unknown as Stripe;
  const elements = {} as StripeElements;
  const secret = { plan: "yearly", clientSecret: "secret", isSetupIntent } as const;
  return { calls, confirmation: confirmCheckout({ stripe, elements, secret }, "https://example.org/") };
}

it("confirms the secret's kind of intent, and redirects only if required", async () => {
  for (const [isSetupIntent, kind] of [
    [false, "payment"],
    [true, "setup"],
  ] as const) {
    const { calls, confirmation } = confirm(isSetupIntent, { status: "succeeded" });
    expect(await confirmation).toEqual({ isPaid: true });
    expect(calls).toEqual([
      [kind, { elements: {}, confirmParams: { return_url: "https://example.org/" }, redirect: "if_required" }],
    ]);
  }
});

it.each<[string, Answer, unknown]>([
  ["processing", { status: "processing" }, { isPaid: true }],
  [
    "declined",
    { error: { message: "Your card was declined.", code: "card_declined" } },
    { isPaid: false, message: "Your card was declined.", isStale: false },
  ],
  [
    "canceled elsewhere",
    { error: { message: "You cannot confirm this.", code: "payment_intent_unexpected_state" } },
    { isPaid: false, message: "You cannot confirm this.", isStale: true },
  ],
  [
    "paid elsewhere",
    { error: { code: "payment_intent_unexpected_state", payment_intent: { status: "succeeded" } as PaymentIntent } },
    { isPaid: true },
  ],
  [
    "without a reason",
    { status: "requires_payment_method" },
    { isPaid: false, message: expect.stringContaining("could not be completed"), isStale: false },
  ],
])("maps the provider's answer: %s", async (_name, answer, expected) => {
  expect(await confirm(false, answer).confirmation).toEqual(expected);
});
