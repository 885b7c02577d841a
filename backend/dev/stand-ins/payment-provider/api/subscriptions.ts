import { z } from "zod";
import type { Account } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { cancelNow, isOver } from "../billing/ending.ts";
import { changePrice, resumeSubscription, startSubscription } from "../billing/subscribing.ts";
import { periodEndOf } from "../shapes/subscription.ts";
import type { Price, Subscription } from "../state.ts";
import { pageOf } from "./lists.ts";
import { operation } from "./operation.ts";
import {
  emptiableMetadata,
  flag,
  isWithin,
  listParams,
  mergeMetadata,
  metadata,
  params,
  text,
  timeRange,
  integer,
} from "./params.ts";

const behavior = z.enum(["allow_incomplete", "default_incomplete", "error_if_incomplete", "pending_if_incomplete"]);
const proration = z.enum(["always_invoice", "create_prorations", "none"]);
const paymentSettings = z.strictObject({
  payment_method_types: z.array(z.enum(["card", "link"])).optional(),
  save_default_payment_method: z.enum(["off", "on_subscription"]).optional(),
});
const cancellation = z.strictObject({
  comment: text.optional(),
  feedback: z
    .enum([
      "customer_service",
      "low_quality",
      "missing_features",
      "other",
      "switched_service",
      "too_complex",
      "too_expensive",
      "unused",
    ])
    .optional(),
});
const quantity = integer.pipe(z.number().min(1)).optional();
const pause = z.strictObject({
  behavior: z.enum(["keep_as_draft", "mark_uncollectible", "void"]),
  resumes_at: integer.optional(),
});
const trialSettings = z.strictObject({
  end_behavior: z.strictObject({ missing_payment_method: z.enum(["cancel", "create_invoice", "pause"]) }),
});
const DAY_SECONDS = 86_400;

