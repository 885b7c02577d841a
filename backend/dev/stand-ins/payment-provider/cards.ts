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

interface TestCard {
  readonly brand: "visa" | "mastercard" | "amex";
  /** Declines the first use, a set-up or a charge. */
  readonly attachDecline?: Decline;
  readonly chargeDecline?: Decline;
  /** once: after an authenticated set-up, charges need no authentication; always: each charge needs it. */
  readonly authentication?: "once" | "always";
}

export const TEST_CARDS: { readonly [number: string]: TestCard } = {
  "4242424242424242": { brand: "visa" },
  "5555555555554444": { brand: "mastercard" },
  "378282246310005": { brand: "amex" },
  "4000000000000002": { brand: "visa", attachDecline: GENERIC, chargeDecline: GENERIC },
  "4000000000009995": {
    brand: "visa",
    ...both({ code: "card_declined", declineCode: "insufficient_funds", message: "Your card has insufficient funds." }),
  },
  "4000000000000069": {
    brand: "visa",
    ...both({ code: "expired_card", declineCode: "expired_card", message: "Your card has expired." }),
  },
  "4000000000000127": {
    brand: "visa",
    ...both({
      code: "incorrect_cvc",
      declineCode: "incorrect_cvc",
      message: "Your card's security code is incorrect.",
    }),
  },
  "4000000000000119": {
    brand: "visa",
    ...both({
      code: "processing_error",
      declineCode: "processing_error",
      message: "An error occurred while processing your card. Try again in a little bit.",
    }),
  },
  "4000000000000341": { brand: "visa", chargeDecline: GENERIC },
  "4000002500003155": { brand: "visa", authentication: "once" },
  "4000002760003184": { brand: "visa", authentication: "always" },
};

function both(decline: Decline): Pick<TestCard, "attachDecline" | "chargeDecline"> {
  return { attachDecline: decline, chargeDecline: decline };
}

export const AUTHENTICATION_FAILED: Decline = {
  code: "payment_intent_authentication_failure",
  message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

export type CardOutcome =
  | { readonly kind: "approved" }
  | { readonly kind: "challenge" }
  | { readonly kind: "declined"; readonly decline: Decline };

/** The bank's decision about a charge. */
export function decideCharge(
  number: string,
  context: { isOwnerPresent: boolean; isAuthenticated: boolean; wasSetUp: boolean },
): CardOutcome {
  const card = TEST_CARDS[number];
  if (card?.chargeDecline) return { kind: "declined", decline: card.chargeDecline };
  const needsAuthentication =
    card?.authentication === "always" || (card?.authentication === "once" && !context.wasSetUp);
  if (!needsAuthentication || context.isAuthenticated) return { kind: "approved" };
  return context.isOwnerPresent ? { kind: "challenge" } : { kind: "declined", decline: OWNER_ABSENT };
}

/** The bank's decision about saving a card. */
export function decideSetUp(number: string, isAuthenticated: boolean): CardOutcome {
  const card = TEST_CARDS[number];
  if (card?.attachDecline) return { kind: "declined", decline: card.attachDecline };
  return card?.authentication !== undefined && !isAuthenticated ? { kind: "challenge" } : { kind: "approved" };
}

/** @throws ApiError for an invalid card number, or one that is not a test card */
export function checkCardNumber(number: string): void {
  if (!/^\d{12,19}$/.test(number) || !isLuhn(number))
    throw cardError({ code: "incorrect_number", message: "Your card number is incorrect." });
  if (!(number in TEST_CARDS))
    throw cardError({
      code: "card_declined",
      declineCode: "test_mode_live_card",
      message:
        "Your card was declined. Your request was in test mode, but used a non test card. For a list of " +
        "valid test cards, visit: https://stripe.com/docs/testing.",
    });
}

export function cardError({ code, declineCode, message }: Decline, intent: object = {}): ApiError {
  return new ApiError(402, {
    type: "card_error",
    code,
    ...(declineCode !== undefined && { decline_code: declineCode }),
    message,
    ...intent,
  });
}

export function isLuhn(number: string): boolean {
  const sum = number
    .split("")
    .toReversed()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
