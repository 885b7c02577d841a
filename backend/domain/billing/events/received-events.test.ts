/** Which events of the provider are accepted: their signatures and contents. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type BillingScenario,
  billingScenario,
  signatureOf,
  userErrorOf,
} from "../../../dev/testing/billing/billing-scenario.ts";
import { receiveEvent } from "./events.ts";

let scenario: BillingScenario;
billingScenario(
  (opened) => {
    scenario = opened;
  },
  { once: true },
);
beforeAll(() => scenario.becomePro());

type EventRow = [name: string, make: (customer: string, subscription: string) => object, outcome: "read" | "nothing"];

/** 2001, in seconds. */
const OLD = 1_000_000_000;
const ITEM = { id: "si_1", object: "subscription_item", price: { id: "price_1", recurring: { interval: "month" } } };

/** The version is that of the endpoint at the provider, not that of our library. Later ones have the period in the items. */
const SUBSCRIPTION_SHAPES = {
  "2024-12-18.acacia": { current_period_start: 1, current_period_end: OLD, items: { object: "list", data: [ITEM] } },
  "2025-03-31.basil": { items: { object: "list", data: [{ ...ITEM, current_period_end: OLD }] } },
  "2025-09-30.clover": {
    billing_mode: { type: "flexible" },
    items: { object: "list", data: [{ ...ITEM, current_period_start: 1, current_period_end: OLD }] },
  },
};

/** Later ones have subscription and payments in objects of their own. */
const INVOICE_SHAPES: Readonly<Record<string, (subscription: string) => object>> = {
  "2024-12-18.acacia": (subscription) => ({ paid: true, subscription, charge: "ch_1", payment_intent: "pi_1" }),
  "2025-03-31.basil": (subscription) => ({
    parent: { type: "subscription_details", subscription_details: { subscription } },
    payments: { object: "list", data: [{ payment: { type: "payment_intent", payment_intent: "pi_1" } }] },
  }),
};

