import { describe, expect, it } from "vitest";
import type { Plan } from "../../../common/api.ts";
import { type BillingScenario, billingScenario } from "../../dev/testing/billing/billing-scenario.ts";
import { LATER_FAILING_CARD } from "../../dev/testing/billing/payer.ts";
import { openPortal } from "./checkout/portal.ts";
import { setUpBilling } from "./set-up.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

it("creates nothing when the set-up is repeated", async () => {
  const before = scenario.provider.requests.filter(({ method }) => method === "POST").length;
  await setUpBilling(scenario.payment.stripe, null);
  expect(scenario.provider.requests.filter(({ method }) => method === "POST")).toHaveLength(before);
});

describe("the portal", () => {
  const switchTo = async (plan: Plan) => {
    const url = await openPortal(scenario.billing, scenario.userId, "https://tapedeck.example/");
    const [live] = await scenario.subscriptions();
    const price = await scenario.payment.catalog.priceOf(plan);
    const body = new URLSearchParams({ do: "switch", subscription: live?.id ?? "", price });
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
    await scenario.deliver();
  };
  const balance = async () => {
    const customer = await scenario.payment.stripe.customers.retrieve(await scenario.customerId());
    return customer.deleted ? null : customer.balance;
  };

  it("gives no credit for a year that was not paid when the user goes back to the monthly plan", async () => {
    await scenario.becomePro("monthly");
    scenario.provider.setCard(await scenario.customerId(), LATER_FAILING_CARD);
    await switchTo("yearly");
    expect(await scenario.account()).toMatchObject({ subscription: { plan: "yearly", status: "past_due" } });
    await switchTo("monthly");
    expect(await balance()).toBe(0);
  });

  it("lets a change to the monthly plan wait for the end of the paid year", async () => {
    await scenario.becomePro("yearly");
    await switchTo("monthly");
    expect(await scenario.account()).toMatchObject({ subscription: { plan: "yearly", status: "active" } });
    await scenario.provider.advance({ days: 367 });
    await scenario.deliver();
    expect(await scenario.account()).toMatchObject({ subscription: { plan: "monthly", status: "active" } });
    expect((await scenario.charges()).map(({ amount }) => amount)).toEqual([900, 9_000]);
  });

  it("of an earlier version is corrected", async () => {
    const { configurations } = scenario.payment.stripe.billingPortal;
    const [known] = (await configurations.list()).data;
    const id = known?.id ?? "";
    await configurations.update(id, {
      features: { subscription_update: { schedule_at_period_end: { conditions: "" } } },
    });
    const { lines } = await setUpBilling(scenario.payment.stripe, null);
    expect(lines).toContain(`Portal ${id} corrected`);
    expect((await configurations.retrieve(id)).features.subscription_update.schedule_at_period_end).toEqual({
      conditions: [{ type: "shortening_interval" }],
    });
  });
});
