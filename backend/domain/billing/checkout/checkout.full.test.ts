/** Checkouts of unusual customers, while the provider fails, whose client waits before it repeats a call, and while prices change. */
import { describe, expect, it, vi } from "vitest";
import type { SubscriptionSecret } from "../../../../common/account-calls.ts";
import type { Plan } from "../../../../common/api.ts";
import { type BillingScenario, billingScenario, userErrorOf } from "../../../dev/testing/billing/billing-scenario.ts";
import { confirmWithCard } from "../../../dev/testing/billing/payer.ts";
import { createSubscription } from "./checkout.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

describe("checkout", () => {
  it("keeps the subscription after a declined card, so that another card can pay it", async () => {
    const first = await createSubscription(scenario.billing, scenario.userId, "monthly");
    expect(await confirmWithCard(scenario.provider, first.clientSecret, "4000000000000002")).toBe(
      "Your card was declined.",
    );
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    expect(await createSubscription(scenario.billing, scenario.userId, "monthly")).toEqual(first);
    await confirmWithCard(scenario.provider, first.clientSecret);
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("keeps a subscription that is paid while the user chooses another plan", async () => {
    const { clientSecret } = await createSubscription(scenario.billing, scenario.userId, "monthly");
    const { subscriptions: real } = scenario.payment.stripe;
    const list = vi.spyOn(real, "list");
    list.mockImplementationOnce((params, options) => {
      const pages = real.list(params, options);
      return Object.assign(pages, {
        // Another tab pays after this checkout has listed the subscription as unpaid.
        async *[Symbol.asyncIterator]() {
          const { data } = await pages;
          await confirmWithCard(scenario.provider, clientSecret);
          yield* data;
        },
      });
    });
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "yearly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("being confirmed"),
    });
    expect((await scenario.subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    await scenario.deliver();
    expect(await scenario.account()).toMatchObject({ subscription: { plan: "monthly", status: "active" } });
  });

  it("creates a new customer when the old one was deleted at the provider", async () => {
    await scenario.becomePro();
    await scenario.payment.stripe.customers.del(await scenario.customerId());
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    await scenario.becomePro("yearly");
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("asks for no payment when credit has paid the subscription", async () => {
    const { subscriptions: real } = scenario.payment.stripe;
    const create = real.create.bind(real);
    vi.spyOn(real, "create").mockImplementationOnce((params, options) =>
      // As with credit, nothing is due: the subscription is active at once and has no secret.
      create({ ...params, trial_period_days: 30 }, options).then((made) => ({ ...made, pending_setup_intent: null })),
    );
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("Credit"),
    });
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("creates a new subscription when the unpaid one expired after a day", async () => {
    const first = await createSubscription(scenario.billing, scenario.userId, "monthly");
    await scenario.provider.advance({ hours: 24 });
    await scenario.deliver();
    expect(await scenario.account()).toMatchObject({ pendingId: null });
    const second = await createSubscription(scenario.billing, scenario.userId, "monthly");
    expect(second.clientSecret).not.toBe(first.clientSecret);
  });

  it("recognizes a payment whose event has not arrived", async () => {
    const { clientSecret } = await createSubscription(scenario.billing, scenario.userId, "monthly");
    await confirmWithCard(scenario.provider, clientSecret);
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
    });
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it.each([
    ["fails once", { path: /customers/, status: 500, times: 1 }],
    ["loses the connection before it acts", { path: /subscriptions/, method: "POST", status: "network", times: 1 }],
    ["loses the connection after it acted", { path: /subscriptions/, method: "POST", status: "late", times: 1 }],
  ] as const)("retries when the provider %s, and creates nothing twice", async (_name, outage) => {
    scenario.provider.fail(outage);
    expect(await createSubscription(scenario.billing, scenario.userId, "monthly")).toMatchObject({
      isSetupIntent: false,
    });
    expect(await scenario.subscriptions()).toHaveLength(1);
  });

  it.each([
    ["keeps failing", { path: /^\/v1\/subscriptions/, method: "POST", status: 500, times: 3 }],
    ["cannot be reached", { path: /^\/v1\//, status: "network", times: 3 }],
    ["limits the rate", { path: /^\/v1\/subscriptions/, status: 429 }],
    ["limits the rate of new customers", { path: /^\/v1\/customers/, method: "POST", status: 429 }],
  ] as const)(
    "fails with payment_provider when the provider %s, and succeeds at the next attempt",
    async (_name, outage) => {
      scenario.provider.fail(outage);
      expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "monthly"))).toMatchObject({
        code: "payment_provider",
      });
      expect(await createSubscription(scenario.billing, scenario.userId, "monthly")).toMatchObject({
        isSetupIntent: false,
      });
      expect(await scenario.subscriptions()).toHaveLength(1);
    },
  );

  it("cancels the unpaid subscription when the user chooses another plan", async () => {
    const plans: Plan[] = ["yearly", "monthly", "yearly", "monthly"];
    const secrets: SubscriptionSecret[] = [];
    for (const plan of plans) secrets.push(await createSubscription(scenario.billing, scenario.userId, plan));
    expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(4);
    expect((await scenario.subscriptions()).map(({ status }) => status).toSorted()).toEqual([
      "incomplete",
      "incomplete_expired",
      "incomplete_expired",
      "incomplete_expired",
    ]);
    await confirmWithCard(scenario.provider, secrets[3]?.clientSecret ?? "");
    await scenario.deliver();
    expect(await scenario.account()).toMatchObject({ subscription: { plan: "monthly" } });
  });
});

describe("the price of a checkout", () => {
  it.each([
    ["with", true],
    ["without", false],
  ])("is the new one when it was replaced, %s an event about it", async (_name, hasEvent) => {
    const old = await scenario.payment.catalog.priceOf("yearly");
    const replacement = await scenario.payment.stripe.prices.create({
      product: "tapedeck_pro",
      currency: "usd",
      unit_amount: 9_000,
      recurring: { interval: "year" },
      lookup_key: "tapedeck_pro_yearly",
      transfer_lookup_key: true,
    });
    await scenario.payment.stripe.prices.update(old, { active: false });
    const asked = scenario.provider.requests.length;
    if (hasEvent) await scenario.deliver();
    expect(await createSubscription(scenario.billing, scenario.userId, "yearly")).toMatchObject({
      isSetupIntent: false,
    });
    expect((await scenario.subscriptions())[0]?.items.data[0]?.price.id).toBe(replacement.id);
    const attempts = scenario.provider.requests
      .slice(asked)
      .filter(({ method, path }) => method === "POST" && path === "/v1/subscriptions");
    expect(attempts).toHaveLength(hasEvent ? 1 : 2);
  });

  it("is missing when it was archived without a replacement, which fails with payment_unconfigured", async () => {
    await scenario.payment.stripe.prices.update(await scenario.payment.catalog.priceOf("yearly"), { active: false });
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "yearly"))).toMatchObject({
      code: "payment_unconfigured",
    });
  });
});
