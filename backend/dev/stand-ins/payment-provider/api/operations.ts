/** The calls that change something: those of the product, and those of tests, which act as a seller in the dashboard. */
import { z } from "zod";
import { type Account, randomLetters } from "../account.ts";
import { invalidRequest, noSuch } from "../api-error.ts";
import { cancelNow, isOver, voidInvoice } from "../billing/ending.ts";
import { DRAFT_SECONDS } from "../billing/invoicing.ts";
import { refundCharge } from "../billing/reversing.ts";
import { changePrice, resumeSubscription, setCancelAtPeriodEnd, startSubscription } from "../billing/subscribing.ts";
import type { Price, Subscription } from "../state.ts";
import { createEndpoint } from "../webhooks.ts";

interface Context {
  readonly account: Account;
  /** Origin of the stand-in. */
  readonly origin: string;
  /** The id in the path. */
  readonly id: string;
}

export interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly run: (context: Context, given: unknown) => object;
}

const text = z.string();
const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
const metadata = z.record(text, text);
const events = z.array(text);
const conditions = z.union([z.array(z.strictObject({ type: text })), z.literal("").transform(() => [])]);
const PortalFeatures = z.strictObject({
  invoice_history: z.strictObject({ enabled: flag }),
  payment_method_update: z.strictObject({ enabled: flag }),
  subscription_cancel: z.strictObject({ enabled: flag, mode: z.literal("at_period_end") }),
  subscription_update: z.strictObject({
    enabled: flag,
    default_allowed_updates: z.tuple([z.literal("price")]),
    products: z.array(z.strictObject({ product: text, prices: z.array(text) })),
    proration_behavior: z.literal("always_invoice"),
    schedule_at_period_end: z.strictObject({ conditions }),
  }),
});

/**
 * @param route such as `POST /v1/customers/:id`
 * @param shape of the parameters; others are rejected, as in the real API
 */
function operation<S extends z.ZodRawShape>(
  route: `${"DELETE" | "GET" | "POST"} /v1/${string}`,
  shape: S,
  act: (context: Context, given: z.infer<z.ZodObject<S>>) => object,
): Operation {
  const [method = "", path = ""] = route.split(" ");
  const schema = z.strictObject({ ...shape, expand: z.array(text).optional() });
  return {
    method,
    path: new RegExp(`^${path.replace(":id", "(\\w+)")}$`),
    run(context, given) {
      const checked = schema.safeParse(given);
      if (!checked.success) throw invalidRequest(z.prettifyError(checked.error), { code: "parameter_unknown" });
      return act(context, checked.data as z.infer<z.ZodObject<S>>);
    },
  };
}

