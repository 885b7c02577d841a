/** Saves cards for later payments. */
import type { Account } from "../account.ts";
import { answerToSaving, cardError, checkCardNumber } from "../cards.ts";
import type { Customer, PaymentMethod, SetupIntent } from "../state.ts";
import { isOver } from "./ending.ts";

export interface CardDetails {
  readonly number: string;
  readonly expMonth: number;
  readonly expYear: number;
}

/**
 * Stores a card; its full number stays among the secrets.
 * @throws ApiError 402 for an invalid number
 */
export function storeCard(account: Account, { number, expMonth, expYear }: CardDetails): PaymentMethod {
  checkCardNumber(number);
  const method = account.create("payment_method", {});
  Object.assign(method.card, { exp_month: expMonth, exp_year: expYear, last4: number.slice(-4) });
  account.state.secrets.cardNumbers[method.id] = number;
  return method;
}

export function attach(account: Account, method: PaymentMethod, customer: string): void {
  if (method.customer === customer) return;
  method.customer = customer;
  account.emit("payment_method.attached", method);
}

/**
 * Makes a card the one that a customer and all subscriptions are charged to.
 * @throws ApiError 402 for a card that cannot be saved
 */
export function replaceCard(account: Account, customer: Customer, card: CardDetails): void {
  const method = storeCard(account, card);
  const decline = answerToSaving(card.number);
  if (decline) throw cardError(decline);
  attach(account, method, customer.id);
  customer.invoice_settings.default_payment_method = method.id;
  account.emit("customer.updated", customer);
  for (const subscription of account.list("subscription")) {
    if (subscription.customer !== customer.id || isOver(subscription) || subscription.status === "incomplete") continue;
    subscription.default_payment_method = method.id;
    account.emit("customer.subscription.updated", subscription);
  }
}

/**
 * Saves a card for the subscription that waits for it.
 * @throws ApiError 402 with the decline
 */
export function setUp(account: Account, intent: SetupIntent, method: PaymentMethod): void {
  const decline = answerToSaving(account.state.secrets.cardNumbers[method.id] ?? "");
  if (decline) throw cardError(decline, { setup_intent: intent });
  Object.assign(intent, { status: "succeeded", payment_method: method.id });
  attach(account, method, intent.customer);
  account.emit("setup_intent.succeeded", intent);
  const subscription = account.list("subscription").find((candidate) => candidate.pending_setup_intent === intent.id);
  if (!subscription) return;
  Object.assign(subscription, { pending_setup_intent: null, default_payment_method: method.id });
  account.emit("customer.subscription.updated", subscription);
}
