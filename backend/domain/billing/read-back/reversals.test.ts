import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type BillingScenario, billingScenario, userErrorOf } from "../../../dev/testing/billing/billing-scenario.ts";
import { createSubscription } from "../checkout/checkout.ts";
import { readBack } from "./read-back.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

describe("refunds", () => {
  const newestCharge = async () => (await scenario.charges())[0]?.id ?? "";

  it("of the whole amount end Pro at once", async () => {
    await scenario.becomePro("yearly");
    await scenario.payment.stripe.refunds.create({ charge: await newestCharge() });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect((await scenario.subscriptions()).map(({ status }) => status)).toEqual(["canceled"]);
  });

  it("of a part of the amount keep Pro", async () => {
    await scenario.becomePro("yearly");
    await scenario.payment.stripe.refunds.create({ charge: await newestCharge(), amount: 1_000 });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("whose event was lost are found by the read-back", async () => {
    await scenario.becomePro();
    await scenario.payment.stripe.refunds.create({ charge: await newestCharge() });
    await readBack(scenario.billing, scenario.userId);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
  });
});

describe("disputes", () => {
  it("end Pro while a dispute is open, without charges, and restore it when the dispute is won", async () => {
    await scenario.becomePro();
    const dispute = scenario.provider.dispute(await scenario.customerId());
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await scenario.account()).toMatchObject({ subscription: { isDisputed: true } });
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("bank"),
    });
    // No charge during the dispute.
    const paid = (await scenario.charges()).length;
    await scenario.provider.advance({ days: 32 });
    await scenario.deliver();
    expect(await scenario.charges()).toHaveLength(paid);
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    scenario.provider.settleDispute(dispute.id, "won");
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    expect((await scenario.subscriptions())[0]).toMatchObject({ status: "active", pause_collection: null });
    await scenario.provider.advance({ days: 32 });
    await scenario.deliver();
    expect(await scenario.charges()).toHaveLength(paid + 1);
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("end the subscription when a dispute is lost, and the user may subscribe again", async () => {
    await scenario.becomePro();
    const dispute = scenario.provider.dispute(await scenario.customerId());
    await scenario.deliver();
    scenario.provider.settleDispute(dispute.id, "lost");
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect((await scenario.subscriptions()).map(({ status }) => status)).toEqual(["canceled"]);
    await scenario.becomePro();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("keep Pro during an inquiry of the bank", async () => {
    await scenario.becomePro();
    const inquiry = scenario.provider.dispute(await scenario.customerId(), { isInquiry: true });
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
    scenario.provider.settleDispute(inquiry.id, "won");
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("do not trust the contents of a dispute event", async () => {
    await scenario.becomePro();
    const [charge] = await scenario.charges();
    await scenario.receive({
      id: `evt_${randomUUID()}`,
      object: "event",
      type: "charge.dispute.closed",
      data: { object: { id: "du_1", object: "dispute", charge: charge?.id, status: "lost" } },
    });
    await scenario.runTasks();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });
});
