import { type Account, randomLetters } from "../account.ts";
import type { PortalFeatures } from "../api/endpoints.ts";
import type { PortalConfiguration, PortalSession } from "../state.ts";

export interface PortalSettings {
  readonly features?: PortalFeatures | undefined;
  readonly business_profile?:
    | {
        readonly headline?: string | undefined;
        readonly privacy_policy_url?: string | undefined;
        readonly terms_of_service_url?: string | undefined;
      }
    | undefined;
  readonly default_return_url?: string | undefined;
  readonly metadata?: Record<string, string> | null | undefined;
  readonly name?: string | undefined;
}

/** Features that are not given are off, as in the API. */
export function newPortalConfiguration(
  account: Account,
  { features = {}, business_profile: profile, default_return_url: returnUrl, metadata, name }: PortalSettings,
): PortalConfiguration {
  const { customer_update: customer, subscription_cancel: cancel, subscription_update: update } = features;
  return {
    id: account.newId("billing_portal.configuration"),
    object: "billing_portal.configuration",
    active: true,
    application: null,
    business_profile: {
      headline: profile?.headline ?? null,
      privacy_policy_url: profile?.privacy_policy_url ?? null,
      terms_of_service_url: profile?.terms_of_service_url ?? null,
    },
    created: account.now(),
    default_return_url: returnUrl || null,
    features: {
      customer_update: { allowed_updates: customer?.allowed_updates || [], enabled: customer?.enabled ?? false },
      invoice_history: { enabled: features.invoice_history?.enabled ?? false },
      payment_method_update: {
        enabled: features.payment_method_update?.enabled ?? false,
        payment_method_configuration: null,
      },
      subscription_cancel: {
        cancellation_reason: {
          enabled: cancel?.cancellation_reason?.enabled ?? false,
          feedback_options: null,
          options: cancel?.cancellation_reason?.options ?? [],
        },
        enabled: cancel?.enabled ?? false,
        mode: cancel?.mode ?? "at_period_end",
        proration_behavior: cancel?.proration_behavior ?? "none",
      },
      subscription_pause: { duration: { interval_options: [], type: "indefinite" }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: update?.default_allowed_updates || [],
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
    metadata: metadata ?? {},
    name: name ?? null,
    updated: account.now(),
  };
}

export function newPortalSession(
  account: Account,
  given: { customer: string; configuration: string; returnUrl: string | null; origin: string },
): PortalSession {
  const secret = `test_${randomLetters(40)}`;
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
    url: `${given.origin}/p/session/${secret}`,
  };
}
