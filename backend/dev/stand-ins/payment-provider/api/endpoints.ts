/** Webhook endpoints, events, and the billing portal's settings and sessions. */
import { z } from "zod";
import { API_VERSION, type Account, randomLetters } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { newPortalConfiguration, newPortalSession } from "../shapes/portal.ts";
import type { WebhookEndpoint } from "../state.ts";
import { pageOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { emptiableMetadata, flag, listParams, mergeMetadata, metadata, params, text } from "./params.ts";

const events = z.array(text).min(1);
const proration = z.enum(["always_invoice", "create_prorations", "none"]);
const scheduled = z.strictObject({
  conditions: z
    .union([
      z.array(z.strictObject({ type: z.enum(["decreasing_item_amount", "shortening_interval"]) })),
      z.literal("").transform(() => []),
    ])
    .optional(),
});
const features = z.strictObject({
  customer_update: z
    .strictObject({ enabled: flag, allowed_updates: z.union([z.array(text), z.literal("")]).optional() })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: z.enum(["at_period_end", "immediately"]).optional(),
      proration_behavior: proration.optional(),
      cancellation_reason: z.strictObject({ enabled: flag, options: z.array(text).optional() }).optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: z
        .union([z.array(z.enum(["price", "promotion_code", "quantity"])), z.literal("")])
        .optional(),
      products: z.array(z.strictObject({ product: text, prices: z.array(text) })).optional(),
      proration_behavior: proration.optional(),
      schedule_at_period_end: scheduled.optional(),
    })
    .optional(),
});
export type PortalFeatures = z.infer<typeof features>;
const profile = z.strictObject({
  headline: text.max(60).optional(),
  privacy_policy_url: text.optional(),
  terms_of_service_url: text.optional(),
});
const configuration = {
  business_profile: profile.optional(),
  default_return_url: text.optional(),
  metadata: metadata.optional(),
  name: text.optional(),
  login_page: z.strictObject({ enabled: flag }).optional(),
};

export const ENDPOINT_OPERATIONS = [
  operation(
    "POST /v1/webhook_endpoints",
    params({
      url: text,
      enabled_events: events,
      api_version: text.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
    }),
    ({ account }, given) => {
      if (!URL.canParse(given.url))
        throw invalidRequest("Invalid URL: An explicit scheme (such as https) must be provided.", {
          code: "url_invalid",
          param: "url",
        });
      return addWebhookEndpoint(account, {
        url: given.url,
        events: given.enabled_events,
        description: given.description,
        metadata: given.metadata,
      });
    },
  ),
  operation("GET /v1/webhook_endpoints", listParams({}), ({ account }, given) =>
    pageOf(account.list("webhook_endpoint").map(withoutSecret), "/v1/webhook_endpoints", given),
  ),
  operation("GET /v1/webhook_endpoints/:id", params({}), ({ account }, _given, id) =>
    withoutSecret(account.get("webhook_endpoint", id)),
  ),
  operation(
    "POST /v1/webhook_endpoints/:id",
    params({
      url: text.optional(),
      enabled_events: events.optional(),
      description: text.optional(),
      disabled: flag.optional(),
      metadata: emptiableMetadata.optional(),
    }),
    ({ account }, given, id) => {
      const endpoint = account.get("webhook_endpoint", id);
      if (given.url !== undefined) endpoint.url = given.url;
      if (given.enabled_events !== undefined) endpoint.enabled_events = given.enabled_events;
      if (given.disabled !== undefined) endpoint.status = given.disabled ? "disabled" : "enabled";
      endpoint.metadata = mergeMetadata(endpoint.metadata, given.metadata);
      return withoutSecret(endpoint);
    },
  ),
  operation("GET /v1/events/:id", params({}), ({ account }, _given, id) => account.get("event", id)),
  operation("POST /v1/billing_portal/configurations", params({ ...configuration, features }), ({ account }, given) => {
    const made = account.add("billing_portal.configuration", newPortalConfiguration(account, given));
    account.emit("billing_portal.configuration.created", made);
    return made;
  }),
  operation(
    "GET /v1/billing_portal/configurations",
    listParams({ active: flag.optional(), is_default: flag.optional() }),
    ({ account }, given) =>
      pageOf(
        account
          .list("billing_portal.configuration")
          .filter(
            ({ active, is_default }) =>
              (given.active ?? active) === active && (given.is_default ?? is_default) === is_default,
          ),
        "/v1/billing_portal/configurations",
        given,
      ),
  ),
  operation("GET /v1/billing_portal/configurations/:id", params({}), ({ account }, _given, id) =>
    account.get("billing_portal.configuration", id),
  ),
  operation(
    "POST /v1/billing_portal/configurations/:id",
    params({
      features: z.strictObject({ subscription_update: z.strictObject({ schedule_at_period_end: scheduled }) }),
    }),
    ({ account }, given, id) => {
      const known = account.get("billing_portal.configuration", id);
      const { conditions = [] } = given.features.subscription_update.schedule_at_period_end;
      known.features.subscription_update.schedule_at_period_end = { conditions };
      account.emit("billing_portal.configuration.updated", known);
      return known;
    },
  ),
  operation(
    "POST /v1/billing_portal/sessions",
    params({ customer: text, configuration: text.optional(), return_url: text.optional(), locale: text.optional() }),
    ({ account, origin }, given) => {
      const customer = account.get("customer", given.customer, "customer");
      const settings =
        given.configuration === undefined
          ? account.list("billing_portal.configuration").find(({ is_default }) => is_default)
          : account.get("billing_portal.configuration", given.configuration, "configuration");
      if (!settings)
        throw invalidRequest(
          "No configuration provided and your test mode default configuration has not been created. " +
            "Provide a configuration or create your default by saving your customer portal settings in " +
            "test mode at https://dashboard.stripe.com/test/settings/billing/portal.",
        );
      const session = newPortalSession(account, {
        customer: customer.id,
        configuration: settings.id,
        returnUrl: given.return_url ?? settings.default_return_url,
        origin,
      });
      return account.add("billing_portal.session", session);
    },
  ),
];

/** Adds an endpoint; only this answer includes its secret. */
export function addWebhookEndpoint(
  account: Account,
  given: {
    url: string;
    events: readonly string[];
    secret?: string | undefined;
    description?: string | undefined;
    metadata?: Record<string, string> | undefined;
  },
): WebhookEndpoint {
  return account.add("webhook_endpoint", {
    id: account.newId("webhook_endpoint"),
    object: "webhook_endpoint",
    api_version: API_VERSION,
    application: null,
    created: account.now(),
    description: given.description ?? null,
    enabled_events: [...given.events],
    livemode: false,
    metadata: given.metadata ?? {},
    secret: given.secret ?? `whsec_${randomLetters(32)}`,
    status: "enabled",
    url: given.url,
  });
}

function withoutSecret({ secret: _secret, ...endpoint }: WebhookEndpoint): Omit<WebhookEndpoint, "secret"> {
  return endpoint;
}
