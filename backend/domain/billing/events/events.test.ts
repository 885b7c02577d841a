import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type BillingScenario,
  beforeEachScenario,
  userErrorOf,
} from "../../../dev/testing/billing/billing-scenario.ts";
import { confirmWithCard } from "../../../dev/testing/billing/payer.ts";
import { createSubscription } from "../checkout/checkout.ts";
import { readBack } from "../read-back/read-back.ts";
import { claimDueAccounts, countReadFailure, postponeRead, requestEarlyReadBack } from "../read-back/reconcile.ts";
import { deleteOldEvents, receiveEvent } from "./events.ts";

let scenario: BillingScenario;
beforeEachScenario((opened) => {
  scenario = opened;
});

describe("events", () => {
  it.each([
    ["in reverse order", (events: object[]) => events.toReversed()],
    ["received three times each", (events: object[]) => [...events, ...events, ...events]],
    ["of which only the last arrives", (events: object[]) => events.slice(-1)],
    [
      "of which only the first arrives",
      (events: object[]) => events.filter((event) => "type" in event && event.type === "customer.subscription.created"),
    ],
  ])("give Pro from events %s", async (_name, order) => {
    const { clientSecret } = await createSubscription(scenario.billing, scenario.userId, "monthly");
    await confirmWithCard(scenario.provider, clientSecret);
    await scenario.deliver(order);
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    expect(await scenario.account()).toMatchObject({ subscription: { status: "active" } });
  });

  it("ignore the contents of an old event that arrives late", async () => {
    await scenario.becomePro();
    const early = scenario.provider.events.find(({ type }) => type === "customer.subscription.created");
    await scenario.receive({ ...early, id: "evt_repeated" });
    await scenario.runTasks();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("queue one read-back when the same event arrives several times", async () => {
    await scenario.becomePro();
    const customer = (await scenario.account())?.customerId;
    const event = {
      id: `evt_${randomUUID()}`,
      object: "event",
      type: "invoice.paid",
      data: { object: { id: "in_1", object: "invoice", customer } },
    };
    await Promise.all([scenario.receive(event), scenario.receive(event), scenario.receive(event)]);
    expect(scenario.billing.tasks).toEqual([{ kind: "account", id: scenario.userId }]);
    await scenario.runTasks();
    expect(await scenario.billing.events.countDocuments({ _id: event.id, handledAt: null })).toBe(0);
    await scenario.receive(event);
    expect(scenario.billing.tasks).toHaveLength(0);
  });

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

  it.each<[string, (customer: string, subscription: string) => object, "read" | "nothing"]>([
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
    await scenario.becomePro();
    const customer = await scenario.customerId();
    const subscription = (await scenario.subscriptions())[0]?.id ?? "";
    const before = (await scenario.account())?.readsBegun ?? 0;
    const id = `evt_${randomUUID()}`;
    await scenario.receive({ id, object: "event", ...make(customer, subscription) });
    await scenario.runTasks();
    expect(((await scenario.account())?.readsBegun ?? 0) - before).toBe(outcome === "read" ? 1 : 0);
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
    expect(await userErrorOf(receiveEvent(scenario.billing, body, scenario.header(body)))).toMatchObject({
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
    const other = scenario.payment.stripe.webhooks.generateTestHeaderString({ payload, secret: "whsec_other" });
    const stale = scenario.header(payload, Math.floor(Date.now() / 1_000) - 301);
    for (const [body, signature] of [
      [payload, other],
      [payload, ""],
      [payload, stale],
      [`${payload} `, scenario.header(payload)],
      ["", scenario.header("")],
      ["{", scenario.header("{")],
    ] as const)
      expect(await userErrorOf(receiveEvent(scenario.billing, body, signature))).toMatchObject({ code: "bad_request" });
    expect(await scenario.billing.events.findById("evt_forged")).toBeNull();
  });

  it("that were lost are replaced by the regular read-back", async () => {
    await scenario.becomePro();
    await scenario.payment.stripe.subscriptions.cancel((await scenario.subscriptions())[0]?.id ?? "");
    expect(await claimDueAccounts(scenario.billing)).not.toContain(scenario.userId);
    await scenario.provider.advance({ hours: 25 });
    expect(await claimDueAccounts(scenario.billing)).toContain(scenario.userId);
    await readBack(scenario.billing, scenario.userId);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
  });

  it("of a first payment that were all lost are replaced by the regular read-back", async () => {
    const { clientSecret } = await createSubscription(scenario.billing, scenario.userId, "monthly");
    await confirmWithCard(scenario.provider, clientSecret);
    await scenario.provider.advance({ hours: 25 });
    for (const id of await claimDueAccounts(scenario.billing))
      if (id === scenario.userId) await readBack(scenario.billing, id);
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("leave a failed read-back to its queue entry: pages queue none, and the account is due later", async () => {
    await createSubscription(scenario.billing, scenario.userId, "monthly");
    expect(await countReadFailure(scenario.billing, scenario.userId)).toBe(1);
    await postponeRead(scenario.billing, scenario.userId, 3_600_000, "refused");
    await requestEarlyReadBack(scenario.billing, scenario.userId);
    expect(scenario.billing.tasks).toEqual([]);
    await scenario.provider.advance({ hours: 1 });
    expect(await claimDueAccounts(scenario.billing)).not.toContain(scenario.userId);
    await scenario.provider.advance({ hours: 1 });
    expect(await claimDueAccounts(scenario.billing)).toContain(scenario.userId);
    await readBack(scenario.billing, scenario.userId);
    await requestEarlyReadBack(scenario.billing, scenario.userId);
    expect(scenario.billing.tasks).toEqual([{ kind: "account", id: scenario.userId }]);
  });

  it("store the read-back that began later", async () => {
    await scenario.becomePro();
    // A read-back that has begun and not finished.
    await scenario.billing.accounts.updateOne({ _id: scenario.userId }, { $inc: { readsBegun: 1 } });
    const before = await scenario.account();
    await scenario.payment.stripe.subscriptions.cancel((await scenario.subscriptions())[0]?.id ?? "");
    await readBack(scenario.billing, scenario.userId);
    const { matchedCount } = await scenario.billing.accounts.updateOne(
      { _id: scenario.userId, lastReadWritten: { $lt: before?.readsBegun ?? 0 } },
      { $set: { subscription: null } },
    );
    expect(matchedCount).toBe(0);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
  });
});

it("deletes events after 30 days, also those that could never be handled", async () => {
  const now = new Date();
  const { events } = scenario.billing;
  const at = (ageMs: number) => ({ type: "charge.updated", receivedAt: new Date(now.getTime() - ageMs), dueAt: now });
  const monthMs = 30 * 24 * 60 * 60 * 1_000;
  await events.deleteMany({});
  await events.create([
    { _id: "evt_handled", ...at(monthMs), handledAt: now },
    { _id: "evt_waiting", ...at(monthMs), handledAt: null },
    { _id: "evt_younger", ...at(monthMs - 1_000), handledAt: now },
  ]);
  expect(await deleteOldEvents(scenario.billing, now)).toBe(2);
  expect(await events.find().lean()).toMatchObject([{ _id: "evt_younger" }]);
});
