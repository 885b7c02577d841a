/** Schemas of the calls about account and payment. In a file of their own, because the home page does not need them. */
import { z } from "zod";
import { Plan } from "./api.ts";

/** The phrase that a user types to confirm the deletion of the account. */
export const DELETE_ACCOUNT_PHRASE = "delete my account";

/** DELETE /api/account. */
export const DeleteAccount = z.object({ confirmation: z.literal(DELETE_ACCOUNT_PHRASE) });
export type DeleteAccount = z.infer<typeof DeleteAccount>;

/** Why a sign-in failed: `/login?error=CODE`. */
export const SignInError = z.enum(["unavailable", "refused", "expired", "invalid", "rate_limited"]);
export type SignInError = z.infer<typeof SignInError>;

/** POST /api/create-subscription. */
export const CreateSubscription = z.object({ plan: Plan });
export type CreateSubscription = z.infer<typeof CreateSubscription>;

/** Response of POST /api/create-subscription: the secret that the browser confirms with the payment provider. */
export const SubscriptionSecret = z.object({
  clientSecret: z.string(),
  /** True when no payment is due now: the card is stored but not charged. */
  isSetupIntent: z.boolean(),
});
export type SubscriptionSecret = z.infer<typeof SubscriptionSecret>;

/** Response of POST /api/billing-portal: the page for card, invoices and cancellation. */
export const BillingPortal = z.object({ url: z.string() });
export type BillingPortal = z.infer<typeof BillingPortal>;

/** The answer to a call that has nothing else to say. */
export const Done = z.object({ success: z.literal(true) });
