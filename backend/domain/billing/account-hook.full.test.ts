/** Accounts that are deleted while the provider fails: its client waits before it repeats a call. */
import { expect, it } from "vitest";
import { type BillingScenario, billingScenario } from "../../dev/testing/billing/billing-scenario.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { billingAccountHook } from "./account-hook.ts";
import { createSubscription } from "./checkout/checkout.ts";
import { readBack } from "./read-back/read-back.ts";
import { claimDueAccounts } from "./read-back/reconcile.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

it("cancels the subscription of a deleted account once the provider can be reached", async () => {
  await scenario.becomePro();
  const [subscription] = await scenario.subscriptions();
  const leaving = { ...scenario.domain, accountHooks: [billingAccountHook(scenario.billing)] };
  await deleteAccount(leaving, scenario.userId);
  scenario.provider.fail({ path: /./, status: "network", times: 3 });
  await expect(scenario.runTasks()).rejects.toThrow("connection to Stripe");
  for (const id of await claimDueAccounts(scenario.billing))
    if (id === scenario.userId) await readBack(scenario.billing, id);
  expect((await scenario.payment.stripe.subscriptions.retrieve(subscription?.id ?? "")).status).toBe("canceled");
  expect(await scenario.account()).toBeNull();
});

it("keeps the record of a deleted account until the provider has deleted the customer", async () => {
  await scenario.becomePro();
  const customerId = await scenario.customerId();
  await deleteAccount({ ...scenario.domain, accountHooks: [billingAccountHook(scenario.billing)] }, scenario.userId);
  scenario.provider.fail({ path: /^\/v1\/customers/, method: "DELETE", status: 500, times: 3 });
  await expect(scenario.runTasks()).rejects.toThrow("The stand-in fails");
  expect(await scenario.account()).toMatchObject({ customerId, closedAt: expect.any(Date) });
  await scenario.provider.advance({ hours: 1 });
  expect(await claimDueAccounts(scenario.billing)).toContain(scenario.userId);
  await readBack(scenario.billing, scenario.userId);
  await expect(scenario.payment.stripe.customers.retrieve(customerId)).rejects.toThrow("No such customer");
  expect(await scenario.account()).toBeNull();
  // The event of the deletion belongs to no account any more.
  await scenario.deliver();
  expect(await scenario.billing.events.countDocuments({ customerId, handledAt: null })).toBe(0);
});

it("deletes a customer of a deleted account whose id was never stored", async () => {
  const { stripe } = scenario.payment;
  // The provider creates the customer, and its answer is lost with every repetition.
  scenario.provider.fail({ path: /^\/v1\/customers$/, method: "POST", status: "late", times: 3 });
  await expect(createSubscription(scenario.billing, scenario.userId, "monthly")).rejects.toMatchObject({
    code: "payment_provider",
  });
  expect(await scenario.account()).toMatchObject({ customerId: null });
  expect((await stripe.customers.list()).data).toHaveLength(1);
  const stranger = await stripe.customers.create({ metadata: { userId: "somebody-else" } });
  await deleteAccount({ ...scenario.domain, accountHooks: [billingAccountHook(scenario.billing)] }, scenario.userId);
  await scenario.runTasks();
  expect((await stripe.customers.list()).data.map(({ id }) => id)).toEqual([stranger.id]);
  expect(await scenario.account()).toBeNull();
});
