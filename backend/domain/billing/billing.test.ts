/** Money without HTTP: the real database, the official client, and the stand-in with its clock. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Plan, SubscriptionSecret } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import { confirmWithCard, GOOD_CARD } from "../../dev/testing/payer.ts";
import { startPaymentProvider, type PaymentProvider } from "../../dev/stand-ins/payment-provider/payment-provider.ts";
import { openTestBilling, type TestBilling } from "../../dev/testing/test-billing.ts";
import { openTestDomain, type TestDomain } from "../../dev/testing/test-domain.ts";
import { changeTier, deleteAccount, signIn } from "../accounts/accounts.ts";
import type { StoredUser } from "../accounts/user-model.ts";
import { billingAccountHook } from "./account-hook.ts";
import type { Payment } from "./billing.ts";
import { createCatalog } from "./provider/catalog.ts";
import { createSubscription } from "./checkout/checkout.ts";
import { handleEvent, receiveEvent } from "./events/events.ts";
import { openPortal } from "./checkout/portal.ts";
import { applyTime, readBack } from "./read-back/read-back.ts";
import { countFailure, nudge, postponeRead, takeDueAccounts } from "./read-back/reconcile.ts";
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
/** How many of the stand-in's messages were looked at. */
let seen = 0;

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
  seen = 0;
  return () => provider.stop();
});

