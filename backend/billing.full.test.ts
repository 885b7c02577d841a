/**
 * Payments over HTTP with a web process, a worker and Redis: what takes time, other servers, or failures of the provider.
 * The rest is in billing.test.ts.
 */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import mongoose from "mongoose";
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BillingPortal, DELETE_ACCOUNT_PHRASE } from "../common/account-calls.ts";
import { OperatorRecords, OperatorState } from "../common/operator.ts";
import { makeOperator } from "./dev/testing/change-accounts.ts";
import { PayerAtServer } from "./dev/testing/billing/payer-at-server.ts";
import { confirmWithCard } from "./dev/testing/billing/payer.ts";
import { startRedis } from "./dev/stand-ins/redis.ts";
import { startStripeMock, type StripeMock } from "./dev/stand-ins/stripe-mock.ts";
import { startTestServer, type TestServer } from "./dev/testing/test-server.ts";

/** A web process. It alone has the keys of the provider: the worker beside it only converts. */
let server: TestServer;
const started = new AsyncDisposableStack();
beforeAll(async () => {
  const redis = await startRedis();
  started.defer(() => redis.stop());
  const shared = { REDIS_URL: redis.url, DRAIN_MS: "0" };
  const worker = started.use(await startTestServer({ ROLE: "worker", ...shared }));
  server = started.use(await startTestServer({ PAYMENT_STAND_IN: "on", ROLE: "web", ...shared }, worker));
});
afterAll(() => started.disposeAsync());

it("keeps the expiry of a file that was made as Pro when the canceled period ends", async () => {
  const payer = await PayerAtServer.signIn(server);
  const { device } = payer;
  await payer.becomePro("monthly");
  const portal = BillingPortal.parse(await (await device.call("POST", "/api/billing-portal", {})).json());
  expect((await fetch(portal.url)).status).toBe(200);
  await payer.stripe.subscriptions.update((await payer.subscription()).id, { cancel_at_period_end: true });
  await payer.until((user) => user.subscription?.cancelsAtPeriodEnd === true);
  const job = await device.convert(server.site.urlOf("rain"));
  const done = await (await device.live()).untilStatus(job.id, "completed");
  await server.payments.advance({ days: 32 });
  await payer.until(({ tier }) => tier === "free");
  const after = await (await device.live()).until(job.id, ({ status }) => status === "completed");
  expect("expiresAt" in after && "expiresAt" in done && after.expiresAt === done.expiresAt).toBe(true);
  expect((await device.call("GET", `/api/conversions/${job.id}/file`)).status).toBe(200);
});

it("returns the same subscription to two tabs that subscribe at the same time", async () => {
  const payer = await PayerAtServer.signIn(server);
  const [one, two] = await Promise.all([payer.subscribe("yearly"), payer.subscribe("yearly")]);
  expect(one).toEqual(two);
  // Another plan voids the subscription that was begun.
  expect((await payer.subscribe("monthly")).clientSecret).not.toBe((await payer.subscribe("yearly")).clientSecret);
});

it("reads subscriptions back without messages, on request of the page and after a day", async () => {
  const payer = await PayerAtServer.signIn(server);
  server.payments.webhooks.configure({ lose: true });
  try {
    await payer.becomePro("monthly");
    await server.payments.advance({ days: 31 });
    expect(
      await payer.until(({ subscription }) => new Date(subscription?.periodEndsAt ?? 0) > server.payments.now()),
    ).toMatchObject({ tier: "pro" });
  } finally {
    server.payments.webhooks.configure({});
  }
});

it("reaches the same state with duplicate and reversed messages and failing requests", async () => {
  const payer = await PayerAtServer.signIn(server);
  server.payments.webhooks.configure({ order: "reversed", copies: 2 });
  try {
    const { clientSecret } = await payer.subscribe("yearly");
    server.payments.fail({ path: /^\/v1\/subscriptions/, method: "GET", status: 429, times: 2 });
    await confirmWithCard(server.payments, clientSecret);
    expect((await payer.until(({ tier }) => tier === "pro")).subscription).toMatchObject({ plan: "yearly" });
  } finally {
    server.payments.webhooks.configure({});
  }
});

it("ends Pro on open pages after a full refund", async () => {
  const payer = await PayerAtServer.signIn(server);
  await payer.becomePro("yearly");
  server.payments.refund(await payer.customer());
  expect(await payer.until(({ tier }) => tier === "free")).toMatchObject({ subscription: null });
});

