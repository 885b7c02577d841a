import { expect, it } from "vitest";
import { type BillingScenario, beforeEachScenario } from "../../dev/testing/billing/billing-scenario.ts";
import { setUpBilling } from "./set-up.ts";

let scenario: BillingScenario;
beforeEachScenario((opened) => {
  scenario = opened;
});

it("creates nothing when the set-up is repeated", async () => {
  const before = scenario.provider.requests.filter(({ method }) => method === "POST").length;
  await setUpBilling(scenario.payment.stripe, null);
  expect(scenario.provider.requests.filter(({ method }) => method === "POST")).toHaveLength(before);
});
