/** Webhook endpoints, and settings and sessions of the billing portal. */
import { z } from "zod";
import { type Account, API_VERSION, randomLetters } from "../account.ts";
import { flag, text } from "../api/params.ts";
import type { PortalConfiguration, PortalSession, WebhookEndpoint } from "../state.ts";

const toggle = z.strictObject({ enabled: flag });
export const PortalFeatures = z.strictObject({
  invoice_history: toggle.optional(),
  payment_method_update: toggle.optional(),
  subscription_cancel: toggle.extend({ mode: z.enum(["at_period_end", "immediately"]).optional() }).optional(),
  subscription_update: toggle
    .extend({
      default_allowed_updates: z.array(z.enum(["price", "promotion_code", "quantity"])).optional(),
      products: z.array(z.strictObject({ product: text, prices: z.array(text) })).optional(),
      proration_behavior: z.enum(["always_invoice", "create_prorations", "none"]).optional(),
      schedule_at_period_end: z
        .strictObject({
          conditions: z
            .union([
              z.array(z.strictObject({ type: z.enum(["decreasing_item_amount", "shortening_interval"]) })),
              z.literal("").transform(() => []),
            ])
            .optional(),
        })
        .optional(),
    })
    .optional(),
});

/** Features that are not given are off, as in the API. */
export function newPortalConfiguration(
  account: Account,
  features: z.infer<typeof PortalFeatures>,
  metadata: Record<string, string> = {},
): PortalConfiguration {
  const { subscription_cancel: cancel, subscription_update: update } = features;
  return {
    id: account.newId("billing_portal.configuration"),
    object: "billing_portal.configuration",
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: account.now(),
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: features.invoice_history?.enabled ?? false },
      payment_method_update: {
        enabled: features.payment_method_update?.enabled ?? false,
        payment_method_configuration: null,
      },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: cancel?.enabled ?? false,
        mode: cancel?.mode ?? "at_period_end",
        proration_behavior: "none",
      },
      subscription_pause: { duration: { interval_options: [], type: "indefinite" }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: update?.default_allowed_updates ?? [],
        enabled: update?.enabled ?? false,
        products:
          update?.products?.map(({ product, prices }) => ({
            product,
            prices,
            adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
          })) ?? null,
        proration_behavior: update?.proration_behavior ?? "none",
        schedule_at_period_end: { conditions: update?.schedule_at_period_end?.conditions ?? [] },
        trial_update_behavior: "end_trial",
      },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata,
    name: null,
    updated: account.now(),
  };
}

export function newPortalSession(
  account: Account,
  given: { customer: string; configuration: string; returnUrl: string | null; url: string },
): PortalSession {
  return {
    id: account.newId("billing_portal.session"),
    object: "billing_portal.session",
    configuration: given.configuration,
    created: account.now(),
    customer: given.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: given.returnUrl,
    url: given.url,
  };
}

export function newWebhookEndpoint(
  account: Account,
  url: string,
  events: readonly string[],
  secret: string = `whsec_${randomLetters(32)}`,
): WebhookEndpoint {
  return {
    id: account.newId("webhook_endpoint"),
    object: "webhook_endpoint",
    api_version: API_VERSION,
    application: null,
    created: account.now(),
    description: null,
    enabled_events: [...events],
    livemode: false,
    metadata: {},
    secret,
    status: "enabled",
    url,
  };
}
