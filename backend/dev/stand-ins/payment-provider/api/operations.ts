/**
 * The calls of the API. Only what something calls: the product; tests, which change what a seller changes in the
 * provider's dashboard; and the comparison of our objects with stripe-mock's.
 */
import { z } from "zod";
import { type Account, randomLetters } from "../account.ts";
import { invalidRequest } from "../api-error.ts";
import { cancelNow, isOver, voidInvoice } from "../billing/ending.ts";
import { DRAFT_SECONDS } from "../billing/invoicing.ts";
import { refundCharge } from "../billing/refunding.ts";
import { changePrice, resumeSubscription, setCancelAtPeriodEnd, startSubscription } from "../billing/subscribing.ts";
import { newPrice, newProduct } from "../shapes/catalog.ts";
import { newBalanceTransaction, newCustomer } from "../shapes/customer.ts";
import { newPortalConfiguration, newPortalSession, newWebhookEndpoint, PortalFeatures } from "../shapes/portal.ts";
import type { Price, Subscription, WebhookEndpoint } from "../state.ts";
import { operation } from "./operation.ts";
import { flag, integer, mergeMetadata, metadata, params, text } from "./params.ts";
import { listing, retrieving } from "./reading.ts";

const DAY_SECONDS = 86_400;
const events = z.array(text).min(1);
const behavior = z.enum(["allow_incomplete", "default_incomplete"]);
const currency = z.string().regex(/^[a-z]{3}$/);

const CUSTOMERS = [
  operation(
    "POST /v1/customers",
    params({ email: text.optional(), name: text.optional(), metadata: metadata.optional() }),
    ({ account }, given) => {
      const customer = account.add("customer", newCustomer(account, given));
      account.emit("customer.created", customer);
      return customer;
    },
  ),
  listing("GET /v1/customers", "customer", { email: ["email"] }),
  operation(
    "GET /v1/customers/search",
    z.strictObject({ query: text, limit: z.string().optional(), page: text.optional() }),
    ({ account }, { query }) => {
      const [, key = "", value] = /^metadata\["(\w+)"\]:"([^"]*)"$/.exec(query) ?? [];
      if (value === undefined)
        throw invalidRequest(`We were unable to parse your search query: ${query}`, { param: "query" });
      const data = account.list("customer").filter((customer) => customer.metadata[key] === value);
      return { object: "search_result", data, has_more: false, next_page: null, url: "/v1/customers/search" };
    },
  ),
  retrieving("GET /v1/customers/:id", "customer"),
  operation(
    "POST /v1/customers/:id/balance_transactions",
    params({ amount: integer, currency, description: text.optional(), metadata: metadata.optional() }),
    ({ account }, given, id) => {
      const customer = account.get("customer", id);
      const made = account.add("customer_balance_transaction", newBalanceTransaction(account, customer, given));
      customer.balance = made.ending_balance;
      account.emit("customer.updated", customer);
      return made;
    },
  ),
  listing("GET /v1/customers/:customer/balance_transactions", "customer_balance_transaction", {}),
  listing("GET /v1/customers/:customer/payment_methods", "payment_method", {}),
  operation("DELETE /v1/customers/:id", params({}), ({ account }, _given, id) => {
    const customer = account.get("customer", id);
    for (const subscription of account.list("subscription"))
      if (subscription.customer === id && !isOver(subscription))
        cancelNow(account, subscription, "cancellation_requested");
    account.emit("customer.deleted", customer);
    delete account.state.objects.customer[id];
    return { id, object: "customer", deleted: true };
  }),
];

const CATALOG = [
  operation("POST /v1/products", params({ id: text.optional(), name: text }), ({ account }, given) => {
    if (given.id !== undefined && account.find("product", given.id))
      throw invalidRequest("Product already exists.", { code: "resource_already_exists", param: "id" });
    const product = account.add("product", newProduct(account, given));
    account.emit("product.created", product);
    return product;
  }),
  listing("GET /v1/products", "product", { ids: ["id"] }),
  retrieving("GET /v1/products/:id", "product"),
  operation(
    "POST /v1/prices",
    params({
      product: text.optional(),
      product_data: z.strictObject({ name: text }).optional(),
      currency,
      unit_amount: integer.pipe(z.number().min(0)),
      recurring: z.strictObject({ interval: z.enum(["day", "week", "month", "year"]) }),
      lookup_key: text.max(200).optional(),
      transfer_lookup_key: flag.optional(),
    }),
    ({ account }, given) => {
      if (given.product_data === undefined && given.product === undefined)
        throw invalidRequest("Missing required param: product.", { code: "parameter_missing", param: "product" });
      freeLookupKey(account, given.lookup_key, given.transfer_lookup_key);
      const product = given.product_data
        ? account.add("product", newProduct(account, given.product_data))
        : account.get("product", given.product ?? "", "product");
      const price = account.add(
        "price",
        newPrice(account, {
          product: product.id,
          currency: given.currency,
          unitAmount: given.unit_amount,
          interval: given.recurring.interval,
          lookupKey: given.lookup_key,
        }),
      );
      account.emit("price.created", price);
      return price;
    },
  ),
  listing("GET /v1/prices", "price", { lookup_keys: ["lookup_key"], active: ["active"] }),
  retrieving("GET /v1/prices/:id", "price"),
  operation("POST /v1/prices/:id", params({ active: flag }), ({ account }, given, id) => {
    const price = account.get("price", id);
    price.active = given.active;
    account.emit("price.updated", price);
    return price;
  }),
];

