/** Tests billing below HTTP, with the real database, the official client and the provider's stand-in. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Plan, SubscriptionSecret } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import { confirmWithCard, GOOD_CARD } from "../../dev/testing/payer.ts";
import { startPaymentProvider, type PaymentProvider } from "../../dev/stand-ins/payment-provider/payment-provider.ts";
import { openTestBilling, type TestBilling } from "../../dev/testing/test-billing.ts";
import { openTestDomain, type TestDomain } from "../../dev/testing/test-domain.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { signIn } from "../accounts/sign-in.ts";
import { changeTier } from "../accounts/tier-sources.ts";
import type { StoredUser } from "../accounts/user-model.ts";
import { billingAccountHook } from "./account-hook.ts";
import type { Payment } from "./billing.ts";
import { createCatalog } from "./provider/catalog.ts";
import { createSubscription } from "./checkout/checkout.ts";
import { handleEvent, receiveEvent } from "./events/events.ts";
import { openPortal } from "./checkout/portal.ts";
import { updateTierFromStoredState, readBack } from "./read-back/read-back.ts";
import { countReadFailure, requestEarlyReadBack, postponeRead, claimDueAccounts } from "./read-back/reconcile.ts";
import { presentSubscription } from "./tier-rules.ts";
import { setUpBilling } from "./set-up.ts";
import { createStripeClient } from "./provider/stripe-client.ts";

const SECRET = "whsec_of_this_test";
const LATER_FAILING_CARD = "4000000000000341";

let domain: TestDomain;
let provider: PaymentProvider;
let payment: Payment;
let billing: TestBilling;
let userId = "";
/** Number of the stand-in's events that have been delivered. */
let deliveredCount = 0;

beforeAll(async () => {
  domain = await openTestDomain();
});
afterAll(() => domain.close());
beforeEach(async () => {
  provider = await startPaymentProvider({ port: 0, log: () => undefined });
  const stripe = createStripeClient({ secretKey: provider.secretKey, apiAddress: provider.origin, timeoutMs: 2_000 });
  await setUpBilling(stripe, null);
  payment = { stripe, catalog: createCatalog(stripe), webhookSecret: SECRET, isLive: false };
  billing = await openTestBilling(domain, { payment, now: () => provider.now() });
  userId = (
    await signIn(domain, randomUUID(), {
      issuer: "https://accounts.example",
      subject: randomUUID(),
      email: `${randomUUID()}@example.com`,
      firstName: "Ada",
    })
  )._id;
  deliveredCount = 0;
  return () => provider.stop();
});

const user = async (): Promise<StoredUser> => {
  const found = await domain.users.findById(userId).lean<StoredUser>();
  if (!found) throw new Error("the user does not exist");
  return found;
};
const account = () => billing.accounts.findById(userId).lean();
const subscriptions = async () =>
  (await payment.stripe.subscriptions.list({ customer: (await account())?.customerId ?? "", status: "all" })).data;
const header = (payload: string, timestamp = Math.floor(Date.now() / 1_000)) =>
  payment.stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp });

async function receive(event: object): Promise<void> {
  const payload = JSON.stringify(event);
  await receiveEvent(billing, payload, header(payload));
}

/** Runs all queued tasks. */
async function runTasks(): Promise<void> {
  // A task of kind "event" may add a task of kind "account".
  while (billing.tasks.length > 0)
    for (const task of billing.tasks.splice(0))
      await (task.kind === "event" ? handleEvent(billing, task.id) : readBack(billing, task.id));
}

/** Receives and handles the events since the last call, in the given order. */
async function deliver(order: (events: object[]) => object[] = (events) => events): Promise<void> {
  const fresh = provider.events.slice(deliveredCount);
  deliveredCount = provider.events.length;
  for (const event of order([...fresh])) await receive(event);
  await runTasks();
}

async function becomePro(plan: Plan = "monthly", card: string = GOOD_CARD): Promise<void> {
  const { clientSecret } = await createSubscription(billing, userId, plan);
  expect(await confirmWithCard(provider, clientSecret, card)).toBeNull();
  await deliver();
}

async function errorOf(attempt: Promise<unknown>): Promise<UserError> {
  const error: unknown = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw new Error("the call did not throw a UserError", { cause: error });
  return error;
}

