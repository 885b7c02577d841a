import { expect, it } from "vitest";
import { type BillingScenario, billingScenario } from "../../../dev/testing/billing/billing-scenario.ts";
import { findDisagreements, type Disagreement } from "./disagreements.ts";
import { readBack } from "./read-back.ts";

const MINUTE_MS = 60_000;

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

/** Accounts of earlier tests are in the same database. */
async function own(): Promise<Disagreement[]> {
  return (await findDisagreements(scenario.billing)).filter(({ userId }) => userId === scenario.userId);
}

/** Lets the provider cancel the subscription. @returns until when it was paid */
async function cancelAtProvider(): Promise<Date | undefined> {
  const [subscription] = await scenario.subscriptions();
  await scenario.payment.stripe.subscriptions.cancel(subscription?.id ?? "");
  return (await scenario.account())?.subscription?.periodEndsAt;
}

it("finds nothing after a payment, a renewal, and a change that a message has announced", async () => {
  await scenario.becomePro();
  await scenario.provider.advance({ hours: 1 });
  expect(await own()).toEqual([]);
  await scenario.provider.advance({ days: 31 });
  await scenario.deliver();
  await cancelAtProvider();
  await scenario.deliver();
  await scenario.provider.advance({ hours: 1 });
  expect(await scenario.user()).toMatchObject({ tier: "free" });
  expect(await own()).toEqual([]);
});

it("finds nothing when the read-back at the end of a period comes before the message", async () => {
  await scenario.becomePro();
  await scenario.provider.advance({ days: 31 });
  await readBack(scenario.billing, scenario.userId);
  expect((await scenario.account())?.subscription?.periodEndsAt.getTime()).toBeGreaterThan(
    scenario.provider.now().getTime(),
  );
  expect(await own()).toEqual([]);
});

it("tells for a day of what a read-back has corrected without a message of the provider", async () => {
  await scenario.becomePro();
  const until = await cancelAtProvider();
  scenario.skipEvents();
  expect(await own()).toEqual([]);
  await readBack(scenario.billing, scenario.userId);
  expect(await scenario.user()).toMatchObject({ tier: "free" });
  const expected = { ours: { tier: "pro", until }, theirs: { tier: "free", until: null }, isCorrected: true };
  expect(await own()).toMatchObject([{ ...expected, since: expect.any(Date) }]);
  // A later read-back that finds nothing new changes nothing.
  await scenario.provider.advance({ hours: 23 });
  await readBack(scenario.billing, scenario.userId);
  expect(await own()).toMatchObject([expected]);
  await scenario.provider.advance({ hours: 2 });
  expect(await own()).toEqual([]);
});

it("finds a user whose tier was not written, until the account is read back", async () => {
  await scenario.becomePro();
  const account = await scenario.account();
  await scenario.domain.users.updateOne(
    { _id: scenario.userId },
    { $set: { tier: "free", subscriptionTier: "free", subscriptionRead: 0 } },
  );
  // State and tier are written one after the other, so a moment counts for nothing.
  expect(await own()).toEqual([]);
  await scenario.provider.advance({ hours: 1 });
  expect(await own()).toEqual([
    {
      userId: scenario.userId,
      ours: { tier: "free", until: null },
      theirs: { tier: "pro", until: account?.subscription?.periodEndsAt },
      since: account?.readAt,
      isCorrected: false,
    },
  ]);
  await readBack(scenario.billing, scenario.userId);
  expect(await scenario.user()).toMatchObject({ tier: "pro" });
  expect(await own()).toEqual([]);
});

it("finds a user who kept Pro after the end of the subscription", async () => {
  await scenario.becomePro();
  const [subscription] = await scenario.subscriptions();
  await scenario.payment.stripe.subscriptions.update(subscription?.id ?? "", { cancel_at_period_end: true });
  await scenario.deliver();
  const endsAt = (await scenario.account())?.subscription?.endsAt;
  await scenario.provider.advance({ to: new Date((endsAt?.getTime() ?? 0) + 2 * MINUTE_MS) });
  expect(await own()).toMatchObject([
    { ours: { tier: "pro" }, theirs: { tier: "free", until: null }, since: endsAt, isCorrected: false },
  ]);
  await readBack(scenario.billing, scenario.userId);
  expect(await own()).toEqual([]);
});

it("finds a user with Pro and without any subscription", async () => {
  await scenario.domain.users.updateOne(
    { _id: scenario.userId },
    { $set: { tier: "pro", subscriptionTier: "pro", tierChangedAt: new Date(0) } },
  );
  expect(await own()).toMatchObject([{ ours: { tier: "pro" }, theirs: { tier: "free" }, since: new Date(0) }]);
});
