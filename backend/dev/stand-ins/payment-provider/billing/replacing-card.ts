import type { Account } from "../account.ts";
import { cardError, checkCardNumber, judgeSetUp } from "../cards.ts";
import { type CardDetails, newPaymentMethod } from "../shapes/payment.ts";
import type { Customer, PaymentMethod } from "../state.ts";
import { attach } from "./charging.ts";
import { isOver } from "./ending.ts";

/**
 * The card as the ledger has it; its whole number stays among the secrets. @throws ApiError 402 for a number that is
 * none
 */
export function takeCard(account: Account, card: CardDetails): PaymentMethod {
  checkCardNumber(card.number);
  const method = account.add("payment_method", newPaymentMethod(account, card));
  account.state.secrets.cardNumbers[method.id] = card.number;
  return method;
}

/**
 * What a customer and all subscriptions are charged to from now on. @throws ApiError 402 for a card that cannot be kept
 */
export function replaceCard(account: Account, customer: Customer, card: CardDetails): void {
  const method = takeCard(account, card);
  const outcome = judgeSetUp(card.number, true);
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
