/** Charges a card for an invoice: the charge is approved, declined, or needs authentication. */
import { type Account, randomLetters } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { AUTHENTICATION_FAILED, type Decline, cardError, decideCharge } from "../cards.ts";
import { newCharge } from "../shapes/payment.ts";
import type { Invoice, PaymentIntent, PaymentMethod } from "../state.ts";
import { markPaid, markFailed } from "./outcome.ts";

export interface ChargeContext {
  /** Whether the owner is at the page and can authenticate. */
  readonly isOwnerPresent: boolean;
  readonly isAuthenticated?: boolean;
}

/**
 * Tries to collect the amount of an intent.
 * @throws ApiError 402 with the decline, after storing it
 */
export function charge(
  account: Account,
  intent: PaymentIntent,
  method: PaymentMethod,
  { isOwnerPresent, isAuthenticated = false }: ChargeContext,
): void {
  if (intent.status === "succeeded" || intent.status === "canceled")
    throw invalidRequest(
      intent.status === "succeeded"
        ? "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed."
        : "You cannot confirm this PaymentIntent because it has a status of canceled.",
      { code: "payment_intent_unexpected_state" },
    );
  const { cardNumbers, authenticatedCards, challenges } = account.state.secrets;
  const outcome = decideCharge(cardNumbers[method.id] ?? "", {
    isOwnerPresent,
    isAuthenticated,
    wasSetUp: method.id in authenticatedCards,
  });
  delete challenges[intent.id];
  intent.next_action = null;
  if (outcome.kind === "challenge") {
    challenges[intent.id] = method.id;
    intent.payment_method = method.id;
    intent.status = "requires_action";
    intent.last_payment_error = null;
    intent.next_action = challengeAction();
    account.emit("payment_intent.requires_action", intent);
    const invoice = invoiceOf(account, intent);
    if (invoice) account.emit("invoice.payment_action_required", invoice);
    return;
  }
  if (outcome.kind === "declined") return refuse(account, intent, method, outcome.decline);
  const made = account.add("charge", newCharge(account, intent, method, null));
  if (isAuthenticated) authenticatedCards[method.id] = true;
  Object.assign(intent, {
    status: "succeeded",
    payment_method: method.id,
    latest_charge: made.id,
    amount_received: intent.amount,
    last_payment_error: null,
  });
  if (intent.setup_future_usage !== null) attach(account, method, intent.customer);
  account.emit("charge.succeeded", made);
  account.emit("payment_intent.succeeded", intent);
  const invoice = invoiceOf(account, intent);
  if (invoice) markPaid(account, invoice, method);
}

/** Ends the authentication that a charge waits for; when it fails, the charge is declined. */
export function answerPaymentChallenge(account: Account, intent: PaymentIntent, isPassed: boolean): void {
  const waiting = account.state.secrets.challenges[intent.id];
  if (waiting === undefined)
    throw invalidRequest("This PaymentIntent is not waiting for authentication.", {
      code: "payment_intent_unexpected_state",
    });
  const method = account.get("payment_method", waiting);
  if (isPassed) return charge(account, intent, method, { isOwnerPresent: true, isAuthenticated: true });
  delete account.state.secrets.challenges[intent.id];
  intent.next_action = null;
  refuse(account, intent, method, AUTHENTICATION_FAILED);
}

function refuse(account: Account, intent: PaymentIntent, method: PaymentMethod, decline: Decline): never {
  const isAuthentication = decline === AUTHENTICATION_FAILED;
  const failed = isAuthentication ? undefined : account.add("charge", newCharge(account, intent, method, decline));
  Object.assign(intent, {
    status: "requires_payment_method",
    payment_method: null,
    latest_charge: failed?.id ?? intent.latest_charge,
    last_payment_error: {
      ...(failed && { charge: failed.id }),
      code: decline.code,
      ...(decline.declineCode !== undefined && { decline_code: decline.declineCode }),
      doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll("_", "-")}`,
      message: decline.message,
      payment_method: method,
      type: isAuthentication ? "invalid_request_error" : "card_error",
    },
  });
  if (failed) account.emit("charge.failed", failed);
  account.emit("payment_intent.payment_failed", intent);
  const invoice = invoiceOf(account, intent);
  if (invoice) markFailed(account, invoice);
  throw cardError(decline, { payment_intent: intent });
}

/** Saves a card for a customer's later payments. */
export function attach(account: Account, method: PaymentMethod, customer: string): void {
  if (method.customer === customer) return;
  method.customer = customer;
  account.emit("payment_method.attached", method);
}

export function challengeAction(): NonNullable<PaymentIntent["next_action"]> {
  return {
    type: "use_stripe_sdk",
    use_stripe_sdk: { type: "three_d_secure_redirect", source: `src_${randomLetters(24)}` },
  };
}

function invoiceOf(account: Account, intent: PaymentIntent): Invoice | undefined {
  const payment = account.list("invoice_payment").find((candidate) => candidate.payment.payment_intent === intent.id);
  return payment && account.find("invoice", payment.invoice);
}
