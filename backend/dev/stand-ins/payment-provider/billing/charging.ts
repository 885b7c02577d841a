/** Charges a card for an invoice: the charge is approved, declined, or needs authentication. */
import { type Account, randomLetters } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { answerToCharge, AUTHENTICATION_FAILED, type Decline, cardError } from "../cards.ts";
import type { Charge, Invoice, PaymentIntent, PaymentMethod } from "../state.ts";
import { markPaid, markFailed } from "./outcome.ts";
import { attach } from "./saving-cards.ts";

/**
 * Tries to collect the amount of an intent.
 * @param context.isOwnerPresent whether the owner is at the page and can authenticate
 * @throws ApiError 402 with the decline, after storing it
 */
export function charge(
  account: Account,
  intent: PaymentIntent,
  method: PaymentMethod,
  { isOwnerPresent, isAuthenticated = false }: { isOwnerPresent: boolean; isAuthenticated?: boolean },
): void {
  const { cardNumbers, challenges } = account.state.secrets;
  const answer = answerToCharge(cardNumbers[method.id] ?? "", { isOwnerPresent, isAuthenticated });
  delete challenges[intent.id];
  intent.next_action = null;
  if (typeof answer === "object") return refuse(account, intent, method, answer);
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  const invoice = invoiceOf(account, intent);
  if (answer === "challenge") {
    challenges[intent.id] = method.id;
    intent.status = "requires_action";
    intent.next_action = {
      type: "use_stripe_sdk",
      use_stripe_sdk: { type: "three_d_secure_redirect", source: `src_${randomLetters(24)}` },
    };
    account.emit("payment_intent.requires_action", intent);
    account.emit("invoice.payment_action_required", invoice);
    return;
  }
  const made = createCharge(account, intent, method, null);
  Object.assign(intent, { status: "succeeded", latest_charge: made.id, amount_received: intent.amount });
  if (intent.setup_future_usage !== null) attach(account, method, intent.customer);
  account.emit("charge.succeeded", made);
  account.emit("payment_intent.succeeded", intent);
  markPaid(account, invoice, method);
}

/** Ends the authentication that a charge waits for; when it fails, the charge is declined. */
export function answerChallenge(account: Account, intent: PaymentIntent, isPassed: boolean): void {
  const { challenges } = account.state.secrets;
  const waiting = challenges[intent.id];
  if (waiting === undefined) throw invalidRequest("This PaymentIntent is not waiting for authentication.");
  const method = account.get("payment_method", waiting);
  if (isPassed) return charge(account, intent, method, { isOwnerPresent: true, isAuthenticated: true });
  delete challenges[intent.id];
  intent.next_action = null;
  refuse(account, intent, method, AUTHENTICATION_FAILED);
}

function refuse(account: Account, intent: PaymentIntent, method: PaymentMethod, decline: Decline): never {
  // The bank is not asked for the money without the authentication.
  const failed = decline === AUTHENTICATION_FAILED ? undefined : createCharge(account, intent, method, decline);
  Object.assign(intent, {
    status: "requires_payment_method",
    payment_method: null,
    latest_charge: failed?.id ?? intent.latest_charge,
    last_payment_error: { ...cardError(decline).body, payment_method: method },
  });
  if (failed) account.emit("charge.failed", failed);
  account.emit("payment_intent.payment_failed", intent);
  markFailed(account, invoiceOf(account, intent));
  throw cardError(decline, { payment_intent: intent });
}

function createCharge(
  account: Account,
  { id, amount, currency, customer, description }: PaymentIntent,
  { id: paymentMethod }: PaymentMethod,
  decline: Decline | null,
): Charge {
  return account.create("charge", {
    amount,
    amount_captured: decline ? 0 : amount,
    captured: decline === null,
    currency,
    customer,
    description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    paid: decline === null,
    payment_intent: id,
    payment_method: paymentMethod,
    status: decline ? "failed" : "succeeded",
  });
}

function invoiceOf(account: Account, { id }: PaymentIntent): Invoice {
  const found = account.list("invoice_payment").find(({ payment }) => payment.payment_intent === id);
  return account.get("invoice", found?.invoice ?? "");
}