it("pauses Pro on open pages during a dispute, and resumes it when the dispute is won", async () => {
  const payer = await PayerAtServer.signIn(server);
  await payer.becomePro("monthly");
  const dispute = server.payments.dispute(await payer.customer());
  expect(await payer.until(({ tier }) => tier === "free")).toMatchObject({ subscription: { status: "paused" } });
  const rejected = await payer.device.call("POST", "/api/create-subscription", { plan: "yearly" });
  expect([rejected.status, await rejected.json()]).toEqual([
    409,
    expect.objectContaining({ message: expect.stringContaining("Your bank") }),
  ]);
  server.payments.settleDispute(dispute.id, "won");
  expect(await payer.until(({ tier }) => tier === "pro")).toMatchObject({ subscription: { status: "active" } });
});

it("removes the credit of a change of plan with the refund", async () => {
  const payer = await PayerAtServer.signIn(server);
  await payer.becomePro("yearly");
  const { stripe } = payer;
  const customer = await payer.customer();
  const subscription = await payer.subscription();
  const [monthly] = (await stripe.prices.list({ lookup_keys: ["tapedeck_pro_monthly"] })).data;
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0]?.id ?? "", price: monthly?.id ?? "" }],
    proration_behavior: "always_invoice",
  });
  await payer.until((user) => user.subscription?.plan === "monthly");
  server.payments.refund(customer);
  await payer.until(({ tier }) => tier === "free");
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 });
});

it("deletes the customer at the provider with the account", async () => {
  const payer = await PayerAtServer.signIn(server);
  await payer.becomePro("monthly");
  const customer = await payer.customer();
  expect((await payer.device.call("DELETE", "/api/account", { confirmation: DELETE_ACCOUNT_PHRASE })).status).toBe(200);
  await expect
    .poll(() =>
      server.payments.events.some(({ type, data }) => type === "customer.deleted" && data.object["id"] === customer),
    )
    .toBe(true);
});

it("pushes a failed renewal with the end of the grace period, and then Free", async () => {
  const payer = await PayerAtServer.signIn(server);
  await payer.becomePro("monthly");
  server.payments.setCard(await payer.customer(), "4000000000000341");
  const { subscription } = await payer.user();
  await server.payments.advance({ to: new Date(Date.parse(subscription?.periodEndsAt ?? "") + 2 * 3_600_000) });
  const overdue = await payer.until((user) => user.subscription?.status === "past_due");
  expect(overdue.tier).toBe("pro");
  await server.payments.advance({ to: new Date(overdue.subscription?.graceEndsAt ?? 0) });
  await payer.until(({ tier }) => tier === "free");
});

it("applies a payment that was made while the server was stopped", async () => {
  const payer = await PayerAtServer.signIn(server);
  const { clientSecret } = await payer.subscribe("monthly");
  await server.stop();
  await confirmWithCard(server.payments, clientSecret);
  await server.start();
  await payer.device.live();
  expect(await payer.until(({ tier }) => tier === "pro")).toMatchObject({ subscription: { plan: "monthly" } });
});

it("limits requests to the checkout", async () => {
  await using strict = await startTestServer({
    hasExtractor: false,
    PAYMENT_STAND_IN: "on",
    settings: { rates: { billingPerUser: 2 } },
  });
  const device = await strict.newDevice();
  await strict.signIn(device, { email: "eager@example.com" });
  const statuses: number[] = [];
  for (let n = 0; n < 3; n += 1)
    statuses.push((await device.call("POST", "/api/create-subscription", { plan: "yearly" })).status);
  expect(statuses).toEqual([200, 200, 429]);
});

