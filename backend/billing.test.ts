/** Payments over HTTP: signed webhook messages of the stand-in, and pushes to open pages. */
import { expect, it } from "vitest";
import { BillingPortal } from "../common/account-calls.ts";
import { PublicConfig } from "../common/api.ts";
import { ofFile } from "./dev/testing/of-file.ts";
import { PayerAtServer } from "./dev/testing/billing/payer-at-server.ts";
import { confirmWithCard } from "./dev/testing/billing/payer.ts";
import { startTestServer } from "./dev/testing/test-server.ts";

const server = await ofFile(startTestServer({ hasExtractor: false, PAYMENT_STAND_IN: "on" }));

it("sends the payment settings, and allows the provider in the content security policy", async () => {
  const device = await server.newDevice();
  const answer = await device.call("GET", "/api/config");
  const { origin, scriptUrl, publishableKey } = server.payments;
  expect(PublicConfig.parse(await answer.json())).toMatchObject({
    paymentAvailable: true,
    stripePublishableKey: publishableKey,
    stripeScriptUrl: scriptUrl,
  });
  const policy = answer.headers.get("content-security-policy") ?? "";
  for (const directive of ["script-src", "frame-src", "connect-src"])
    expect(policy).toMatch(new RegExp(`${directive} [^;]*${origin}`));
  expect(policy).not.toContain("stripe.com");
  expect(answer.headers.get("permissions-policy")).toContain(`payment=(self "${origin}")`);
});

it("pushes Pro to open pages after a payment, and Free at the end of a canceled period", async () => {
  const payer = await PayerAtServer.signIn(server);
  const { clientSecret } = await payer.subscribe("monthly");
  expect(await payer.user()).toMatchObject({ tier: "free", subscription: null });
  expect(await confirmWithCard(server.payments, clientSecret)).toBeNull();
  expect((await payer.until(({ tier }) => tier === "pro")).subscription).toMatchObject({
    plan: "monthly",
    status: "active",
    cancelsAtPeriodEnd: false,
  });
  expect((await payer.device.call("POST", "/api/create-subscription", { plan: "yearly" })).status).toBe(409);
  const portal = BillingPortal.parse(await (await payer.device.call("POST", "/api/billing-portal", {})).json());
  expect((await fetch(portal.url)).status).toBe(200);
  await payer.stripe.subscriptions.update((await payer.subscription()).id, { cancel_at_period_end: true });
  expect((await payer.until((user) => user.subscription?.cancelsAtPeriodEnd === true)).tier).toBe("pro");
  await server.payments.advance({ days: 32 });
  expect(await payer.until(({ tier }) => tier === "free")).toMatchObject({ subscription: null });
});

it("reaches the same state with duplicate and reversed messages", async () => {
  const payer = await PayerAtServer.signIn(server);
  server.payments.webhooks.configure({ order: "reversed", copies: 2 });
  try {
    expect((await payer.becomePro("yearly")).subscription).toMatchObject({ plan: "yearly" });
  } finally {
    server.payments.webhooks.configure({});
  }
});

it.each(["wrong-secret", "unsigned", "stale", "altered"] as const)("rejects webhook messages: %s", async (how) => {
  expect(
    await server.payments.webhooks.forge(
      { id: `evt_${how}`, object: "event", type: "invoice.paid", data: { object: {} } },
      how,
    ),
  ).toBe(400);
});

it("rejects a webhook message of more than 1 MB with 413", async () => {
  const answer = await fetch(`${server.origin}/api/stripe-webhook`, {
    method: "POST",
    body: "x".repeat(1_000_001),
    headers: { "stripe-signature": "t=1,v1=0" },
  });
  expect(answer.status).toBe(413);
});