describe("checkout", () => {
  it("gives Pro after the first payment", async () => {
    const secret = await createSubscription(billing, userId, "yearly");
    expect(secret).toEqual({ clientSecret: expect.stringMatching(/^pi_.+_secret_/), isSetupIntent: false });
    expect(await user()).toMatchObject({ tier: "free" });
    await confirmWithCard(provider, secret.clientSecret);
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro", subscriptionTier: "pro", grantedTier: "free" });
    expect(await account()).toMatchObject({
      subscription: { plan: "yearly", status: "active", endsAt: null },
      pendingId: null,
    });
  });

  it("keeps the subscription after a declined card, so that another card can pay it", async () => {
    const first = await createSubscription(billing, userId, "monthly");
    expect(await confirmWithCard(provider, first.clientSecret, "4000000000000002")).toBe("Your card was declined.");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await createSubscription(billing, userId, "monthly")).toEqual(first);
    await confirmWithCard(provider, first.clientSecret);
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("creates one customer and one subscription for ten simultaneous calls", async () => {
    const secrets = await Promise.all(Array.from({ length: 10 }, () => createSubscription(billing, userId, "yearly")));
    expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(1);
    expect(await subscriptions()).toHaveLength(1);
    expect((await payment.stripe.customers.list({ email: (await user()).email })).data).toHaveLength(1);
  });

  it("creates one subscription by its idempotency key, even without the lease", async () => {
    await createSubscription(billing, userId, "yearly");
    // The request that a second process would send if it had seen the same state.
    const [open] = await subscriptions();
    const customer = (await account())?.customerId ?? "";
    const again = await payment.stripe.subscriptions.create(
      {
        customer,
        items: [{ price: await payment.catalog.priceOf("yearly") }],
        payment_behavior: "default_incomplete",
        payment_settings: { save_default_payment_method: "on_subscription", payment_method_types: ["card"] },
        metadata: { userId },
        expand: ["latest_invoice.confirmation_secret", "pending_setup_intent"],
      },
      { idempotencyKey: `subscription:${customer}:yearly:${await payment.catalog.priceOf("yearly")}:0:0` },
    );
    expect(again.id).toBe(open?.id);
  });

  it("cancels the unpaid subscription when the user chooses another plan", async () => {
    const plans: Plan[] = ["yearly", "monthly", "yearly", "monthly"];
    const secrets: SubscriptionSecret[] = [];
    for (const plan of plans) secrets.push(await createSubscription(billing, userId, plan));
    expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(4);
    expect((await subscriptions()).map(({ status }) => status).toSorted()).toEqual([
      "incomplete",
      "incomplete_expired",
      "incomplete_expired",
      "incomplete_expired",
    ]);
    await confirmWithCard(provider, secrets[3]?.clientSecret ?? "");
    await deliver();
    expect(await account()).toMatchObject({ subscription: { plan: "monthly" } });
  });

  it("keeps a subscription that is paid while the user chooses another plan", async () => {
    const { clientSecret } = await createSubscription(billing, userId, "monthly");
    const { subscriptions: real } = payment.stripe;
    const list = vi.spyOn(real, "list");
    list.mockImplementationOnce((params, options) => {
      const pages = real.list(params, options);
      return Object.assign(pages, {
        // Another tab pays after this checkout has listed the subscription as unpaid.
        async *[Symbol.asyncIterator]() {
          const { data } = await pages;
          await confirmWithCard(provider, clientSecret);
          yield* data;
        },
      });
    });
    expect(await errorOf(createSubscription(billing, userId, "yearly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("being confirmed"),
    });
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    await deliver();
    expect(await account()).toMatchObject({ subscription: { plan: "monthly", status: "active" } });
  });

  it("creates a new customer when the old one was deleted at the provider", async () => {
    await becomePro();
    await payment.stripe.customers.del((await account())?.customerId ?? "");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    await becomePro("yearly");
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("asks for no payment when credit has paid the subscription", async () => {
    const { subscriptions: real } = payment.stripe;
    const create = real.create.bind(real);
    vi.spyOn(real, "create").mockImplementationOnce((params, options) =>
      // As with credit, nothing is due: the subscription is active at once and has no secret.
      create({ ...params, trial_period_days: 30 }, options).then((made) => ({ ...made, pending_setup_intent: null })),
    );
    expect(await errorOf(createSubscription(billing, userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("Credit"),
    });
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("creates a new subscription when the unpaid one expired after a day", async () => {
    const first = await createSubscription(billing, userId, "monthly");
    await provider.advance({ hours: 24 });
    await deliver();
    expect(await account()).toMatchObject({ pendingId: null });
    const second = await createSubscription(billing, userId, "monthly");
    expect(second.clientSecret).not.toBe(first.clientSecret);
  });

  it("rejects a user who has Pro, paid or granted, with already_subscribed", async () => {
    await becomePro();
    expect(await errorOf(createSubscription(billing, userId, "yearly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("Manage billing"),
    });
    await provider.stop();
    const given = await signIn(domain, randomUUID(), {
      issuer: "https://accounts.example",
      subject: randomUUID(),
      email: "given@example.com",
    });
    await changeTier(domain, "given@example.com", "pro");
    expect(await errorOf(createSubscription(billing, given._id, "yearly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("compliments"),
    });
  });

  it("recognizes a payment whose event has not arrived", async () => {
    const { clientSecret } = await createSubscription(billing, userId, "monthly");
    await confirmWithCard(provider, clientSecret);
    expect(await errorOf(createSubscription(billing, userId, "monthly"))).toMatchObject({ code: "already_subscribed" });
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it.each([
    ["fails once", { path: /customers/, status: 500, times: 1 }],
    ["loses the connection before it acts", { path: /subscriptions/, method: "POST", status: "network", times: 1 }],
    ["loses the connection after it acted", { path: /subscriptions/, method: "POST", status: "late", times: 1 }],
  ] as const)("retries when the provider %s, and creates nothing twice", async (_name, outage) => {
    provider.fail(outage);
    expect(await createSubscription(billing, userId, "monthly")).toMatchObject({ isSetupIntent: false });
    expect(await subscriptions()).toHaveLength(1);
  });

  it.each([
    ["keeps failing", { path: /^\/v1\/subscriptions/, method: "POST", status: 500, times: 3 }],
    ["cannot be reached", { path: /^\/v1\//, status: "network", times: 3 }],
    ["limits the rate", { path: /^\/v1\/subscriptions/, status: 429 }],
    ["limits the rate of new customers", { path: /^\/v1\/customers/, method: "POST", status: 429 }],
  ] as const)(
    "fails with payment_provider when the provider %s, and succeeds at the next attempt",
    async (_name, outage) => {
      provider.fail(outage);
      expect(await errorOf(createSubscription(billing, userId, "monthly"))).toMatchObject({ code: "payment_provider" });
      expect(await createSubscription(billing, userId, "monthly")).toMatchObject({ isSetupIntent: false });
      expect(await subscriptions()).toHaveLength(1);
    },
  );

  it("rejects a price that differs from our table with payment_unconfigured", async () => {
    await payment.stripe.prices.create({
      product: "tapedeck_pro",
      currency: "usd",
      unit_amount: 9_900,
      recurring: { interval: "year" },
      lookup_key: "tapedeck_pro_yearly",
      transfer_lookup_key: true,
    });
    const wrong = { ...billing, payment: { ...payment, catalog: createCatalog(payment.stripe) } };
    const error = await errorOf(createSubscription(wrong, userId, "yearly"));
    expect(error).toMatchObject({
      code: "payment_unconfigured",
      cause: expect.objectContaining({ message: expect.stringContaining("is 9900 cents instead of 9000") }),
    });
    await expect(setUpBilling(payment.stripe, null)).rejects.toThrow("tapedeck_pro_yearly is 9900 cents");
  });

  it("rejects a checkout with invalid keys with payment_unconfigured", async () => {
    const stripe = createStripeClient({ secretKey: "sk_live_none", apiAddress: provider.origin, timeoutMs: 2_000 });
    const locked = { ...billing, payment: { ...payment, stripe, catalog: createCatalog(stripe) } };
    expect(await errorOf(createSubscription(locked, userId, "yearly"))).toMatchObject({ code: "payment_unconfigured" });
  });
});

describe("events", () => {
  it.each([
    ["in reverse order", (events: object[]) => events.toReversed()],
    ["received three times each", (events: object[]) => [...events, ...events, ...events]],
    ["of which only the last arrives", (events: object[]) => events.slice(-1)],
    [
      "of which only the first arrives",
      (events: object[]) => events.filter((event) => "type" in event && event.type === "customer.subscription.created"),
    ],
  ])("give Pro from events %s", async (_name, order) => {
    const { clientSecret } = await createSubscription(billing, userId, "monthly");
    await confirmWithCard(provider, clientSecret);
    await deliver(order);
    expect(await user()).toMatchObject({ tier: "pro" });
    expect(await account()).toMatchObject({ subscription: { status: "active" } });
  });

  it("ignore the contents of an old event that arrives late", async () => {
    await becomePro();
    const early = provider.events.find(({ type }) => type === "customer.subscription.created");
    await receive({ ...early, id: "evt_repeated" });
    await runTasks();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("queue one read-back when the same event arrives several times", async () => {
    await becomePro();
    const customer = (await account())?.customerId;
    const event = {
      id: `evt_${randomUUID()}`,
      object: "event",
      type: "invoice.paid",
      data: { object: { id: "in_1", object: "invoice", customer } },
    };
    await Promise.all([receive(event), receive(event), receive(event)]);
    expect(billing.tasks).toEqual([{ kind: "account", id: userId }]);
    await runTasks();
    expect(await billing.events.countDocuments({ _id: event.id, handledAt: null })).toBe(0);
    await receive(event);
    expect(billing.tasks).toHaveLength(0);
  });

  it("of an unknown customer are stored as handled, without a request to the provider", async () => {
    const asked = provider.requests.length;
    const id = `evt_${randomUUID()}`;
    await receive({
      id,
      object: "event",
      type: "invoice.paid",
      data: { object: { id: "in_1", object: "invoice", customer: "cus_nobody" } },
    });
    await runTasks();
    expect(provider.requests).toHaveLength(asked);
    expect(await billing.events.countDocuments({ _id: id, handledAt: { $ne: null } })).toBe(1);
  });

  it.each<[string, (customer: string, subscription: string) => object, "read" | "nothing"]>([
    [
      "of an unknown type",
      (customer) => ({
        type: "treasury.moon.eclipsed",
        data: { object: { id: "moon_1", object: "treasury.moon", customer } },
      }),
      "read",
    ],
    ["without an object", () => ({ type: "invoice.paid", data: {} }), "nothing"],
    ["without data", () => ({ type: "invoice.paid" }), "nothing"],
    ["whose object is a number", () => ({ type: "invoice.paid", data: { object: 7 } }), "nothing"],
    [
      "whose object has no id",
      (customer) => ({ type: "invoice.upcoming", data: { object: { object: "invoice", customer } } }),
      "read",
    ],
    [
      "whose customer is expanded",
      (customer) => ({
        type: "invoice.paid",
        data: { object: { id: "in_1", object: "invoice", customer: { id: customer, object: "customer" } } },
      }),
      "read",
    ],
    [
      "whose customer is a number",
      () => ({ type: "invoice.paid", data: { object: { id: "in_gone", object: "invoice", customer: 7 } } }),
      "nothing",
    ],
    [
      "of an older API version",
      (customer) => ({
        api_version: "2015-10-16",
        type: "customer.subscription.updated",
        data: { object: { id: "sub_1", object: "subscription", plan: { id: "gold" }, customer } },
      }),
      "read",
    ],
    [
      "of a deleted customer",
      (customer) => ({
        type: "customer.deleted",
        data: { object: { id: customer, object: "customer", deleted: true } },
      }),
      "read",
    ],
    [
      "of a deleted object",
      () => ({
        type: "charge.dispute.created",
        data: { object: { id: "du_gone", object: "dispute", charge: "ch_gone" } },
      }),
      "nothing",
    ],
    [
      "that is thin and names a subscription",
      (_customer, id) => ({
        object: "v2.core.event",
        type: "v1.customer.subscription.updated",
        related_object: { id, type: "subscription", url: `/v1/subscriptions/${id}` },
      }),
      "read",
    ],
    [
      "that is thin and names a customer",
      (id) => ({
        object: "v2.core.event",
        type: "v1.customer.updated",
        related_object: { id, type: "customer", url: `/v1/customers/${id}` },
      }),
      "read",
    ],
    [
      "that is thin and names nothing",
      () => ({ object: "v2.core.event", type: "v2.core.event_destination.ping", related_object: null }),
      "nothing",
    ],
    [
      "of the other mode",
      (customer) => ({
        livemode: true,
        type: "invoice.paid",
        data: { object: { id: "in_1", object: "invoice", customer } },
      }),
      "nothing",
    ],
  ])("accept an event %s", async (_name, make, outcome) => {
    await becomePro();
    const customer = (await account())?.customerId ?? "";
    const subscription = (await subscriptions())[0]?.id ?? "";
    const before = (await account())?.readsBegun ?? 0;
    const id = `evt_${randomUUID()}`;
    await receive({ id, object: "event", ...make(customer, subscription) });
    await runTasks();
    expect(((await account())?.readsBegun ?? 0) - before).toBe(outcome === "read" ? 1 : 0);
    expect(await billing.events.countDocuments({ _id: id, handledAt: null })).toBe(0);
  });

  it.each([
    ["[]"],
    ["null"],
    ["7"],
    [`"evt"`],
    ["{}"],
    [`{"id":7,"type":"invoice.paid"}`],
    [`{"id":"","type":"invoice.paid"}`],
    [`{"id":"evt_1"}`],
  ])("reject a signed body that is not an event with bad_request: %s", async (body) => {
    expect(await errorOf(receiveEvent(billing, body, header(body)))).toMatchObject({ code: "bad_request" });
  });

  it.each([["t=,v1="], ["t=1,v1="], ["v1"], [","], ["t=1"], ["\u00e9"]])(
    "reject a malformed signature with bad_request: %s",
    async (signature) => {
      expect(await errorOf(receiveEvent(billing, `{"id":"evt_1","type":"invoice.paid"}`, signature))).toMatchObject({
        code: "bad_request",
      });
    },
  );

  it("reject a wrong or old signature with bad_request and store nothing", async () => {
    const payload = JSON.stringify({ id: "evt_forged", object: "event", type: "invoice.paid", data: { object: {} } });
    const other = payment.stripe.webhooks.generateTestHeaderString({ payload, secret: "whsec_other" });
    const stale = header(payload, Math.floor(Date.now() / 1_000) - 301);
    for (const [body, signature] of [
      [payload, other],
      [payload, ""],
      [payload, stale],
      [`${payload} `, header(payload)],
      ["", header("")],
      ["{", header("{")],
    ] as const)
      expect(await errorOf(receiveEvent(billing, body, signature))).toMatchObject({ code: "bad_request" });
    expect(await billing.events.findById("evt_forged")).toBeNull();
  });

  it("that were lost are replaced by the regular read-back", async () => {
    await becomePro();
    await payment.stripe.subscriptions.cancel((await subscriptions())[0]?.id ?? "");
    expect(await claimDueAccounts(billing)).not.toContain(userId);
    await provider.advance({ hours: 25 });
    expect(await claimDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("of a first payment that were all lost are replaced by the regular read-back", async () => {
    const { clientSecret } = await createSubscription(billing, userId, "monthly");
    await confirmWithCard(provider, clientSecret);
    await provider.advance({ hours: 25 });
    for (const id of await claimDueAccounts(billing)) if (id === userId) await readBack(billing, id);
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("leave a failed read-back to its queue entry: pages queue none, and the account is due later", async () => {
    await createSubscription(billing, userId, "monthly");
    expect(await countReadFailure(billing, userId)).toBe(1);
    await postponeRead(billing, userId, 3_600_000, "refused");
    await requestEarlyReadBack(billing, userId);
    expect(billing.tasks).toEqual([]);
    await provider.advance({ hours: 1 });
    expect(await claimDueAccounts(billing)).not.toContain(userId);
    await provider.advance({ hours: 1 });
    expect(await claimDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    await requestEarlyReadBack(billing, userId);
    expect(billing.tasks).toEqual([{ kind: "account", id: userId }]);
  });

  it("store the read-back that began later", async () => {
    await becomePro();
    // A read-back that has begun and not finished.
    await billing.accounts.updateOne({ _id: userId }, { $inc: { readsBegun: 1 } });
    const before = await account();
    await payment.stripe.subscriptions.cancel((await subscriptions())[0]?.id ?? "");
    await readBack(billing, userId);
    const { matchedCount } = await billing.accounts.updateOne(
      { _id: userId, lastReadWritten: { $lt: before?.readsBegun ?? 0 } },
      { $set: { subscription: null } },
    );
    expect(matchedCount).toBe(0);
    expect(await user()).toMatchObject({ tier: "free" });
  });
});

describe("renewals", () => {
  it("keep Pro for a year of successful payments", async () => {
    await becomePro();
    for (let month = 0; month < 12; month += 1) {
      await provider.advance({ days: 31 });
      await deliver();
      expect(await user()).toMatchObject({ tier: "pro" });
    }
    expect((await account())?.subscription?.periodEndsAt.getTime()).toBeGreaterThan(provider.now().getTime());
  });

  it("that fail keep Pro for the grace period of three days, then end it until the payment succeeds", async () => {
    await becomePro("monthly", LATER_FAILING_CARD).catch(() => undefined);
    if ((await user()).tier !== "pro") await becomePro();
    provider.setCard((await account())?.customerId ?? "", LATER_FAILING_CARD);
    const { periodEndsAt } = (await account())?.subscription ?? { periodEndsAt: new Date(0) };
    await provider.advance({ to: new Date(periodEndsAt.getTime() + 2 * 3_600_000) });
    await deliver();
    expect(await account()).toMatchObject({ subscription: { status: "past_due", pastDueSince: expect.any(Date) } });
    expect(await user()).toMatchObject({ tier: "pro" });
    await provider.advance({ hours: 68 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
    await provider.advance({ hours: 3 });
    expect(await claimDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await errorOf(createSubscription(billing, userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("failed"),
    });
    provider.setCard((await account())?.customerId ?? "", GOOD_CARD);
    await provider.advance({ days: 5 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("that are never paid end the subscription, and the user may subscribe again", async () => {
    await becomePro();
    provider.setCard((await account())?.customerId ?? "", LATER_FAILING_CARD);
    await provider.advance({ days: 60 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await account()).toMatchObject({ subscription: null });
    expect(await createSubscription(billing, userId, "yearly")).toMatchObject({ isSetupIntent: false });
  });

  it("keep Pro until the end of the period after a cancellation", async () => {
    await becomePro();
    const id = (await subscriptions())[0]?.id ?? "";
    await payment.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await deliver();
    const { periodEndsAt, endsAt } = (await account())?.subscription ?? {};
    expect(endsAt).toEqual(periodEndsAt);
    await provider.advance({ to: new Date((endsAt?.getTime() ?? 0) - 3_600_000) });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
    await provider.advance({ hours: 2 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("end Pro on time after a cancellation while the provider cannot be reached", async () => {
    await becomePro();
    await payment.stripe.subscriptions.update((await subscriptions())[0]?.id ?? "", { cancel_at_period_end: true });
    await deliver();
    const later = { ...billing, now: () => new Date(Date.now() + 40 * 86_400_000) };
    provider.fail({ path: /./, status: "network", times: 100 });
    await expect(readBack(later, userId)).rejects.toThrow("connection to Stripe");
    expect(await user()).toMatchObject({ tier: "pro" });
    await updateTierFromStoredState(later, userId);
    expect(await user()).toMatchObject({ tier: "free" });
  });
});

describe("refunds", () => {
  const newestCharge = async () =>
    (await payment.stripe.charges.list({ customer: (await account())?.customerId ?? "" })).data[0]?.id ?? "";

  it("of the whole amount end Pro at once", async () => {
    await becomePro("yearly");
    await payment.stripe.refunds.create({ charge: await newestCharge() });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["canceled"]);
  });

  it("of a part of the amount keep Pro", async () => {
    await becomePro("yearly");
    await payment.stripe.refunds.create({ charge: await newestCharge(), amount: 1_000 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("whose event was lost are found by the read-back", async () => {
    await becomePro();
    await payment.stripe.refunds.create({ charge: await newestCharge() });
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("of an earlier month keep the current month", async () => {
    await becomePro();
    const old = await newestCharge();
    await provider.advance({ days: 32 });
    await deliver();
    await payment.stripe.refunds.create({ charge: old });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });
});

describe("refunds and disputes after a change of plan, a renewal or a pause", () => {
  const charges = async () =>
    (await payment.stripe.charges.list({ customer: (await account())?.customerId ?? "" })).data;
  const balance = async () => {
    const customer = await payment.stripe.customers.retrieve((await account())?.customerId ?? "");
    return customer.deleted ? null : customer.balance;
  };
  const switchTo = async (plan: Plan) => {
    const [live] = await subscriptions();
    const item = live?.items.data[0];
    await payment.stripe.subscriptions.update(live?.id ?? "", {
      items: [{ id: item?.id ?? "", price: await payment.catalog.priceOf(plan) }],
      proration_behavior: "always_invoice",
    });
    await deliver();
  };

  it("keep the yearly plan when the monthly payment before it is refunded", async () => {
    await becomePro("monthly");
    const [month] = await charges();
    await provider.advance({ days: 3 });
    await switchTo("yearly");
    await payment.stripe.refunds.create({ charge: month?.id ?? "" });
    await deliver();
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    expect(await account()).toMatchObject({ subscription: { plan: "yearly", status: "active" } });
    expect(await user()).toMatchObject({ tier: "pro" });
    // A refund of the yearly payment itself ends it.
    await payment.stripe.refunds.create({ charge: (await charges())[0]?.id ?? "" });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("end Pro and clear the remaining credit when the yearly payment before a monthly plan is refunded", async () => {
    await becomePro("yearly");
    await switchTo("monthly");
    expect(await balance()).toBeLessThan(-8_000);
    await payment.stripe.refunds.create({ charge: (await charges())[0]?.id ?? "" });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await balance()).toBe(0);
    expect(await createSubscription(billing, userId, "monthly")).toMatchObject({
      clientSecret: expect.stringMatching(/^pi_/),
    });
  });

  it("clear the credit even if an operator canceled the subscription at the same time", async () => {
    await becomePro("yearly");
    await switchTo("monthly");
    await payment.stripe.refunds.create({ charge: (await charges())[0]?.id ?? "" });
    await payment.stripe.subscriptions.cancel((await subscriptions())[0]?.id ?? "");
    await deliver();
    expect(await balance()).toBe(0);
  });

  it("end a subscription that is paid by credit when the payment behind it is refunded months later", async () => {
    await becomePro("yearly");
    await switchTo("monthly");
    await provider.advance({ days: 70 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
    await payment.stripe.refunds.create({ charge: (await charges())[0]?.id ?? "" });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await balance()).toBe(0);
  });

  it("keep credit that an operator has given", async () => {
    await becomePro("monthly");
    await payment.stripe.customers.createBalanceTransaction((await account())?.customerId ?? "", {
      amount: -2_000,
      currency: "usd",
    });
    await payment.stripe.refunds.create({ charge: (await charges())[0]?.id ?? "" });
    await deliver();
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await balance()).toBe(-2_000);
  });

  it("keep a subscription that is renewed while the read-back runs", async () => {
    await becomePro("monthly");
    const [old] = await charges();
    const { subscriptions: real } = payment.stripe;
    const list = vi.spyOn(real, "list");
    list.mockImplementationOnce((params, options) => {
      const pages = real.list(params, options);
      return Object.assign(pages, {
        async *[Symbol.asyncIterator]() {
          const { data } = await pages;
          await payment.stripe.refunds.create({ charge: old?.id ?? "" });
          await provider.advance({ days: 32 });
          yield* data;
        },
      });
    });
    await readBack(billing, userId);
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("end Pro while a dispute is open, without charges, and restore it when the dispute is won", async () => {
    await becomePro();
    const dispute = provider.dispute((await account())?.customerId ?? "");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await account()).toMatchObject({ subscription: { isDisputed: true } });
    expect(await errorOf(createSubscription(billing, userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("bank"),
    });
    // No charge during the dispute.
    const paid = (await charges()).length;
    await provider.advance({ days: 32 });
    await deliver();
    expect(await charges()).toHaveLength(paid);
    expect(await user()).toMatchObject({ tier: "free" });
    provider.settleDispute(dispute.id, "won");
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
    expect((await subscriptions())[0]).toMatchObject({ status: "active", pause_collection: null });
    await provider.advance({ days: 32 });
    await deliver();
    expect(await charges()).toHaveLength(paid + 1);
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("end the subscription when a dispute is lost, and the user may subscribe again", async () => {
    await becomePro();
    const dispute = provider.dispute((await account())?.customerId ?? "");
    await deliver();
    provider.settleDispute(dispute.id, "lost");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["canceled"]);
    await becomePro();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("end Pro for a dispute of an earlier month, found by the read-back", async () => {
    await becomePro();
    const [first] = await charges();
    await provider.advance({ days: 32 });
    await deliver();
    provider.dispute(first?.id ?? "");
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("keep Pro during an inquiry of the bank", async () => {
    await becomePro();
    const inquiry = provider.dispute((await account())?.customerId ?? "", { isInquiry: true });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
    provider.settleDispute(inquiry.id, "won");
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("do not trust the contents of a dispute event", async () => {
    await becomePro();
    const [charge] = await charges();
    await receive({
      id: `evt_${randomUUID()}`,
      object: "event",
      type: "charge.dispute.closed",
      data: { object: { id: "du_1", object: "dispute", charge: charge?.id, status: "lost" } },
    });
    await runTasks();
    expect(await user()).toMatchObject({ tier: "pro" });
  });
});

describe("a paused subscription", () => {
  const pause = async (behavior: "keep_as_draft" | "mark_uncollectible" | "void") => {
    await payment.stripe.subscriptions.update((await subscriptions())[0]?.id ?? "", { pause_collection: { behavior } });
    await deliver();
  };
  const shown = async () =>
    presentSubscription((await account())?.subscription ?? null, billing.now(), billing.graceMs);

  it.each(["keep_as_draft", "mark_uncollectible", "void"] as const)(
    "keeps Pro until the end of the paid period: %s",
    async (behavior) => {
      await becomePro();
      await pause(behavior);
      expect(await user()).toMatchObject({ tier: "pro" });
      expect(await shown()).toMatchObject({ status: "active", cancelsAtPeriodEnd: true });
      await provider.advance({ days: 32 });
      await deliver();
      expect(await user()).toMatchObject({ tier: "free" });
      expect(await shown()).toMatchObject({ status: "paused" });
      expect(await errorOf(createSubscription(billing, userId, "yearly"))).toMatchObject({
        code: "already_subscribed",
        message: expect.stringContaining("paused"),
      });
      await payment.stripe.subscriptions.update((await subscriptions())[0]?.id ?? "", { pause_collection: "" });
      await deliver();
      await provider.advance({ days: 32 });
      await deliver();
      expect(await user()).toMatchObject({ tier: "pro" });
      expect(await shown()).toMatchObject({ status: "active", cancelsAtPeriodEnd: false });
    },
  );

  it("stays active if it resumes before the renewal", async () => {
    await becomePro();
    const id = (await subscriptions())[0]?.id ?? "";
    await payment.stripe.subscriptions.update(id, {
      pause_collection: { behavior: "void", resumes_at: Math.floor(provider.now().getTime() / 1_000) + 86_400 },
    });
    await deliver();
    expect(await shown()).toMatchObject({ status: "active", cancelsAtPeriodEnd: false });
  });

  it("after a trial without a card is shown as paused, and gives Pro again when resumed", async () => {
    await becomePro();
    await payment.stripe.subscriptions.cancel((await subscriptions())[0]?.id ?? "");
    const { id: customer } = await payment.stripe.customers.create({ metadata: { userId } });
    await billing.accounts.updateOne({ _id: userId }, { $set: { customerId: customer } });
    const made = await payment.stripe.subscriptions.create({
      customer,
      items: [{ price: await payment.catalog.priceOf("monthly") }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: "pause" } },
    });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
    await provider.advance({ days: 8 });
    await deliver();
    expect(await shown()).toMatchObject({ status: "paused" });
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await errorOf(createSubscription(billing, userId, "yearly"))).toMatchObject({
      message: expect.stringContaining("paused"),
    });
    provider.setCard(customer, GOOD_CARD);
    await payment.stripe.subscriptions.resume(made.id, {});
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });
});

describe("accounts, prices and set-up", () => {
  it("keep granted and paid Pro independent of each other", async () => {
    await becomePro();
    const { email } = await user();
    expect(await changeTier(domain, email, "free")).toEqual({ accounts: 1, paying: 1 });
    expect(await user()).toMatchObject({ tier: "pro" });
    await changeTier(domain, email, "pro");
    await payment.stripe.subscriptions.cancel((await subscriptions())[0]?.id ?? "");
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro", subscriptionTier: "free" });
    await changeTier(domain, email, "free");
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("cancel the subscription of a deleted account once the provider can be reached", async () => {
    await becomePro();
    const [subscription] = await subscriptions();
    const leaving = { ...domain, accountHooks: [billingAccountHook(billing)] };
    await deleteAccount(leaving, userId);
    provider.fail({ path: /./, status: "network", times: 3 });
    await expect(runTasks()).rejects.toThrow("connection to Stripe");
    for (const id of await claimDueAccounts(billing)) if (id === userId) await readBack(billing, id);
    expect((await payment.stripe.subscriptions.retrieve(subscription?.id ?? "")).status).toBe("canceled");
    expect(await account()).toBeNull();
  });

  it("keep the record of a deleted account until the provider has deleted the customer", async () => {
    await becomePro();
    const customerId = (await account())?.customerId ?? "";
    await deleteAccount({ ...domain, accountHooks: [billingAccountHook(billing)] }, userId);
    provider.fail({ path: /^\/v1\/customers/, method: "DELETE", status: 500, times: 3 });
    await expect(runTasks()).rejects.toThrow("unknown error");
    expect(await account()).toMatchObject({ customerId, closedAt: expect.any(Date) });
    await provider.advance({ hours: 1 });
    expect(await claimDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    await expect(payment.stripe.customers.retrieve(customerId)).rejects.toThrow("No such customer");
    expect(await account()).toBeNull();
    // The event of the deletion belongs to no account any more.
    await deliver();
    expect(await billing.events.countDocuments({ customerId, handledAt: null })).toBe(0);
  });

  it("read back a customer of two users for both, and keep it until both accounts are deleted", async () => {
    await becomePro();
    const customerId = (await account())?.customerId ?? "";
    const other = await signIn(domain, randomUUID(), {
      issuer: "https://accounts.example",
      subject: randomUUID(),
      email: `${randomUUID()}@example.com`,
    });
    await billing.accounts.create({ _id: other._id, customerId, createdAt: new Date() });
    const [live] = await subscriptions();
    await payment.stripe.subscriptions.update(live?.id ?? "", { metadata: { changed: "yes" } });
    await deliver();
    expect(await domain.users.findById(other._id).lean()).toMatchObject({ tier: "pro" });
    await deleteAccount({ ...domain, accountHooks: [billingAccountHook(billing)] }, other._id);
    await runTasks();
    expect(await billing.accounts.findById(other._id)).toBeNull();
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    await payment.stripe.subscriptions.cancel(live?.id ?? "");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("find a subscription that an operator created for an earlier customer, without an event", async () => {
    await becomePro();
    await payment.stripe.subscriptions.cancel((await subscriptions())[0]?.id ?? "");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    const customer = (await account())?.customerId ?? "";
    provider.setCard(customer, GOOD_CARD);
    await payment.stripe.subscriptions.create({
      customer,
      items: [{ price: await payment.catalog.priceOf("yearly") }],
    });
    deliveredCount = provider.events.length;
    await provider.advance({ days: 8 });
    expect(await claimDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "pro" });
    // As stored by an earlier version.
    await billing.accounts.updateOne({ _id: userId }, { $set: { nextReadAt: null } });
    expect(await claimDueAccounts(billing)).toContain(userId);
    expect(await claimDueAccounts(billing)).not.toContain(userId);
  });

  it.each([
    ["with", true],
    ["without", false],
  ])("use the new price when a price was replaced, %s an event about it", async (_name, hasEvent) => {
    const old = await payment.catalog.priceOf("yearly");
    const replacement = await payment.stripe.prices.create({
      product: "tapedeck_pro",
      currency: "usd",
      unit_amount: 9_000,
      recurring: { interval: "year" },
      lookup_key: "tapedeck_pro_yearly",
      transfer_lookup_key: true,
    });
    await payment.stripe.prices.update(old, { active: false });
    const asked = provider.requests.length;
    if (hasEvent) await deliver();
    expect(await createSubscription(billing, userId, "yearly")).toMatchObject({ isSetupIntent: false });
    expect((await subscriptions())[0]?.items.data[0]?.price.id).toBe(replacement.id);
    const attempts = provider.requests
      .slice(asked)
      .filter(({ method, path }) => method === "POST" && path === "/v1/subscriptions");
    expect(attempts).toHaveLength(hasEvent ? 1 : 2);
  });

  it("reject a price that was archived without a replacement with payment_unconfigured", async () => {
    await payment.stripe.prices.update(await payment.catalog.priceOf("yearly"), { active: false });
    expect(await errorOf(createSubscription(billing, userId, "yearly"))).toMatchObject({
      code: "payment_unconfigured",
    });
  });

  it("export the customer id and the subscription", async () => {
    await becomePro();
    expect(await billingAccountHook(billing).export?.(userId)).toMatchObject({
      billing: { customerId: expect.stringMatching(/^cus_/), subscription: { plan: "monthly" } },
    });
  });

  it("open the portal for customers, and reject others with conflict", async () => {
    expect(await errorOf(openPortal(billing, userId, "http://localhost/"))).toMatchObject({ code: "conflict" });
    await becomePro();
    expect(await openPortal(billing, userId, "http://localhost/")).toMatch(/^http/);
  });

  it("create nothing when the set-up is repeated", async () => {
    const before = provider.requests.filter(({ method }) => method === "POST").length;
    await setUpBilling(payment.stripe, null);
    expect(provider.requests.filter(({ method }) => method === "POST")).toHaveLength(before);
  });
});
