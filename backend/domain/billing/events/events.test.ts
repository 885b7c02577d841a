import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type BillingScenario, billingScenario } from "../../../dev/testing/billing/billing-scenario.ts";
import { confirmWithCard } from "../../../dev/testing/billing/payer.ts";
import { createSubscription } from "../checkout/checkout.ts";
import { readBack } from "../read-back/read-back.ts";
import { claimDueAccounts, countReadFailure, postponeRead, requestReadBack } from "../read-back/reconcile.ts";
import { deleteOldEvents } from "./events.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
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
    await requestReadBack(scenario.billing, scenario.userId);
    expect(scenario.billing.tasks).toEqual([]);
    await scenario.provider.advance({ hours: 1 });
    expect(await claimDueAccounts(scenario.billing)).not.toContain(scenario.userId);
    await scenario.provider.advance({ hours: 1 });
    expect(await claimDueAccounts(scenario.billing)).toContain(scenario.userId);
    await readBack(scenario.billing, scenario.userId);
    await requestReadBack(scenario.billing, scenario.userId);
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