describe("events", () => {
  it("of an unknown customer are stored as handled, without a request to the provider", async () => {
    const asked = scenario.provider.requests.length;
    const id = `evt_${randomUUID()}`;
    await scenario.receive({
      id,
      object: "event",
      type: "invoice.paid",
      data: { object: { id: "in_1", object: "invoice", customer: "cus_nobody" } },
    });
    await scenario.runTasks();
    expect(scenario.provider.requests).toHaveLength(asked);
    expect(await scenario.billing.events.countDocuments({ _id: id, handledAt: { $ne: null } })).toBe(1);
  });

  it.each<EventRow>([
    [
      "of an unknown type",
      (customer) => ({
        type: "treasury.moon.eclipsed",
        data: { object: { id: "moon_1", object: "treasury.moon", customer } },
      }),
      "read",
    ],
    ["without an object", () => ({ type: "invoice.paid", data: {} }), "nothing"],
    ["without data", () => ({ type: "invoice.paid" }), "nothing"],
    ["whose object is a number", () => ({ type: "invoice.paid", data: { object: 7 } }), "nothing"],
    [
      "whose object has no id",
      (customer) => ({ type: "invoice.upcoming", data: { object: { object: "invoice", customer } } }),
      "read",
    ],
    [
      "whose customer is expanded",
      (customer) => ({
        type: "invoice.paid",
        data: { object: { id: "in_1", object: "invoice", customer: { id: customer, object: "customer" } } },
      }),
      "read",
    ],
    [
      "whose customer is a number",
      () => ({ type: "invoice.paid", data: { object: { id: "in_gone", object: "invoice", customer: 7 } } }),
      "nothing",
    ],
    [
      "of an older API version",
      (customer) => ({
        api_version: "2015-10-16",
        type: "customer.subscription.updated",
        data: { object: { id: "sub_1", object: "subscription", plan: { id: "gold" }, customer } },
      }),
      "read",
    ],
    ...Object.entries(SUBSCRIPTION_SHAPES).map<EventRow>(([version, shape]) => [
      `of a subscription in the shape of ${version}`,
      (customer, id) => ({
        api_version: version,
        type: "customer.subscription.updated",
        data: { object: { ...shape, id, object: "subscription", status: "active", customer } },
      }),
      "read",
    ]),
    ...Object.entries(INVOICE_SHAPES).map<EventRow>(([version, shapeOf]) => [
      `of a paid invoice in the shape of ${version}`,
      (customer, id) => ({
        api_version: version,
        type: "invoice.paid",
        data: { object: { ...shapeOf(id), id: "in_1", object: "invoice", status: "paid", customer } },
      }),
      "read",
    ]),
    [
      "of a deleted customer",
      (customer) => ({
        type: "customer.deleted",
        data: { object: { id: customer, object: "customer", deleted: true } },
      }),
      "read",
    ],
    [
      "of a deleted object",
      () => ({
        type: "charge.dispute.created",
        data: { object: { id: "du_gone", object: "dispute", charge: "ch_gone" } },
      }),
      "nothing",
    ],
    [
      "that is thin and names a subscription",
      (_customer, id) => ({
        object: "v2.core.event",
        type: "v1.customer.subscription.updated",
        related_object: { id, type: "subscription", url: `/v1/subscriptions/${id}` },
      }),
      "read",
    ],
    [
      "that is thin and names a customer",
      (id) => ({
        object: "v2.core.event",
        type: "v1.customer.updated",
        related_object: { id, type: "customer", url: `/v1/customers/${id}` },
      }),
      "read",
    ],
    [
      "that is thin and names nothing",
      () => ({ object: "v2.core.event", type: "v2.core.event_destination.ping", related_object: null }),
      "nothing",
    ],
    [
      "of the other mode",
      (customer) => ({
        livemode: true,
        type: "invoice.paid",
        data: { object: { id: "in_1", object: "invoice", customer } },
      }),
      "nothing",
    ],
  ])("accept an event %s", async (_name, make, outcome) => {
    const customer = await scenario.customerId();
    const subscription = (await scenario.subscriptions())[0]?.id ?? "";
    const before = await scenario.account();
    const id = `evt_${randomUUID()}`;
    await scenario.receive({ id, object: "event", ...make(customer, subscription) });
    await scenario.runTasks();
    const after = await scenario.account();
    expect((after?.readsBegun ?? 0) - (before?.readsBegun ?? 0)).toBe(outcome === "read" ? 1 : 0);
    // What an event says of a period is not believed.
    expect(after?.subscription).toEqual(before?.subscription);
    expect(await scenario.billing.events.countDocuments({ _id: id, handledAt: null })).toBe(0);
  });

  it.each([
    ["[]"],
    ["null"],
    ["7"],
    [`"evt"`],
    ["{}"],
    [`{"id":7,"type":"invoice.paid"}`],
    [`{"id":"","type":"invoice.paid"}`],
    [`{"id":"evt_1"}`],
  ])("reject a signed body that is not an event with bad_request: %s", async (body) => {
    expect(await userErrorOf(receiveEvent(scenario.billing, body, signatureOf(scenario.payment, body)))).toMatchObject({
      code: "bad_request",
    });
  });

  it.each([["t=,v1="], ["t=1,v1="], ["v1"], [","], ["t=1"], ["\u00e9"]])(
    "reject a malformed signature with bad_request: %s",
    async (signature) => {
      expect(
        await userErrorOf(receiveEvent(scenario.billing, `{"id":"evt_1","type":"invoice.paid"}`, signature)),
      ).toMatchObject({
        code: "bad_request",
      });
    },
  );

  it("reject a wrong or old signature with bad_request and store nothing", async () => {
    const payload = JSON.stringify({ id: "evt_forged", object: "event", type: "invoice.paid", data: { object: {} } });
    const other = signatureOf({ ...scenario.payment, webhookSecret: "whsec_other" }, payload);
    const stale = signatureOf(scenario.payment, payload, Math.floor(Date.now() / 1_000) - 301);
    for (const [body, signature] of [
      [payload, other],
      [payload, ""],
      [payload, stale],
      [`${payload} `, signatureOf(scenario.payment, payload)],
      ["", signatureOf(scenario.payment, "")],
      ["{", signatureOf(scenario.payment, "{")],
    ] as const)
      expect(await userErrorOf(receiveEvent(scenario.billing, body, signature))).toMatchObject({ code: "bad_request" });
    expect(await scenario.billing.events.findById("evt_forged")).toBeNull();
  });
});
