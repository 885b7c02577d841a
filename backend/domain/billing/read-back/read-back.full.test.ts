/** Read-backs over many months, of paused subscriptions, and while the provider cannot be reached. */
import { describe, expect, it } from "vitest";
import { type BillingScenario, billingScenario, userErrorOf } from "../../../dev/testing/billing/billing-scenario.ts";
import { GOOD_CARD } from "../../../dev/testing/billing/payer.ts";
import { createSubscription } from "../checkout/checkout.ts";
import { presentSubscription } from "../tier-rules.ts";
import { readBack, updateTierFromStoredState } from "./read-back.ts";
import { claimDueAccounts } from "./reconcile.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

describe("renewals", () => {
  it("keep Pro for a year of successful payments", async () => {
    await scenario.becomePro();
    for (let month = 0; month < 12; month += 1) {
      await scenario.provider.advance({ days: 31 });
      await scenario.deliver();
      expect(await scenario.user()).toMatchObject({ tier: "pro" });
    }
    expect((await scenario.account())?.subscription?.periodEndsAt.getTime()).toBeGreaterThan(
      scenario.provider.now().getTime(),
    );
  });

  it("end Pro on time after a cancellation while the provider cannot be reached", async () => {
    await scenario.becomePro();
    await scenario.payment.stripe.subscriptions.update((await scenario.subscriptions())[0]?.id ?? "", {
      cancel_at_period_end: true,
    });
    await scenario.deliver();
    const later = { ...scenario.billing, now: () => new Date(Date.now() + 40 * 86_400_000) };
    scenario.provider.fail({ path: /./, status: "network", times: 100 });
    await expect(readBack(later, scenario.userId)).rejects.toThrow("connection to Stripe");
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    await updateTierFromStoredState(later, scenario.userId);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
  });
});

describe("a paused subscription", () => {
  const pause = async (behavior: "keep_as_draft" | "mark_uncollectible" | "void") => {
    await scenario.payment.stripe.subscriptions.update((await scenario.subscriptions())[0]?.id ?? "", {
      pause_collection: { behavior },
    });
    await scenario.deliver();
  };
  const shown = async () =>
    presentSubscription(
      (await scenario.account())?.subscription ?? null,
      scenario.billing.now(),
      scenario.billing.graceMs,
    );

  it.each(["keep_as_draft", "mark_uncollectible", "void"] as const)(
    "keeps Pro until the end of the paid period: %s",
    async (behavior) => {
      await scenario.becomePro();
      await pause(behavior);
      expect(await scenario.user()).toMatchObject({ tier: "pro" });
      expect(await shown()).toMatchObject({ status: "active", cancelsAtPeriodEnd: true });
      await scenario.provider.advance({ days: 32 });
      await scenario.deliver();
      expect(await scenario.user()).toMatchObject({ tier: "free" });
      expect(await shown()).toMatchObject({ status: "paused" });
      expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "yearly"))).toMatchObject({
        code: "already_subscribed",
        message: expect.stringContaining("paused"),
      });
      await scenario.payment.stripe.subscriptions.update((await scenario.subscriptions())[0]?.id ?? "", {
        pause_collection: "",
      });
      await scenario.deliver();
      await scenario.provider.advance({ days: 32 });
      await scenario.deliver();
      expect(await scenario.user()).toMatchObject({ tier: "pro" });
      expect(await shown()).toMatchObject({ status: "active", cancelsAtPeriodEnd: false });
    },
  );

  it("stays active if it resumes before the renewal", async () => {
    await scenario.becomePro();
    const id = (await scenario.subscriptions())[0]?.id ?? "";
    await scenario.payment.stripe.subscriptions.update(id, {
      pause_collection: {
        behavior: "void",
        resumes_at: Math.floor(scenario.provider.now().getTime() / 1_000) + 86_400,
      },
    });
    await scenario.deliver();
    expect(await shown()).toMatchObject({ status: "active", cancelsAtPeriodEnd: false });
  });

  it("after a trial without a card is shown as paused, and gives Pro again when resumed", async () => {
    await scenario.becomePro();
    await scenario.payment.stripe.subscriptions.cancel((await scenario.subscriptions())[0]?.id ?? "");
    const { id: customer } = await scenario.payment.stripe.customers.create({ metadata: { userId: scenario.userId } });
    await scenario.billing.accounts.updateOne({ _id: scenario.userId }, { $set: { customerId: customer } });
    const made = await scenario.payment.stripe.subscriptions.create({
      customer,
      items: [{ price: await scenario.payment.catalog.priceOf("monthly") }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: "pause" } },
    });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    await scenario.provider.advance({ days: 8 });
    await scenario.deliver();
    expect(await shown()).toMatchObject({ status: "paused" });
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "yearly"))).toMatchObject({
      message: expect.stringContaining("paused"),
    });
    scenario.provider.setCard(customer, GOOD_CARD);
    await scenario.payment.stripe.subscriptions.resume(made.id, {});
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });
});

it("finds a subscription that an operator created for an earlier customer, without an event", async () => {
  await scenario.becomePro();
  await scenario.payment.stripe.subscriptions.cancel((await scenario.subscriptions())[0]?.id ?? "");
  await scenario.deliver();
  expect(await scenario.user()).toMatchObject({ tier: "free" });
  const customer = await scenario.customerId();
  scenario.provider.setCard(customer, GOOD_CARD);
  await scenario.payment.stripe.subscriptions.create({
    customer,
    items: [{ price: await scenario.payment.catalog.priceOf("yearly") }],
  });
  scenario.skipEvents();
  await scenario.provider.advance({ days: 8 });
  expect(await claimDueAccounts(scenario.billing)).toContain(scenario.userId);
  await readBack(scenario.billing, scenario.userId);
  expect(await scenario.user()).toMatchObject({ tier: "pro" });
  // As stored by an earlier version.
  await scenario.billing.accounts.updateOne({ _id: scenario.userId }, { $set: { nextReadAt: null } });
  expect(await claimDueAccounts(scenario.billing)).toContain(scenario.userId);
  expect(await claimDueAccounts(scenario.billing)).not.toContain(scenario.userId);
});
