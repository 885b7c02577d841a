import { describe, expect, it } from "vitest";
import { type BillingScenario, billingScenario, userErrorOf } from "../../../dev/testing/billing/billing-scenario.ts";
import { GOOD_CARD, LATER_FAILING_CARD } from "../../../dev/testing/billing/payer.ts";
import { changeTier } from "../../accounts/tier-sources.ts";
import { createSubscription } from "../checkout/checkout.ts";
import { readBack } from "./read-back.ts";
import { claimDueAccounts } from "./reconcile.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

describe("renewals", () => {
  it("that fail keep Pro for the grace period of three days, then end it until the payment succeeds", async () => {
    await scenario.becomePro("monthly", LATER_FAILING_CARD).catch(() => undefined);
    if ((await scenario.user()).tier !== "pro") await scenario.becomePro();
    scenario.provider.setCard(await scenario.customerId(), LATER_FAILING_CARD);
    const { periodEndsAt } = (await scenario.account())?.subscription ?? { periodEndsAt: new Date(0) };
    await scenario.provider.advance({ to: new Date(periodEndsAt.getTime() + 2 * 3_600_000) });
    await scenario.deliver();
    expect(await scenario.account()).toMatchObject({
      subscription: { status: "past_due", pastDueSince: expect.any(Date) },
    });
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    await scenario.provider.advance({ hours: 68 });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    await scenario.provider.advance({ hours: 3 });
    expect(await claimDueAccounts(scenario.billing)).toContain(scenario.userId);
    await readBack(scenario.billing, scenario.userId);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("failed"),
    });
    scenario.provider.setCard(await scenario.customerId(), GOOD_CARD);
    await scenario.provider.advance({ days: 5 });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("that are never paid end the subscription, and the user may subscribe again", async () => {
    await scenario.becomePro();
    scenario.provider.setCard(await scenario.customerId(), LATER_FAILING_CARD);
    await scenario.provider.advance({ days: 60 });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await scenario.account()).toMatchObject({ subscription: null });
    expect(await createSubscription(scenario.billing, scenario.userId, "yearly")).toMatchObject({
      isSetupIntent: false,
    });
  });

  it("keep Pro until the end of the period after a cancellation", async () => {
    await scenario.becomePro();
    const id = (await scenario.subscriptions())[0]?.id ?? "";
    await scenario.payment.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await scenario.deliver();
    const { periodEndsAt, endsAt } = (await scenario.account())?.subscription ?? {};
    expect(endsAt).toEqual(periodEndsAt);
    await scenario.provider.advance({ to: new Date((endsAt?.getTime() ?? 0) - 3_600_000) });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    await scenario.provider.advance({ hours: 2 });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
  });
});

it("keeps granted and paid Pro independent of each other", async () => {
  await scenario.becomePro();
  const { email } = await scenario.user();
  expect(await changeTier(scenario.domain, email, "free")).toEqual({ accounts: 1, unverified: 0, paying: 1 });
  expect(await scenario.user()).toMatchObject({ tier: "pro" });
  await changeTier(scenario.domain, email, "pro");
  await scenario.payment.stripe.subscriptions.cancel((await scenario.subscriptions())[0]?.id ?? "");
  await scenario.deliver();
  expect(await scenario.user()).toMatchObject({ tier: "pro", subscriptionTier: "free" });
  await changeTier(scenario.domain, email, "free");
  expect(await scenario.user()).toMatchObject({ tier: "free" });
});
