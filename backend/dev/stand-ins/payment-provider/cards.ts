/** The provider's well-known test cards, and how each behaves. */
import { ApiError } from "./api-error.ts";

/** Codes and messages of https://docs.stripe.com/declines/codes and of the API itself. */
export interface Decline {
  readonly code: string;
  readonly declineCode?: string;
  readonly message: string;
}

const GENERIC: Decline = { code: "card_declined", declineCode: "generic_decline", message: "Your card was declined." };
const OWNER_ABSENT: Decline = {
  code: "authentication_required",
  declineCode: "authentication_required",
  message: "Your card was declined. This transaction requires authentication.",
};
export const AUTHENTICATION_FAILED: Decline = {
  code: "payment_intent_authentication_failure",
  message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

interface TestCard {
  /** How each charge is declined. */
  readonly decline?: Decline;
  /** The card can be saved although its charges are declined. */
  readonly canBeSaved?: boolean;
  readonly needsAuthentication?: boolean;
}

const TEST_CARDS: { readonly [number: string]: TestCard } = {
  "4242424242424242": {},
  "4000000000000002": { decline: GENERIC },
  "4000000000009995": {
    decline: { code: "card_declined", declineCode: "insufficient_funds", message: "Your card has insufficient funds." },
  },
  "4000000000000069": {
    decline: { code: "expired_card", declineCode: "expired_card", message: "Your card has expired." },
  },
  "4000000000000341": { decline: GENERIC, canBeSaved: true },
  "4000002760003184": { needsAuthentication: true },
};

/** @returns why the bank declines a charge; "challenge" when it asks the owner first; undefined when it approves it */
export function answerToCharge(
  number: string,
  { isOwnerPresent, isAuthenticated }: { isOwnerPresent: boolean; isAuthenticated: boolean },
): Decline | "challenge" | undefined {
  const { decline, needsAuthentication } = TEST_CARDS[number] ?? {};
  if (decline || !needsAuthentication || isAuthenticated) return decline;
  return isOwnerPresent ? "challenge" : OWNER_ABSENT;
}

/** @returns why the bank does not let the card be saved */
export function answerToSaving(number: string): Decline | undefined {
  const { decline, canBeSaved } = TEST_CARDS[number] ?? {};
  return canBeSaved ? undefined : decline;
}

/** @throws ApiError for a number that is not a test card's */
export function checkCardNumber(number: string): void {
  if (!(number in TEST_CARDS))
    throw cardError({ code: "incorrect_number", message: "Your card number is incorrect. Only test cards work here." });
}

/** @param intent the intent that the card was for, by its name */
export function cardError({ code, declineCode, message }: Decline, intent: object = {}): ApiError {
  return new ApiError(402, {
    type: "card_error",
    code,
    ...(declineCode !== undefined && { decline_code: declineCode }),
    message,
    ...intent,
  });
}
