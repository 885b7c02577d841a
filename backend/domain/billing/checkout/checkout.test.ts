import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { type BillingScenario, billingScenario, userErrorOf } from "../../../dev/testing/billing/billing-scenario.ts";
import { confirmWithCard } from "../../../dev/testing/billing/payer.ts";
import { signIn } from "../../accounts/sign-in.ts";
import { changeTier } from "../../accounts/tier-sources.ts";
import { createCatalog } from "../provider/catalog.ts";
import { createStripeClient } from "../provider/stripe-client.ts";
import { setUpBilling } from "../set-up.ts";
import { createSubscription } from "./checkout.ts";
import { openPortal } from "./portal.ts";

let scenario: BillingScenario;
billingScenario((opened) => {
  scenario = opened;
});

describe("checkout", () => {
  it("gives Pro after the first payment", async () => {
    const secret = await createSubscription(scenario.billing, scenario.userId, "yearly");
    expect(secret).toEqual({ clientSecret: expect.stringMatching(/^pi_.+_secret_/), isSetupIntent: false });
    expect(await scenario.user()).toMatchObject({ tier: "free" });
    await confirmWithCard(scenario.provider, secret.clientSecret);
    await scenario.deliver();
    expect(await scenario.user()).toMatchObject({ tier: "pro", subscriptionTier: "pro", grantedTier: "free" });
    expect(await scenario.account()).toMatchObject({
      subscription: { plan: "yearly", status: "active", endsAt: null },
      pendingId: null,
    });
  });

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

  it("creates one customer and one subscription for ten simultaneous calls", async () => {
    const secrets = await Promise.all(
      Array.from({ length: 10 }, () => createSubscription(scenario.billing, scenario.userId, "yearly")),
    );
    expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(1);
    expect(await scenario.subscriptions()).toHaveLength(1);
    expect((await scenario.payment.stripe.customers.list({ email: (await scenario.user()).email })).data).toHaveLength(
      1,
    );
  });

  it("creates one subscription by its idempotency key, even without the lease", async () => {
    await createSubscription(scenario.billing, scenario.userId, "yearly");
    // The request that a second process would send if it had seen the same state.
    const [open] = await scenario.subscriptions();
    const customer = await scenario.customerId();
    const again = await scenario.payment.stripe.subscriptions.create(
      {
        customer,
        items: [{ price: await scenario.payment.catalog.priceOf("yearly") }],
        payment_behavior: "default_incomplete",
        payment_settings: { save_default_payment_method: "on_subscription", payment_method_types: ["card"] },
        metadata: { userId: scenario.userId },
        expand: ["latest_invoice.confirmation_secret", "pending_setup_intent"],
      },
      { idempotencyKey: `subscription:${customer}:yearly:${await scenario.payment.catalog.priceOf("yearly")}:0:0` },
    );
    expect(again.id).toBe(open?.id);
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

  it("rejects a user who has Pro, paid or granted, with already_subscribed", async () => {
    await scenario.becomePro();
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "yearly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("Manage billing"),
    });
    await scenario.provider.stop();
    const given = await signIn(scenario.domain, randomUUID(), {
      issuer: "https://accounts.example",
      subject: randomUUID(),
      email: "given@example.com",
      isEmailVerified: true,
    });
    await changeTier(scenario.domain, "given@example.com", "pro");
    expect(await userErrorOf(createSubscription(scenario.billing, given._id, "yearly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("compliments"),
    });
  });

  it("recognizes a payment whose event has not arrived", async () => {
    const { clientSecret } = await createSubscription(scenario.billing, scenario.userId, "monthly");
    await confirmWithCard(scenario.provider, clientSecret);
    expect(await userErrorOf(createSubscription(scenario.billing, scenario.userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
    });
    expect(await scenario.user()).toMatchObject({ tier: "pro" });
  });

  it("rejects a price that differs from our table with payment_unconfigured", async () => {
    await scenario.payment.stripe.prices.create({
      product: "tapedeck_pro",
      currency: "usd",
      unit_amount: 9_900,
      recurring: { interval: "year" },
      lookup_key: "tapedeck_pro_yearly",
      transfer_lookup_key: true,
    });
    const wrong = {
      ...scenario.billing,
      payment: { ...scenario.payment, catalog: createCatalog(scenario.payment.stripe) },
    };
    const error = await userErrorOf(createSubscription(wrong, scenario.userId, "yearly"));
    expect(error).toMatchObject({
      code: "payment_unconfigured",
      cause: expect.objectContaining({ message: expect.stringContaining("is 9900 cents instead of 9000") }),
    });
    await expect(setUpBilling(scenario.payment.stripe, null)).rejects.toThrow("tapedeck_pro_yearly is 9900 cents");
  });

  it("rejects a checkout with invalid keys with payment_unconfigured", async () => {
    const stripe = createStripeClient({
      secretKey: "sk_live_none",
      apiAddress: scenario.provider.origin,
      timeoutMs: 240_000,
    });
    const locked = { ...scenario.billing, payment: { ...scenario.payment, stripe, catalog: createCatalog(stripe) } };
    expect(await userErrorOf(createSubscription(locked, scenario.userId, "yearly"))).toMatchObject({
      code: "payment_unconfigured",
    });
  });
});

it("opens the portal for customers, and rejects others with conflict", async () => {
  expect(await userErrorOf(openPortal(scenario.billing, scenario.userId, "http://localhost/"))).toMatchObject({
    code: "conflict",
  });
  await scenario.becomePro();
  expect(await openPortal(scenario.billing, scenario.userId, "http://localhost/")).toMatch(/^http/);
});