const SUBSCRIPTIONS = [
  operation(
    "POST /v1/subscriptions",
    params({
      customer: text,
      items: z.array(z.strictObject({ price: text })).min(1),
      payment_behavior: behavior.optional(),
      payment_settings: z
        .strictObject({
          payment_method_types: z.array(z.enum(["card", "link"])).optional(),
          save_default_payment_method: z.enum(["off", "on_subscription"]).optional(),
        })
        .optional(),
      metadata: metadata.optional(),
      trial_period_days: integer.pipe(z.number().min(1)).optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({ missing_payment_method: z.enum(["cancel", "create_invoice", "pause"]) }),
        })
        .optional(),
    }),
    ({ account }, given) => {
      const days = given.trial_period_days;
      return startSubscription(
        account,
        {
          customer: account.get("customer", given.customer, "customer").id,
          prices: given.items.map(({ price }, place) => activePrice(account, price, `items[${place}][price]`)),
          metadata: given.metadata,
          paymentMethodTypes: given.payment_settings?.payment_method_types,
          savesCard: given.payment_settings?.save_default_payment_method === "on_subscription",
          withoutCard: given.trial_settings?.end_behavior.missing_payment_method,
          trialEndSeconds: days === undefined ? undefined : account.now() + days * DAY_SECONDS,
        },
        given.payment_behavior ?? "allow_incomplete",
      );
    },
  ),
  /** Without a status the API lists all subscriptions that have not ended. */
  listing("GET /v1/subscriptions", "subscription", { customer: ["customer"] }, (subscription, { status }) =>
    status === undefined ? !isOver(subscription) : status === "all" || subscription.status === status,
  ),
  retrieving("GET /v1/subscriptions/:id", "subscription"),
  operation(
    "POST /v1/subscriptions/:id",
    params({
      cancel_at_period_end: flag.optional(),
      items: z.array(z.strictObject({ id: text, price: text })).optional(),
      metadata: metadata.optional(),
      pause_collection: z
        .union([
          z.strictObject({
            behavior: z.enum(["keep_as_draft", "mark_uncollectible", "void"]),
            resumes_at: integer.optional(),
          }),
          z.literal(""),
        ])
        .optional(),
      proration_behavior: z.enum(["always_invoice", "create_prorations", "none"]).optional(),
    }),
    ({ account }, given, id) => {
      const subscription = account.get("subscription", id);
      if (isOver(subscription))
        throw invalidRequest("A canceled subscription can only update its cancellation_details and metadata.", {
          param: "id",
        });
      subscription.metadata = mergeMetadata(subscription.metadata, given.metadata);
      for (const { id: itemId, price } of given.items ?? [])
        changePrice(
          account,
          subscription,
          itemId,
          activePrice(account, price, "items[0][price]"),
          given.proration_behavior,
        );
      if (given.pause_collection !== undefined)
        subscription.pause_collection =
          given.pause_collection === "" ? null : { resumes_at: null, ...given.pause_collection };
      if (given.cancel_at_period_end !== undefined)
        setCancelAtPeriodEnd(account, subscription, given.cancel_at_period_end);
      account.emit("customer.subscription.updated", subscription);
      return subscription;
    },
  ),
  operation("POST /v1/subscriptions/:id/resume", params({}), ({ account }, _given, id) =>
    resumeSubscription(account, account.get("subscription", id)),
  ),
  operation(
    "DELETE /v1/subscriptions/:id",
    params({ invoice_now: flag.optional(), prorate: flag.optional() }),
    ({ account }, _given, id): Subscription => {
      const subscription = account.get("subscription", id);
      if (isOver(subscription))
        throw invalidRequest(`No such subscription: '${id}'`, { code: "resource_missing", param: "id" });
      cancelNow(account, subscription, "cancellation_requested");
      return subscription;
    },
  ),
];

