import type { Stripe } from "stripe";

/** The types of the events that the provider sends to our webhook. */
export const EVENT_TYPES = [
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "price.created",
  "price.updated",
  "price.deleted",
  "product.updated",
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];
