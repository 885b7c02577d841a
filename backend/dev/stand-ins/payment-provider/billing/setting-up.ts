/** Saves a card without charging it. */
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { AUTHENTICATION_FAILED, type Decline, cardError, decideSetUp } from "../cards.ts";
import type { PaymentMethod, SetupIntent } from "../state.ts";
import { attach, challengeAction } from "./charging.ts";
import { assignSetUpCard } from "./subscribing.ts";

/** @throws ApiError 402 with the decline, after storing it */
export function setUp(account: Account, intent: SetupIntent, method: PaymentMethod, isAuthenticated = false): void {
  if (intent.status === "succeeded" || intent.status === "canceled")
    throw invalidRequest("You cannot confirm this SetupIntent because it has already succeeded.", {
      code: "setup_intent_unexpected_state",
    });
  const { cardNumbers, authenticatedCards, challenges } = account.state.secrets;
  const outcome = decideSetUp(cardNumbers[method.id] ?? "", isAuthenticated);
  delete challenges[intent.id];
  intent.next_action = null;
  if (outcome.kind === "declined") return refuse(account, intent, method, outcome.decline);
  if (outcome.kind === "challenge") {
    challenges[intent.id] = method.id;
    Object.assign(intent, {
      status: "requires_action",
      payment_method: method.id,
      next_action: challengeAction(),
      last_setup_error: null,
    });
    account.emit("setup_intent.requires_action", intent);
    return;
  }
  if (isAuthenticated) authenticatedCards[method.id] = true;
  Object.assign(intent, { status: "succeeded", payment_method: method.id, last_setup_error: null });
  attach(account, method, intent.customer);
  account.emit("setup_intent.succeeded", intent);
  assignSetUpCard(account, intent.id, method.id);
}

export function answerSetUpChallenge(account: Account, intent: SetupIntent, isPassed: boolean): void {
  const waiting = account.state.secrets.challenges[intent.id];
  if (waiting === undefined)
    throw invalidRequest("This SetupIntent is not waiting for authentication.", {
      code: "setup_intent_unexpected_state",
    });
  const method = account.get("payment_method", waiting);
  if (isPassed) return setUp(account, intent, method, true);
  delete account.state.secrets.challenges[intent.id];
  refuse(account, intent, method, { ...AUTHENTICATION_FAILED, code: "setup_intent_authentication_failure" });
}

function refuse(account: Account, intent: SetupIntent, method: PaymentMethod, decline: Decline): never {
  const { code, declineCode, message } = decline;
  Object.assign(intent, {
    status: "requires_payment_method",
    payment_method: null,
    next_action: null,
    last_setup_error: {
      code,
      ...(declineCode !== undefined && { decline_code: declineCode }),
      message,
      payment_method: method,
      type: "card_error",
    },
  });
  account.emit("setup_intent.setup_failed", intent);
  throw cardError(decline, { setup_intent: intent });
}