const PAYMENTS = [
  listing("GET /v1/invoices", "invoice", { customer: ["customer"] }),
  retrieving("GET /v1/invoices/:id", "invoice"),
  operation("POST /v1/invoices/:id", params({ auto_advance: flag }), ({ account }, { auto_advance: advances }, id) => {
    const invoice = account.get("invoice", id);
    const now = account.now();
    invoice.auto_advance = advances;
    invoice.automatically_finalizes_at = advances && invoice.status === "draft" ? now + DRAFT_SECONDS : null;
    invoice.next_payment_attempt = advances && invoice.status === "open" ? now + 1 : null;
    account.emit("invoice.updated", invoice);
    return invoice;
  }),
  operation("POST /v1/invoices/:id/void", params({}), ({ account }, _given, id) => {
    const invoice = account.get("invoice", id);
    voidInvoice(account, invoice);
    return invoice;
  }),
  listing("GET /v1/invoice_payments", "invoice_payment", {}),
  retrieving("GET /v1/invoice_payments/:id", "invoice_payment"),
  listing("GET /v1/payment_intents", "payment_intent", { customer: ["customer"] }),
  retrieving("GET /v1/payment_intents/:id", "payment_intent"),
  retrieving("GET /v1/setup_intents/:id", "setup_intent"),
  retrieving("GET /v1/payment_methods/:id", "payment_method"),
  listing("GET /v1/charges", "charge", { customer: ["customer"] }),
  retrieving("GET /v1/charges/:id", "charge"),
  operation(
    "POST /v1/refunds",
    params({ charge: text, amount: integer.optional() }),
    ({ account }, { charge, amount }) => refundCharge(account, account.get("charge", charge, "charge"), amount),
  ),
  retrieving("GET /v1/refunds/:id", "refund"),
  listing("GET /v1/disputes", "dispute", { charge: ["charge"] }),
  retrieving("GET /v1/disputes/:id", "dispute"),
];

/** Webhook endpoints, events, and the billing portal's settings and sessions. */
const SETTINGS = [
  operation("POST /v1/webhook_endpoints", params({ url: text, enabled_events: events }), ({ account }, given) =>
    account.add("webhook_endpoint", newWebhookEndpoint(account, given.url, given.enabled_events)),
  ),
  listing("GET /v1/webhook_endpoints", "webhook_endpoint", {}, () => true, withoutSecret),
  retrieving("GET /v1/webhook_endpoints/:id", "webhook_endpoint", withoutSecret),
  operation(
    "POST /v1/webhook_endpoints/:id",
    params({ enabled_events: events.optional(), disabled: flag.optional() }),
    ({ account }, given, id) => {
      const endpoint = account.get("webhook_endpoint", id);
      if (given.enabled_events !== undefined) endpoint.enabled_events = given.enabled_events;
      if (given.disabled !== undefined) endpoint.status = given.disabled ? "disabled" : "enabled";
      return withoutSecret(endpoint);
    },
  ),
  retrieving("GET /v1/events/:id", "event"),
  operation(
    "POST /v1/billing_portal/configurations",
    params({ features: PortalFeatures, metadata: metadata.optional() }),
    ({ account }, given) => {
      const made = newPortalConfiguration(account, given.features, given.metadata);
      account.emit("billing_portal.configuration.created", made);
      return account.add("billing_portal.configuration", made);
    },
  ),
  listing("GET /v1/billing_portal/configurations", "billing_portal.configuration", { active: ["active"] }),
  retrieving("GET /v1/billing_portal/configurations/:id", "billing_portal.configuration"),
  operation(
    "POST /v1/billing_portal/configurations/:id",
    params({
      features: z.strictObject({
        subscription_update: PortalFeatures.shape.subscription_update.unwrap().pick({ schedule_at_period_end: true }),
      }),
    }),
    ({ account }, given, id) => {
      const known = account.get("billing_portal.configuration", id);
      const { conditions = [] } = given.features.subscription_update.schedule_at_period_end ?? {};
      known.features.subscription_update.schedule_at_period_end = { conditions };
      account.emit("billing_portal.configuration.updated", known);
      return known;
    },
  ),
  operation(
    "POST /v1/billing_portal/sessions",
    params({ customer: text, configuration: text, return_url: text.optional() }),
    ({ account, origin }, given) =>
      account.add(
        "billing_portal.session",
        newPortalSession(account, {
          customer: account.get("customer", given.customer, "customer").id,
          configuration: account.get("billing_portal.configuration", given.configuration, "configuration").id,
          returnUrl: given.return_url ?? null,
          url: `${origin}/p/session/test_${randomLetters(40)}`,
        }),
      ),
  ),
];

export const OPERATIONS = [...CUSTOMERS, ...CATALOG, ...SUBSCRIPTIONS, ...PAYMENTS, ...SETTINGS];

/** Removes a lookup key from its price. @throws ApiError 400 unless the call transfers it */
function freeLookupKey(account: Account, key: string | undefined, transfers = false): void {
  const holder = key === undefined ? undefined : account.list("price").find((price) => price.lookup_key === key);
  if (!holder) return;
  if (!transfers)
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, {
      code: "resource_already_exists",
      param: "lookup_key",
    });
  holder.lookup_key = null;
  account.emit("price.updated", holder);
}

function activePrice(account: Account, id: string, param: string): Price {
  const price = account.get("price", id, param);
  if (!price.active)
    throw invalidRequest("The price specified is inactive. This field only accepts active prices.", { param });
  return price;
}

/** Only the answer that creates an endpoint has its secret. */
function withoutSecret({ secret: _secret, ...endpoint }: WebhookEndpoint): Omit<WebhookEndpoint, "secret"> {
  return endpoint;
}
