import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { type BillingScenario, billingScenario } from "../../dev/testing/billing/billing-scenario.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { signIn } from "../accounts/sign-in.ts";
import { billingAccountHook } from "./account-hook.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

it("reads back a customer of two users for both, and keeps it until both accounts are deleted", async () => {
  await scenario.becomePro();
  const customerId = await scenario.customerId();
  const other = await signIn(scenario.domain, randomUUID(), {
    issuer: "https://accounts.example",
    subject: randomUUID(),
    email: `${randomUUID()}@example.com`,
  });
  await scenario.billing.accounts.create({ _id: other._id, customerId, createdAt: new Date() });
  const [live] = await scenario.subscriptions();
  await scenario.payment.stripe.subscriptions.update(live?.id ?? "", { metadata: { changed: "yes" } });
  await scenario.deliver();
  expect(await scenario.domain.users.findById(other._id).lean()).toMatchObject({ tier: "pro" });
  await deleteAccount({ ...scenario.domain, accountHooks: [billingAccountHook(scenario.billing)] }, other._id);
  await scenario.runTasks();
  expect(await scenario.billing.accounts.findById(other._id)).toBeNull();
  expect((await scenario.subscriptions()).map(({ status }) => status)).toEqual(["active"]);
  await scenario.payment.stripe.subscriptions.cancel(live?.id ?? "");
  await scenario.deliver();
  expect(await scenario.user()).toMatchObject({ tier: "free" });
});

it("exports the customer id and the subscription", async () => {
  await scenario.becomePro();
  expect(await billingAccountHook(scenario.billing).export?.(scenario.userId)).toMatchObject({
    billing: { customerId: expect.stringMatching(/^cus_/), subscription: { plan: "monthly" } },
  });
});