it("shows operators what a read-back has corrected that no message announced, and reads back at once", async () => {
  const payer = await PayerAtServer.signIn(server);
  await makeOperator(server.mongodbUri, payer.email);
  await payer.pay("monthly");
  const { id: userId } = await payer.until(({ tier }) => tier === "pro");
  const report = async () => {
    const answer = await payer.device.call("POST", "/api/operator/watch", {});
    const { billing } = OperatorState.parse(await answer.json());
    return billing.disagreements.filter((found) => found.userId === userId);
  };
  const act = async (whose: string) =>
    (await payer.device.call("POST", "/api/operator/acts", { act: "read_back", userId: whose })).status;
  expect(await report()).toEqual([]);
  expect(await act("nobody")).toBe(404);
  // A payment has two messages. The read-back for the second one would find the change as announced.
  await server.payments.webhooks.idle();
  const database = await mongoose.createConnection(server.mongodbUri).asPromise();
  const customerId = await payer.customer();
  const unhandled = () => database.collection("billing_events").countDocuments({ customerId, handledAt: null });
  await expect.poll(unhandled).toBe(0);
  await database.close();

  server.payments.webhooks.configure({ lose: true });
  try {
    await payer.stripe.subscriptions.cancel((await payer.subscription()).id);
    expect(await act(userId)).toBe(200);
  } finally {
    server.payments.webhooks.configure({ lose: false });
  }
  expect(await payer.user()).toMatchObject({ tier: "free", subscription: null });
  expect(await report()).toMatchObject([
    { ours: { tier: "pro", until: expect.any(String) }, theirs: { tier: "free", until: null }, isCorrected: true },
  ]);
  const { log } = OperatorRecords.parse(await (await payer.device.call("GET", "/api/operator/records")).json());
  expect(log.map(({ act: name, on, result }) => [name, on, result])).toEqual([
    ["read_back", userId, "done"],
    ["read_back", "nobody", "not_found"],
  ]);
});

it("answers 502 when the provider does not answer in time", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await using slow = await startTestServer({
    hasExtractor: false,
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    settings: { payment: { apiAddress: address, timeoutMs: 100 } },
  });
  const device = await slow.newDevice();
  await slow.signIn(device, { email: "waiting@example.com" });
  const answer = await device.call("POST", "/api/create-subscription", { plan: "yearly" });
  expect([answer.status, await answer.json()]).toEqual([502, expect.objectContaining({ code: "payment_provider" })]);
  expect((await device.call("GET", "/api/config")).headers.get("content-security-policy")).toMatch(
    /script-src 'self' https:\/\/js\.stripe\.com/,
  );
  silent.closeAllConnections();
  silent.close();
});

describe("every request to the provider", () => {
  let mock: StripeMock;
  beforeAll(async () => {
    mock = await startStripeMock();
  });
  afterAll(() => mock.stop());

  it("is accepted by the provider's own request checker", async () => {
    const checker = new Stripe("sk_test_1", {
      host: "127.0.0.1",
      port: mock.port,
      protocol: "http",
      maxNetworkRetries: 0,
    });
    // The requests of the tests themselves are checked too.
    const calls = new Map(
      server.payments.requests.map((call) => {
        const path = call.path.replaceAll(/\/(cus|sub|ch|du|in|pi|price|prod)_\w+/g, "/$1_1");
        return [`${call.method} ${path} ${Object.keys(Object(call.params)).sort().join(" ")}`, call];
      }),
    );
    expect([...calls.keys()].map((key) => key.split(" ").slice(0, 2).join(" "))).toEqual(
      expect.arrayContaining([
        "POST /v1/customers",
        "POST /v1/subscriptions",
        "GET /v1/subscriptions",
        "GET /v1/prices",
        "POST /v1/prices",
        "POST /v1/billing_portal/sessions",
        "POST /v1/billing_portal/configurations",
        "GET /v1/charges",
        "GET /v1/invoices",
        "GET /v1/disputes",
        "GET /v1/disputes/du_1",
        "POST /v1/customers/cus_1/balance_transactions",
        "POST /v1/subscriptions/sub_1",
        "POST /v1/invoices/in_1/void",
        "DELETE /v1/subscriptions/sub_1",
        "DELETE /v1/customers/cus_1",
      ]),
    );
    for (const { method, path, params } of calls.values())
      await checker.rawRequest(
        method,
        method === "GET" ? `${path}${query(params)}` : path,
        method === "GET" ? undefined : (params as Record<string, unknown>),
      );
  });
});

/** Encodes nested parameters with brackets, as the provider's client does. */
function query(params: unknown): string {
  const parts: string[] = [];
  const write = (name: string, value: unknown): void => {
    if (value !== null && typeof value === "object")
      for (const [key, inner] of Object.entries(value)) write(name === "" ? key : `${name}[${key}]`, inner);
    else parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  };
  write("", params);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}