export const OPERATIONS: readonly Operation[] = [
  operation(
    "POST /v1/customers",
    { email: text.optional(), name: text.optional(), metadata: metadata.optional() },
    ({ account }, given) => {
      const customer = account.create("customer", {
        email: given.email ?? null,
        name: given.name ?? null,
        metadata: given.metadata ?? {},
      });
      account.emit("customer.created", customer);
      return customer;
    },
  ),
  operation("GET /v1/customers/search", { query: text }, ({ account }, { query }) => {
    const [, key = "", value] = /^metadata\["(\w+)"\]:"([^"]*)"$/.exec(query) ?? [];
    if (value === undefined) throw invalidRequest(`We were unable to parse your search query: ${query}`);
    const data = account.list("customer").filter((customer) => customer.metadata[key] === value);
    return { object: "search_result", data, has_more: false, next_page: null, url: "/v1/customers/search" };
  }),
  operation(
    "POST /v1/customers/:id/balance_transactions",
    { amount: integer, currency: text, description: text.optional(), metadata: metadata.optional() },
    ({ account, id }, { amount, currency, description = null, metadata: labels = {} }) => {
      const customer = account.get("customer", id);
      customer.balance += amount;
      account.emit("customer.updated", customer);
      return account.create("customer_balance_transaction", {
        amount,
        currency,
        customer: id,
        description,
        ending_balance: customer.balance,
        metadata: labels,
      });
    },
  ),
  operation("DELETE /v1/customers/:id", {}, ({ account, id }) => {
    const customer = account.get("customer", id);
    for (const subscription of account.list("subscription"))
      if (subscription.customer === id && !isOver(subscription)) cancelNow(account, subscription);
    account.emit("customer.deleted", customer);
    delete account.state.objects.customer[id];
    return { id, object: "customer", deleted: true };
  }),
  operation("POST /v1/products", { id: text, name: text }, ({ account }, { id, name }) => {
    if (account.find("product", id)) throw invalidRequest("Product already exists.");
    return account.create("product", { id, name });
  }),
  operation(
    "POST /v1/prices",
    {
      product: text,
      currency: text,
      unit_amount: integer,
      recurring: z.strictObject({ interval: z.enum(["month", "year"]) }),
      lookup_key: text.optional(),
      transfer_lookup_key: flag.optional(),
    },
    ({ account }, given) => {
      const { currency, lookup_key: key = null, unit_amount: amount } = given;
      const holder = key === null ? undefined : account.list("price").find((price) => price.lookup_key === key);
      if (holder && !given.transfer_lookup_key)
        throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: "lookup_key" });
      if (holder) {
        holder.lookup_key = null;
        account.emit("price.updated", holder);
      }
      const price = account.create("price", {
        currency,
        lookup_key: key,
        product: account.get("product", given.product, "product").id,
        recurring: {
          interval: given.recurring.interval,
          interval_count: 1,
          meter: null,
          trial_period_days: null,
          usage_type: "licensed",
        },
        unit_amount: amount,
      });
      account.emit("price.created", price);
      return price;
    },
  ),
  operation("POST /v1/prices/:id", { active: flag }, ({ account, id }, { active }) => {
    const price = account.get("price", id);
    price.active = active;
    account.emit("price.updated", price);
    return price;
  }),
  operation(
    "POST /v1/subscriptions",
    {
      customer: text,
      items: z.tuple([z.strictObject({ price: text })]),
      payment_behavior: z.literal("default_incomplete").optional(),
      payment_settings: z
        .strictObject({
          payment_method_types: z.tuple([z.literal("card")]).optional(),
          save_default_payment_method: z.literal("on_subscription").optional(),
        })
        .optional(),
      metadata: metadata.optional(),
      trial_period_days: integer.optional(),
      trial_settings: z
        .strictObject({ end_behavior: z.strictObject({ missing_payment_method: z.literal("pause") }) })
        .optional(),
    },
    ({ account }, given) => {
      account.get("customer", given.customer, "customer");
      return startSubscription(account, given, activePrice(account, given.items[0].price));
    },
  ),
  operation(
    "POST /v1/subscriptions/:id",
    {
      cancel_at_period_end: flag.optional(),
      items: z.tuple([z.strictObject({ id: text, price: text })]).optional(),
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
      proration_behavior: z.literal("always_invoice").optional(),
    },
    ({ account, id }, given) => {
      const subscription = running(account, id);
      const { pause_collection: pause, cancel_at_period_end: ends } = given;
      // An empty value removes its key.
      subscription.metadata = Object.fromEntries(
        Object.entries({ ...subscription.metadata, ...given.metadata }).filter(([, value]) => value !== ""),
      );
      if (given.items) changePrice(account, subscription, activePrice(account, given.items[0].price));
      if (pause !== undefined) subscription.pause_collection = pause === "" ? null : { resumes_at: null, ...pause };
      if (ends !== undefined) setCancelAtPeriodEnd(account, subscription, ends);
      account.emit("customer.subscription.updated", subscription);
      return subscription;
    },
  ),
  operation("POST /v1/subscriptions/:id/resume", {}, ({ account, id }) =>
    resumeSubscription(account, account.get("subscription", id)),
  ),
  operation("DELETE /v1/subscriptions/:id", {}, ({ account, id }) => {
    const subscription = running(account, id);
    cancelNow(account, subscription);
    return subscription;
  }),
  operation("POST /v1/invoices/:id", { auto_advance: flag }, ({ account, id }, { auto_advance: advances }) => {
    const invoice = account.get("invoice", id);
    const now = account.now();
    invoice.auto_advance = advances;
    invoice.automatically_finalizes_at = advances && invoice.status === "draft" ? now + DRAFT_SECONDS : null;
    invoice.next_payment_attempt = advances && invoice.status === "open" ? now + 1 : null;
    return invoice;
  }),
  operation("POST /v1/invoices/:id/void", {}, ({ account, id }) => {
    const invoice = account.get("invoice", id);
    voidInvoice(account, invoice);
    return invoice;
  }),
  operation("POST /v1/refunds", { charge: text, amount: integer.optional() }, ({ account }, { charge, amount }) =>
    refundCharge(account, account.get("charge", charge, "charge"), amount),
  ),
  operation("POST /v1/webhook_endpoints", { url: text, enabled_events: events }, ({ account }, given) =>
    createEndpoint(account, given),
  ),
  operation(
    "POST /v1/webhook_endpoints/:id",
    { enabled_events: events, disabled: flag },
    ({ account, id }, { enabled_events: enabled, disabled }) =>
      Object.assign(account.get("webhook_endpoint", id), {
        enabled_events: enabled,
        status: disabled ? "disabled" : "enabled",
      }),
  ),
  operation(
    "POST /v1/billing_portal/configurations",
    { features: PortalFeatures, metadata },
    ({ account }, { features, metadata: labels }) => {
      const made = account.create("billing_portal.configuration", { metadata: labels });
      for (const name of Object.keys(features) as (keyof typeof features)[])
        Object.assign(made.features[name], features[name]);
      return made;
    },
  ),
  operation(
    "POST /v1/billing_portal/configurations/:id",
    {
      features: z.strictObject({
        subscription_update: z.strictObject({ schedule_at_period_end: z.strictObject({ conditions }) }),
      }),
    },
    ({ account, id }, { features }) => {
      const known = account.get("billing_portal.configuration", id);
      Object.assign(known.features.subscription_update, features.subscription_update);
      return known;
    },
  ),
  operation(
    "POST /v1/billing_portal/sessions",
    { customer: text, configuration: text, return_url: text },
    ({ account, origin }, given) =>
      account.create("billing_portal.session", {
        customer: account.get("customer", given.customer, "customer").id,
        configuration: account.get("billing_portal.configuration", given.configuration, "configuration").id,
        return_url: given.return_url,
        url: `${origin}/p/session/test_${randomLetters(40)}`,
      }),
  ),
];

function activePrice(account: Account, id: string): Price {
  const price = account.get("price", id, "items[0][price]");
  if (!price.active)
    throw invalidRequest("The price specified is inactive. This field only accepts active prices.", {
      param: "items[0][price]",
    });
  return price;
}

function running(account: Account, id: string): Subscription {
  const subscription = account.get("subscription", id);
  if (isOver(subscription)) throw noSuch("subscription", id);
  return subscription;
}
