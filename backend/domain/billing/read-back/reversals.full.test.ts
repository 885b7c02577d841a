/** Refunds and disputes of earlier payments, and beside a change of plan, a renewal or a pause. */
import { describe, expect, it, vi } from "vitest";
import type { Plan } from "../../../../common/api.ts";
import { type BillingScenario, billingScenario } from "../../../dev/testing/billing/billing-scenario.ts";
import { GOOD_CARD, LATER_FAILING_CARD } from "../../../dev/testing/billing/payer.ts";
import { createSubscription } from "../checkout/checkout.ts";
import { readBack } from "./read-back.ts";

const HOUR_MS = 3_600_000;

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

it("keeps the current month when an earlier month is refunded", async () => {
  await scenario.becomePro();
  const old = (await scenario.charges())[0]?.id ?? "";
  await scenario.provider.advance({ days: 32 });
  await scenario.deliver();
  await scenario.payment.stripe.refunds.create({ charge: old });
  await scenario.deliver();
  expect(await scenario.user()).toMatchObject({ tier: "pro" });
});

describe("refunds and disputes after a change of plan, a renewal or a pause", () => {
  const balance = async () => {
    const customer = await scenario.payment.stripe.customers.retrieve(await scenario.customerId());
    return customer.deleted ? null : customer.balance;
  };
  const switchTo = async (plan: Plan) => {
    const [live] = await scenario.subscriptions();
    const item = live?.items.data[0];
    await scenario.payment.stripe.subscriptions.update(live?.id ?? "", {
      items: [{ id: item?.id ?? "", price: await scenario.payment.catalog.priceOf(plan) }],
      proration_behavior: "always_invoice",
    });
    await scenario.deliver();
  };

  it("keep the yearly plan when the monthly payment before it is refunded", async () => {
    await scenario.becomePro("monthly");
    const [month] = await scenario.charges();
    await scenario.provider.advance({ days: 3 });
    await switchTo("yearly");
    await scenario.payment.stripe.refunds.create({ charge: month?.id ?? "" });
    await scenario.deliver();
    expect((await scenario.subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    expect(await scenario.account()).toMatchObject({ subscription: { plan: "yearly", status: "active" } });
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    // A refund of the yearly payment itself ends it.
    await scenario.payment.stripe.refunds.create({ charge: (await scenario.charges())[0]?.id ?? "" });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
  });

  it("end Pro and clear the remaining credit when the yearly payment before a monthly plan is refunded", async () => {
    await scenario.becomePro("yearly");
    await switchTo("monthly");
    expect(await balance()).toBeLessThan(-8_000);
    await scenario.payment.stripe.refunds.create({ charge: (await scenario.charges())[0]?.id ?? "" });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await balance()).toBe(0);
    expect(await createSubscription(scenario.billing, scenario.userId, "monthly")).toMatchObject({
      clientSecret: expect.stringMatching(/^pi_/),
    });
  });

  it("clear the credit even if an operator canceled the subscription at the same time", async () => {
    await scenario.becomePro("yearly");
    await switchTo("monthly");
    await scenario.payment.stripe.refunds.create({ charge: (await scenario.charges())[0]?.id ?? "" });
    await scenario.payment.stripe.subscriptions.cancel((await scenario.subscriptions())[0]?.id ?? "");
    await scenario.deliver();
    expect(await balance()).toBe(0);
  });

  it("end a subscription that credit pays when the payment that gave the credit is refunded months later", async () => {
    await scenario.becomePro("yearly");
    await switchTo("monthly");
    await scenario.provider.advance({ days: 70 });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    await scenario.payment.stripe.refunds.create({ charge: (await scenario.charges())[0]?.id ?? "" });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await balance()).toBe(0);
  });

  it("keep credit that an operator has given", async () => {
    await scenario.becomePro("monthly");
    await scenario.payment.stripe.customers.createBalanceTransaction(await scenario.customerId(), {
      amount: -2_000,
      currency: "usd",
    });
    await scenario.payment.stripe.refunds.create({ charge: (await scenario.charges())[0]?.id ?? "" });
    await scenario.deliver();
    await readBack(scenario.billing, scenario.userId);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await balance()).toBe(-2_000);
  });

  it("keep a subscription that is renewed while the read-back runs", async () => {
    await scenario.becomePro("monthly");
    const [old] = await scenario.charges();
    const { subscriptions: real } = scenario.payment.stripe;
    const list = vi.spyOn(real, "list");
    list.mockImplementationOnce((params, options) => {
      const pages = real.list(params, options);
      return Object.assign(pages, {
        async *[Symbol.asyncIterator]() {
          const { data } = await pages;
          await scenario.payment.stripe.refunds.create({ charge: old?.id ?? "" });
          await scenario.provider.advance({ days: 32 });
          yield* data;
        },
      });
    });
    await readBack(scenario.billing, scenario.userId);
    expect((await scenario.subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("stop the attempts to collect a renewal that failed before the dispute, until that is won", async () => {
    await scenario.becomePro();
    const [first] = await scenario.charges();
    const customer = await scenario.customerId();
    scenario.provider.setCard(customer, LATER_FAILING_CARD);
    const { periodEndsAt } = (await scenario.account())?.subscription ?? { periodEndsAt: new Date(0) };
    await scenario.provider.advance({ to: new Date(periodEndsAt.getTime() + 2 * HOUR_MS) });
    await scenario.deliver();
    expect(await scenario.account()).toMatchObject({ subscription: { status: "past_due" } });
    const dispute = scenario.provider.dispute(first?.id ?? "");
    await scenario.deliver();
    scenario.provider.setCard(customer, GOOD_CARD);
    await scenario.provider.advance({ days: 5 });
    await scenario.deliver();
    const paidCharges = async () => (await scenario.charges()).filter(({ paid }) => paid);
    expect((await paidCharges()).map(({ id }) => id)).toEqual([first?.id]);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    scenario.provider.settleDispute(dispute.id, "won");
    await scenario.deliver();
    await scenario.provider.advance({ days: 1 });
    await scenario.deliver();
    expect(await paidCharges()).toHaveLength(2);
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("leave a renewal unpaid that was about to be charged, until the dispute is won", async () => {
    await scenario.becomePro();
    const [first] = await scenario.charges();
    const { periodEndsAt } = (await scenario.account())?.subscription ?? { periodEndsAt: new Date(0) };
    await scenario.provider.advance({ to: new Date(periodEndsAt.getTime() + HOUR_MS / 2) });
    await scenario.deliver();
    const dispute = scenario.provider.dispute(first?.id ?? "");
    await scenario.deliver();
    await scenario.provider.advance({ days: 1 });
    await scenario.deliver();
    const customer = await scenario.customerId();
    const newestInvoice = async () => (await scenario.payment.stripe.invoices.list({ customer })).data[0];
    expect(await newestInvoice()).toMatchObject({ billing_reason: "subscription_cycle", status: "draft" });
    scenario.provider.settleDispute(dispute.id, "won");
    await scenario.deliver();
    await scenario.provider.advance({ days: 1 });
    await scenario.deliver();
    expect(await newestInvoice()).toMatchObject({ billing_reason: "subscription_cycle", status: "paid" });
  });

  it("give nothing for a change of plan during a dispute, which nobody has paid", async () => {
    await scenario.becomePro("monthly");
    const dispute = scenario.provider.dispute(await scenario.customerId());
    await scenario.deliver();
    await switchTo("yearly");
    scenario.provider.settleDispute(dispute.id, "won");
    await scenario.deliver();
    expect(await scenario.charges()).toHaveLength(1);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await scenario.account()).toMatchObject({ subscription: { plan: "yearly", status: "paused" } });
    // The way out: support ends the subscription, and the user subscribes again.
    await scenario.payment.stripe.subscriptions.cancel((await scenario.subscriptions())[0]?.id ?? "");
    await scenario.deliver();
    await scenario.becomePro("yearly");
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("end Pro for a dispute of an earlier month, found by the read-back", async () => {
    await scenario.becomePro();
    const [first] = await scenario.charges();
    await scenario.provider.advance({ days: 32 });
    await scenario.deliver();
    scenario.provider.dispute(first?.id ?? "");
    await readBack(scenario.billing, scenario.userId);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
  });
});