const user = async (): Promise<StoredUser> => {
  const found = await domain.users.findById(userId).lean<StoredUser>();
  if (!found) throw new Error("the user is gone");
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

/** Works on everything that waits, as the queue would. */
async function work(): Promise<void> {
  // A message that names no customer first finds out whom to read back.
  while (billing.tasks.length > 0)
    for (const task of billing.tasks.splice(0))
      await (task.kind === "event" ? handleEvent(billing, task.id) : readBack(billing, task.id));
}

/** The messages since the last time, in the order given, are received and worked on. */
async function deliver(order: (events: object[]) => object[] = (events) => events): Promise<void> {
  const fresh = provider.events.slice(seen);
  seen = provider.events.length;
  for (const event of order([...fresh])) await receive(event);
  await work();
}

async function becomePro(plan: Plan = "monthly", card: string = GOOD_CARD): Promise<void> {
  const { clientSecret } = await createSubscription(billing, userId, plan);
  expect(await confirmWithCard(provider, clientSecret, card)).toBeNull();
  await deliver();
}

async function refusal(attempt: Promise<unknown>): Promise<UserError> {
  const error: unknown = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw new Error("it was not refused", { cause: error });
  return error;
}

describe("at the checkout", () => {
  it("a first payment makes Pro", async () => {
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

  it("a refused card leaves the same subscription to be paid with another", async () => {
    const first = await createSubscription(billing, userId, "monthly");
    expect(await confirmWithCard(provider, first.clientSecret, "4000000000000002")).toBe("Your card was declined.");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await createSubscription(billing, userId, "monthly")).toEqual(first);
    await confirmWithCard(provider, first.clientSecret);
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("ten calls at once make one customer and one subscription", async () => {
    const secrets = await Promise.all(Array.from({ length: 10 }, () => createSubscription(billing, userId, "yearly")));
    expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(1);
    expect(await subscriptions()).toHaveLength(1);
    expect((await payment.stripe.customers.list({ email: (await user()).email })).data).toHaveLength(1);
  });

  it("two processes at once make one subscription, even if neither knows of the other's lease", async () => {
    await createSubscription(billing, userId, "yearly");
    // As seen by a process that came at the same time: nothing there yet, and the lease free.
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

  it("another plan takes the place of the one that waits", async () => {
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

  it("a payment that is faster than the change to another plan is kept", async () => {
    const { clientSecret } = await createSubscription(billing, userId, "monthly");
    const { subscriptions: real } = payment.stripe;
    const list = vi.spyOn(real, "list");
    list.mockImplementationOnce((params, options) => {
      const pages = real.list(params, options);
      return Object.assign(pages, {
        // Paid in the other tab once this one has seen that it is not.
        async *[Symbol.asyncIterator]() {
          const { data } = await pages;
          await confirmWithCard(provider, clientSecret);
          yield* data;
        },
      });
    });
    expect(await refusal(createSubscription(billing, userId, "yearly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("being confirmed"),
    });
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    await deliver();
    expect(await account()).toMatchObject({ subscription: { plan: "monthly", status: "active" } });
  });

  it("whoever the provider has forgotten starts over", async () => {
    await becomePro();
    await payment.stripe.customers.del((await account())?.customerId ?? "");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    await becomePro("yearly");
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("nothing is asked of somebody whose credit has paid already", async () => {
    const { subscriptions: real } = payment.stripe;
    const create = real.create.bind(real);
    vi.spyOn(real, "create").mockImplementationOnce((params, options) =>
      // As with credit: nothing is due, so it is active from the start, and there is no secret.
      create({ ...params, trial_period_days: 30 }, options).then((made) => ({ ...made, pending_setup_intent: null })),
    );
    expect(await refusal(createSubscription(billing, userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("Credit"),
    });
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("one whose day is over is followed by a new one", async () => {
    const first = await createSubscription(billing, userId, "monthly");
    await provider.advance({ hours: 24 });
    await deliver();
    expect(await account()).toMatchObject({ pendingId: null });
    const second = await createSubscription(billing, userId, "monthly");
    expect(second.clientSecret).not.toBe(first.clientSecret);
  });

  it("whoever has Pro is refused, whether it was paid for or given", async () => {
    await becomePro();
    expect(await refusal(createSubscription(billing, userId, "yearly"))).toMatchObject({
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
    expect(await refusal(createSubscription(billing, given._id, "yearly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("compliments"),
    });
  });

  it("paid without a message so far is seen all the same", async () => {
    const { clientSecret } = await createSubscription(billing, userId, "monthly");
    await confirmWithCard(provider, clientSecret);
    expect(await refusal(createSubscription(billing, userId, "monthly"))).toMatchObject({ code: "already_subscribed" });
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it.each([
    ["broken for a moment", { path: /customers/, status: 500, times: 1 }],
    ["cut off before it did anything", { path: /subscriptions/, method: "POST", status: "network", times: 1 }],
    ["cut off after it was done", { path: /subscriptions/, method: "POST", status: "late", times: 1 }],
  ] as const)("a provider that is %s is asked again, and nothing is made twice", async (_name, outage) => {
    provider.fail(outage);
    expect(await createSubscription(billing, userId, "monthly")).toMatchObject({ isSetupIntent: false });
    expect(await subscriptions()).toHaveLength(1);
  });

  it.each([
    ["stays away", { path: /^\/v1\/subscriptions/, method: "POST", status: 500, times: 3 }],
    ["does not let anybody through", { path: /^\/v1\//, status: "network", times: 3 }],
    ["has too much to do", { path: /^\/v1\/subscriptions/, status: 429 }],
    ["has too much to do to make a customer", { path: /^\/v1\/customers/, method: "POST", status: 429 }],
  ] as const)("a provider that %s is said to, and the next attempt goes through", async (_name, outage) => {
    provider.fail(outage);
    expect(await refusal(createSubscription(billing, userId, "monthly"))).toMatchObject({ code: "payment_provider" });
    expect(await createSubscription(billing, userId, "monthly")).toMatchObject({ isSetupIntent: false });
    expect(await subscriptions()).toHaveLength(1);
  });

  it("prices that are not what the site says are not sold", async () => {
    await payment.stripe.prices.create({
      product: "tapedeck_pro",
      currency: "usd",
      unit_amount: 9_900,
      recurring: { interval: "year" },
      lookup_key: "tapedeck_pro_yearly",
      transfer_lookup_key: true,
    });
    const wrong = { ...billing, payment: { ...payment, catalog: createCatalog(payment.stripe) } };
    const error = await refusal(createSubscription(wrong, userId, "yearly"));
    expect(error).toMatchObject({
      code: "payment_unconfigured",
      cause: expect.objectContaining({ message: expect.stringContaining("is 9900 cents instead of 9000") }),
    });
    await expect(setUpBilling(payment.stripe, null)).rejects.toThrow("tapedeck_pro_yearly is 9900 cents");
  });

  it("keys that open nothing are a matter of configuration", async () => {
    const stripe = createStripeClient({ secretKey: "sk_live_none", apiAddress: provider.origin, timeoutMs: 2_000 });
    const locked = { ...billing, payment: { ...payment, stripe, catalog: createCatalog(stripe) } };
    expect(await refusal(createSubscription(locked, userId, "yearly"))).toMatchObject({ code: "payment_unconfigured" });
  });
});

describe("messages", () => {
  it.each([
    ["backwards", (events: object[]) => events.toReversed()],
    ["each three times", (events: object[]) => [...events, ...events, ...events]],
    ["only the last", (events: object[]) => events.slice(-1)],
    [
      "only the first",
      (events: object[]) => events.filter((event) => "type" in event && event.type === "customer.subscription.created"),
    ],
  ])("%s come to the same", async (_name, order) => {
    const { clientSecret } = await createSubscription(billing, userId, "monthly");
    await confirmWithCard(provider, clientSecret);
    await deliver(order);
    expect(await user()).toMatchObject({ tier: "pro" });
    expect(await account()).toMatchObject({ subscription: { status: "active" } });
  });

  it("an old one that comes late changes nothing", async () => {
    await becomePro();
    const early = provider.events.find(({ type }) => type === "customer.subscription.created");
    await receive({ ...early, id: "evt_repeated" });
    await work();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("one is worked on once, however often it comes", async () => {
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
    await work();
    expect(await billing.events.countDocuments({ _id: event.id, handledAt: null })).toBe(0);
    await receive(event);
    expect(billing.tasks).toHaveLength(0);
  });

  it("one about somebody who is none of ours is kept by its id, and asks nothing of the provider", async () => {
    const asked = provider.requests.length;
    const id = `evt_${randomUUID()}`;
    await receive({
      id,
      object: "event",
      type: "invoice.paid",
      data: { object: { id: "in_1", object: "invoice", customer: "cus_nobody" } },
    });
    await work();
    expect(provider.requests).toHaveLength(asked);
    expect(await billing.events.countDocuments({ _id: id, handledAt: { $ne: null } })).toBe(1);
  });

  it.each<[string, (customer: string, subscription: string) => object, "read" | "nothing"]>([
    [
      "of a type that we never heard of",
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
      "of an older version",
      (customer) => ({
        api_version: "2015-10-16",
        type: "customer.subscription.updated",
        data: { object: { id: "sub_1", object: "subscription", plan: { id: "gold" }, customer } },
      }),
      "read",
    ],
    [
      "about a customer who is gone",
      (customer) => ({
        type: "customer.deleted",
        data: { object: { id: customer, object: "customer", deleted: true } },
      }),
      "read",
    ],
    [
      "about an object that is gone",
      () => ({
        type: "charge.dispute.created",
        data: { object: { id: "du_gone", object: "dispute", charge: "ch_gone" } },
      }),
      "nothing",
    ],
    [
      "that is thin, about a subscription",
      (_customer, id) => ({
        object: "v2.core.event",
        type: "v1.customer.subscription.updated",
        related_object: { id, type: "subscription", url: `/v1/subscriptions/${id}` },
      }),
      "read",
    ],
    [
      "that is thin, about a customer",
      (id) => ({
        object: "v2.core.event",
        type: "v1.customer.updated",
        related_object: { id, type: "customer", url: `/v1/customers/${id}` },
      }),
      "read",
    ],
    [
      "that is thin, about nothing",
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
  ])("one %s is taken in", async (_name, make, outcome) => {
    await becomePro();
    const [customer, subscription] = [(await account())?.customerId ?? "", (await subscriptions())[0]?.id ?? ""];
    const before = (await account())?.readsBegun ?? 0;
    const id = `evt_${randomUUID()}`;
    await receive({ id, object: "event", ...make(customer, subscription) });
    await work();
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
  ])("what is signed but no message is refused: %s", async (body) => {
    expect(await refusal(receiveEvent(billing, body, header(body)))).toMatchObject({ code: "bad_request" });
  });

  it.each([["t=,v1="], ["t=1,v1="], ["v1"], [","], ["t=1"], ["\u00e9"]])(
    "a signature of an odd shape is refused: %s",
    async (signature) => {
      expect(await refusal(receiveEvent(billing, `{"id":"evt_1","type":"invoice.paid"}`, signature))).toMatchObject({
        code: "bad_request",
      });
    },
  );

  it("forged ones are refused and leave no trace", async () => {
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
      expect(await refusal(receiveEvent(billing, body, signature))).toMatchObject({ code: "bad_request" });
    expect(await billing.events.findById("evt_forged")).toBeNull();
  });

  it("lost ones are made up for by reading back what is due", async () => {
    await becomePro();
    await payment.stripe.subscriptions.cancel((await subscriptions())[0]?.id ?? "");
    expect(await takeDueAccounts(billing)).not.toContain(userId);
    await provider.advance({ hours: 25 });
    expect(await takeDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("a first payment whose messages are all lost is found too", async () => {
    const { clientSecret } = await createSubscription(billing, userId, "monthly");
    await confirmWithCard(provider, clientSecret);
    await provider.advance({ hours: 25 });
    for (const id of await takeDueAccounts(billing)) if (id === userId) await readBack(billing, id);
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("a read that failed is left to its ticket, which is missed after a while, and asked for no more by pages", async () => {
    await createSubscription(billing, userId, "monthly");
    expect(await countFailure(billing, userId)).toBe(1);
    await postponeRead(billing, userId, 3_600_000, "refused");
    await nudge(billing, userId);
    expect(billing.tasks).toEqual([]);
    await provider.advance({ hours: 1 });
    expect(await takeDueAccounts(billing)).not.toContain(userId);
    await provider.advance({ hours: 1 });
    expect(await takeDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    await nudge(billing, userId);
    expect(billing.tasks).toEqual([{ kind: "account", id: userId }]);
  });

  it("of two reads the one begun later stays", async () => {
    await becomePro();
    // Begun, and slow to come back.
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

describe("as months go by", () => {
  it("a year of renewals stays Pro", async () => {
    await becomePro();
    for (let month = 0; month < 12; month += 1) {
      await provider.advance({ days: 31 });
      await deliver();
      expect(await user()).toMatchObject({ tier: "pro" });
    }
    expect((await account())?.subscription?.periodEndsAt.getTime()).toBeGreaterThan(provider.now().getTime());
  });

  it("a card that fails at renewal leaves three days, then free", async () => {
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
    expect(await takeDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await refusal(createSubscription(billing, userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("failed"),
    });
    provider.setCard((await account())?.customerId ?? "", GOOD_CARD);
    await provider.advance({ days: 5 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("an overdue payment that is never made ends at the provider too, and may be begun anew", async () => {
    await becomePro();
    provider.setCard((await account())?.customerId ?? "", LATER_FAILING_CARD);
    await provider.advance({ days: 60 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await account()).toMatchObject({ subscription: null });
    expect(await createSubscription(billing, userId, "yearly")).toMatchObject({ isSetupIntent: false });
  });

  it("cancelled, Pro stays until the period's end and not longer", async () => {
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

  it("the period's end counts while the provider cannot be asked", async () => {
    await becomePro();
    await payment.stripe.subscriptions.update((await subscriptions())[0]?.id ?? "", { cancel_at_period_end: true });
    await deliver();
    const later = { ...billing, now: () => new Date(Date.now() + 40 * 86_400_000) };
    provider.fail({ path: /./, status: "network", times: 100 });
    await expect(readBack(later, userId)).rejects.toThrow("connection to Stripe");
    expect(await user()).toMatchObject({ tier: "pro" });
    await applyTime(later, userId);
    expect(await user()).toMatchObject({ tier: "free" });
  });
});

describe("refunds", () => {
  const newestCharge = async () =>
    (await payment.stripe.charges.list({ customer: (await account())?.customerId ?? "" })).data[0]?.id ?? "";

  it("of everything end Pro at once", async () => {
    await becomePro("yearly");
    await payment.stripe.refunds.create({ charge: await newestCharge() });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["canceled"]);
  });

  it("of a part change nothing", async () => {
    await becomePro("yearly");
    await payment.stripe.refunds.create({ charge: await newestCharge(), amount: 1_000 });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("whose message is lost are found when reading back", async () => {
    await becomePro();
    await payment.stripe.refunds.create({ charge: await newestCharge() });
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("of a month long gone leave the running one alone", async () => {
    await becomePro();
    const old = await newestCharge();
    await provider.advance({ days: 32 });
    await deliver();
    await payment.stripe.refunds.create({ charge: old });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });
});

describe("money that goes back", () => {
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

  it("for a month that a year has replaced leaves the year alone", async () => {
    await becomePro("monthly");
    const [month] = await charges();
    await provider.advance({ days: 3 });
    await switchTo("yearly");
    await payment.stripe.refunds.create({ charge: month?.id ?? "" });
    await deliver();
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    expect(await account()).toMatchObject({ subscription: { plan: "yearly", status: "active" } });
    expect(await user()).toMatchObject({ tier: "pro" });
    // What the year itself has cost is another matter.
    await payment.stripe.refunds.create({ charge: (await charges())[0]?.id ?? "" });
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("for a year that a month has replaced ends Pro, and takes along the credit that was left", async () => {
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

  it("for a year takes the credit along even if its subscription was ended by hand at the same time", async () => {
    await becomePro("yearly");
    await switchTo("monthly");
    await payment.stripe.refunds.create({ charge: (await charges())[0]?.id ?? "" });
    await payment.stripe.subscriptions.cancel((await subscriptions())[0]?.id ?? "");
    await deliver();
    expect(await balance()).toBe(0);
  });

  it("months later still ends what its credit pays for", async () => {
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

  it("leaves credit alone that an operator has given", async () => {
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

  it("for the old month, while a renewal comes in between, leaves the new one alone", async () => {
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

  it("by a dispute takes Pro away while it is open, and brings it back when it is won", async () => {
    await becomePro();
    const dispute = provider.dispute((await account())?.customerId ?? "");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
    expect(await account()).toMatchObject({ subscription: { isDisputed: true } });
    expect(await refusal(createSubscription(billing, userId, "monthly"))).toMatchObject({
      code: "already_subscribed",
      message: expect.stringContaining("bank"),
    });
    // Nothing is charged meanwhile.
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

  it("by a dispute that is lost ends the subscription, and a new one may be begun", async () => {
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

  it("by a dispute of an earlier month counts too, and one whose message is lost is found when reading back", async () => {
    await becomePro();
    const [first] = await charges();
    await provider.advance({ days: 32 });
    await deliver();
    provider.dispute(first?.id ?? "");
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("not at all, while the bank only asks, changes nothing", async () => {
    await becomePro();
    const inquiry = provider.dispute((await account())?.customerId ?? "", { isInquiry: true });
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
    provider.settleDispute(inquiry.id, "won");
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });

  it("messages about a dispute are not believed", async () => {
    await becomePro();
    const [charge] = await charges();
    await receive({
      id: `evt_${randomUUID()}`,
      object: "event",
      type: "charge.dispute.closed",
      data: { object: { id: "du_1", object: "dispute", charge: charge?.id, status: "lost" } },
    });
    await work();
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
    "is worth what was paid before, and nothing after: %s",
    async (behavior) => {
      await becomePro();
      await pause(behavior);
      expect(await user()).toMatchObject({ tier: "pro" });
      expect(await shown()).toMatchObject({ status: "active", cancelsAtPeriodEnd: true });
      await provider.advance({ days: 32 });
      await deliver();
      expect(await user()).toMatchObject({ tier: "free" });
      expect(await shown()).toMatchObject({ status: "paused" });
      expect(await refusal(createSubscription(billing, userId, "yearly"))).toMatchObject({
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

  it("that resumes before its renewal is like any other", async () => {
    await becomePro();
    const id = (await subscriptions())[0]?.id ?? "";
    await payment.stripe.subscriptions.update(id, {
      pause_collection: { behavior: "void", resumes_at: Math.floor(provider.now().getTime() / 1_000) + 86_400 },
    });
    await deliver();
    expect(await shown()).toMatchObject({ status: "active", cancelsAtPeriodEnd: false });
  });

  it("after a trial without a card is shown as paused, and as active once it goes on", async () => {
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
    expect(await refusal(createSubscription(billing, userId, "yearly"))).toMatchObject({
      message: expect.stringContaining("paused"),
    });
    provider.setCard(customer, GOOD_CARD);
    await payment.stripe.subscriptions.resume(made.id, {});
    await deliver();
    expect(await user()).toMatchObject({ tier: "pro" });
  });
});

describe("beside the subscription", () => {
  it("what was granted stays when a subscription ends, and a subscription when a grant does", async () => {
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

  it("a deleted account is charged no more, even when the provider was away", async () => {
    await becomePro();
    const [subscription] = await subscriptions();
    const leaving = { ...domain, accountHooks: [billingAccountHook(billing)] };
    await deleteAccount(leaving, userId);
    provider.fail({ path: /./, status: "network", times: 3 });
    await expect(work()).rejects.toThrow("connection to Stripe");
    for (const id of await takeDueAccounts(billing)) if (id === userId) await readBack(billing, id);
    expect((await payment.stripe.subscriptions.retrieve(subscription?.id ?? "")).status).toBe("canceled");
    expect(await account()).toBeNull();
  });

  it("a deleted account is forgotten by the provider, and kept here until that is certain", async () => {
    await becomePro();
    const customerId = (await account())?.customerId ?? "";
    await deleteAccount({ ...domain, accountHooks: [billingAccountHook(billing)] }, userId);
    provider.fail({ path: /^\/v1\/customers/, method: "DELETE", status: 500, times: 3 });
    await expect(work()).rejects.toThrow("unknown error");
    expect(await account()).toMatchObject({ customerId, closedAt: expect.any(Date) });
    await provider.advance({ hours: 1 });
    expect(await takeDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    await expect(payment.stripe.customers.retrieve(customerId)).rejects.toThrow("No such customer");
    expect(await account()).toBeNull();
    // The provider's own word for it comes back to nobody.
    await deliver();
    expect(await billing.events.countDocuments({ customerId, handledAt: null })).toBe(0);
  });

  it("one customer of two users is read back for both, and stays while one of them does", async () => {
    await becomePro();
    const customerId = (await account())?.customerId ?? "";
    const other = await signIn(domain, randomUUID(), {
      issuer: "https://accounts.example",
      subject: randomUUID(),
      email: `${randomUUID()}@example.com`,
    });
    await billing.accounts.create({ _id: other._id, customerId, createdAt: new Date() });
    const [live] = await subscriptions();
    await payment.stripe.subscriptions.update(live?.id ?? "", { metadata: { told: "both" } });
    await deliver();
    expect(await domain.users.findById(other._id).lean()).toMatchObject({ tier: "pro" });
    await deleteAccount({ ...domain, accountHooks: [billingAccountHook(billing)] }, other._id);
    await work();
    expect(await billing.accounts.findById(other._id)).toBeNull();
    expect((await subscriptions()).map(({ status }) => status)).toEqual(["active"]);
    await payment.stripe.subscriptions.cancel(live?.id ?? "");
    await deliver();
    expect(await user()).toMatchObject({ tier: "free" });
  });

  it("a subscription made by hand for a customer of old is found without a message", async () => {
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
    seen = provider.events.length;
    await provider.advance({ days: 8 });
    expect(await takeDueAccounts(billing)).toContain(userId);
    await readBack(billing, userId);
    expect(await user()).toMatchObject({ tier: "pro" });
    // As an earlier version has left them.
    await billing.accounts.updateOne({ _id: userId }, { $set: { nextReadAt: null } });
    expect(await takeDueAccounts(billing)).toContain(userId);
    expect(await takeDueAccounts(billing)).not.toContain(userId);
  });

  it.each([
    ["is told of", true],
    ["is not told of", false],
  ])("a price that is replaced by its like is sold on, whether the change %s or not", async (_name, isTold) => {
    const old = await payment.catalog.priceOf("yearly");
    const like = await payment.stripe.prices.create({
      product: "tapedeck_pro",
      currency: "usd",
      unit_amount: 9_000,
      recurring: { interval: "year" },
      lookup_key: "tapedeck_pro_yearly",
      transfer_lookup_key: true,
    });
    await payment.stripe.prices.update(old, { active: false });
    const asked = provider.requests.length;
    if (isTold) await deliver();
    expect(await createSubscription(billing, userId, "yearly")).toMatchObject({ isSetupIntent: false });
    expect((await subscriptions())[0]?.items.data[0]?.price.id).toBe(like.id);
    const attempts = provider.requests
      .slice(asked)
      .filter(({ method, path }) => method === "POST" && path === "/v1/subscriptions");
    expect(attempts).toHaveLength(isTold ? 1 : 2);
  });

  it("a price that is archived without another is a matter of configuration", async () => {
    await payment.stripe.prices.update(await payment.catalog.priceOf("yearly"), { active: false });
    expect(await refusal(createSubscription(billing, userId, "yearly"))).toMatchObject({
      code: "payment_unconfigured",
    });
  });

  it("the export names it", async () => {
    await becomePro();
    expect(await billingAccountHook(billing).export?.(userId)).toMatchObject({
      billing: { customerId: expect.stringMatching(/^cus_/), subscription: { plan: "monthly" } },
    });
  });

  it("the portal opens for whoever has been at the checkout", async () => {
    expect(await refusal(openPortal(billing, userId, "http://localhost/"))).toMatchObject({ code: "conflict" });
    await becomePro();
    expect(await openPortal(billing, userId, "http://localhost/")).toMatch(/^http/);
  });

  it("a set-up run again makes nothing new", async () => {
    const before = provider.requests.filter(({ method }) => method === "POST").length;
    await setUpBilling(payment.stripe, null);
    expect(provider.requests.filter(({ method }) => method === "POST")).toHaveLength(before);
  });
});