export const SUBSCRIPTION_OPERATIONS = [
  operation(
    "POST /v1/subscriptions",
    params({
      customer: text,
      items: z
        .array(z.strictObject({ price: text, quantity, metadata: metadata.optional() }))
        .min(1)
        .max(20),
      payment_behavior: behavior.optional(),
      payment_settings: paymentSettings.optional(),
      billing_mode: z.strictObject({ type: z.enum(["classic", "flexible"]) }).optional(),
      automatic_tax: z.strictObject({ enabled: flag }).optional(),
      cancel_at_period_end: flag.optional(),
      collection_method: z.literal("charge_automatically").optional(),
      default_payment_method: text.optional(),
      description: text.max(500).optional(),
      metadata: metadata.optional(),
      off_session: flag.optional(),
      proration_behavior: proration.optional(),
      trial_end: z.union([z.literal("now"), integer]).optional(),
      trial_period_days: integer.optional(),
      trial_settings: trialSettings.optional(),
    }),
    ({ account }, given) => {
      const customer = account.get("customer", given.customer, "customer");
      const items = given.items.map((item, place) => ({
        price: activePrice(account, item.price, `items[${place}][price]`),
        quantity: item.quantity ?? 1,
      }));
      if (given.default_payment_method !== undefined)
        account.get("payment_method", given.default_payment_method, "default_payment_method");
      const trialEnd =
        typeof given.trial_end === "number"
          ? given.trial_end
          : given.trial_period_days === undefined
            ? undefined
            : account.now() + given.trial_period_days * DAY_SECONDS;
      if (trialEnd !== undefined && trialEnd <= account.now() && given.trial_period_days !== 0)
        throw invalidRequest("Invalid timestamp: must be an integer Unix timestamp in the future.", {
          param: "trial_end",
        });
      return startSubscription(
        account,
        {
          customer: customer.id,
          items,
          metadata: given.metadata,
          description: given.description,
          billingMode: given.billing_mode?.type,
          cancelAtPeriodEnd: given.cancel_at_period_end,
          defaultPaymentMethod: given.default_payment_method,
          paymentMethodTypes: given.payment_settings?.payment_method_types,
          savesCard: given.payment_settings?.save_default_payment_method === "on_subscription",
          withoutCard: given.trial_settings?.end_behavior.missing_payment_method,
          trialEndSeconds: trialEnd !== undefined && trialEnd > account.now() ? trialEnd : undefined,
        },
        given.payment_behavior ?? "allow_incomplete",
      );
    },
  ),
  operation(
    "GET /v1/subscriptions",
    listParams({
      customer: text.optional(),
      price: text.optional(),
      status: z
        .enum([
          "active",
          "all",
          "canceled",
          "ended",
          "incomplete",
          "incomplete_expired",
          "past_due",
          "paused",
          "trialing",
          "unpaid",
        ])
        .optional(),
      created: timeRange.optional(),
    }),
    ({ account }, given) => {
      const matching = account
        .list("subscription")
        .filter(
          (subscription) =>
            hasStatus(subscription, given.status) &&
            (given.customer === undefined || subscription.customer === given.customer) &&
            (given.price === undefined || subscription.items.data.some(({ price }) => price.id === given.price)) &&
            isWithin(subscription.created, given.created),
        );
      return pageOf(matching, "/v1/subscriptions", given);
    },
  ),
  operation("GET /v1/subscriptions/:id", params({}), ({ account }, _given, id) => account.get("subscription", id)),
  operation(
    "POST /v1/subscriptions/:id",
    params({
      cancel_at_period_end: flag.optional(),
      cancellation_details: cancellation.optional(),
      default_payment_method: text.optional(),
      description: text.optional(),
      items: z.array(z.strictObject({ id: text, price: text.optional(), quantity })).optional(),
      metadata: emptiableMetadata.optional(),
      pause_collection: z.union([pause, z.literal("")]).optional(),
      payment_behavior: behavior.optional(),
      payment_settings: paymentSettings.optional(),
      proration_behavior: proration.optional(),
      off_session: flag.optional(),
    }),
    ({ account }, given, id) => {
      const subscription = account.get("subscription", id);
      if (isOver(subscription))
        throw invalidRequest("A canceled subscription can only update its cancellation_details and metadata.", {
          param: "id",
        });
      subscription.metadata = mergeMetadata(subscription.metadata, given.metadata);
      if (given.description !== undefined) subscription.description = given.description || null;
      if (given.default_payment_method !== undefined)
        subscription.default_payment_method =
          given.default_payment_method === ""
            ? null
            : account.get("payment_method", given.default_payment_method, "default_payment_method").id;
      if (given.payment_settings?.save_default_payment_method !== undefined && subscription.payment_settings)
        subscription.payment_settings.save_default_payment_method = given.payment_settings.save_default_payment_method;
      for (const { id: itemId, price } of given.items ?? [])
        if (price !== undefined)
          changePrice(account, subscription, itemId, activePrice(account, price, "items[0][price]"), {
            proration: given.proration_behavior ?? "create_prorations",
            behavior: given.payment_behavior ?? "allow_incomplete",
          });
      if (given.pause_collection !== undefined)
        subscription.pause_collection =
          given.pause_collection === ""
            ? null
            : { behavior: given.pause_collection.behavior, resumes_at: given.pause_collection.resumes_at ?? null };
      if (given.cancel_at_period_end !== undefined)
        setCancelAtPeriodEnd(account, subscription, given.cancel_at_period_end);
      if (given.cancellation_details && subscription.cancellation_details)
        Object.assign(subscription.cancellation_details, given.cancellation_details);
      account.emit("customer.subscription.updated", subscription);
      return subscription;
    },
  ),
  operation(
    "POST /v1/subscriptions/:id/resume",
    params({ billing_cycle_anchor: z.enum(["now", "unchanged"]).optional() }),
    ({ account }, _given, id) => {
      const subscription = account.get("subscription", id);
      resumeSubscription(account, subscription);
      return subscription;
    },
  ),
  operation(
    "DELETE /v1/subscriptions/:id",
    params({ cancellation_details: cancellation.optional(), invoice_now: flag.optional(), prorate: flag.optional() }),
    ({ account }, given, id) => {
      const subscription = account.get("subscription", id);
      if (isOver(subscription))
        throw invalidRequest(`No such subscription: '${id}'`, { code: "resource_missing", param: "id" });
      if (given.cancellation_details && subscription.cancellation_details)
        Object.assign(subscription.cancellation_details, given.cancellation_details);
      cancelNow(account, subscription, "cancellation_requested");
      return subscription;
    },
  ),
];

/** Plans or revokes the end of a subscription at the end of its period. */
export function setCancelAtPeriodEnd(account: Account, subscription: Subscription, ends: boolean): void {
  if (subscription.cancel_at_period_end === ends) return;
  subscription.cancel_at_period_end = ends;
  subscription.cancel_at = ends ? periodEndOf(subscription) : null;
  subscription.canceled_at = ends ? account.now() : null;
  if (subscription.cancellation_details)
    subscription.cancellation_details.reason = ends ? "cancellation_requested" : null;
}

function activePrice(account: Account, id: string, param: string): Price {
  const price = account.get("price", id, param);
  if (!price.active)
    throw invalidRequest("The price specified is inactive. This field only accepts active prices.", { param });
  return price;
}

/** Without a status the API lists all subscriptions that have not ended. */
function hasStatus({ status }: Subscription, wanted: string | undefined): boolean {
  if (wanted === "all") return true;
  if (wanted === "ended") return status === "canceled" || status === "incomplete_expired";
  return wanted === undefined ? status !== "canceled" && status !== "incomplete_expired" : status === wanted;
}
