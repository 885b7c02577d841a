import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
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
