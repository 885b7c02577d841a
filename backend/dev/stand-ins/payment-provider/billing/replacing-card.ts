import type { Account } from "../account.ts";
import { cardError, checkCardNumber, decideSetUp } from "../cards.ts";
import { type CardDetails, newPaymentMethod } from "../shapes/payment.ts";
import type { Customer, PaymentMethod } from "../state.ts";
import { attach } from "./charging.ts";
import { isOver } from "./ending.ts";

/**
 * Stores a card; its full number stays among the secrets.
 * @throws ApiError 402 for an invalid number
 */
export function storeCard(account: Account, card: CardDetails): PaymentMethod {
  checkCardNumber(card.number);
  const method = account.add("payment_method", newPaymentMethod(account, card));
  account.state.secrets.cardNumbers[method.id] = card.number;
  return method;
}

/**
 * Makes a card the one that a customer and all subscriptions are charged to.
 * @throws ApiError 402 for a card that cannot be saved
 */
export function replaceCard(account: Account, customer: Customer, card: CardDetails): void {
  const method = storeCard(account, card);
  const outcome = decideSetUp(card.number, true);
  if (outcome.kind === "declined") throw cardError(outcome.decline);
  account.state.secrets.authenticatedCards[method.id] = true;
  attach(account, method, customer.id);
  customer.invoice_settings.default_payment_method = method.id;
  account.emit("customer.updated", customer);
  for (const subscription of account.list("subscription")) {
    if (subscription.customer !== customer.id || isOver(subscription) || subscription.status === "incomplete") continue;
    subscription.default_payment_method = method.id;
    account.emit("customer.subscription.updated", subscription);
  }
}
