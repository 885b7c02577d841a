/** A signed-in user with billing at the stand-in of the payment provider, for tests of billing below HTTP. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Stripe } from "stripe";
import type { Plan } from "../../../../common/api.ts";
import { UserError } from "../../../../common/errors.ts";
import { signIn } from "../../../domain/accounts/sign-in.ts";
import type { StoredUser } from "../../../domain/accounts/user-model.ts";
import type { BillingAccount } from "../../../domain/billing/account-model.ts";
import type { Payment } from "../../../domain/billing/billing.ts";
import { createSubscription } from "../../../domain/billing/checkout/checkout.ts";
import { EVENT_TYPES } from "../../../domain/billing/events/event-types.ts";
import { handleEvent, receiveEvent } from "../../../domain/billing/events/events.ts";
import { createCatalog } from "../../../domain/billing/provider/catalog.ts";
import { createStripeClient } from "../../../domain/billing/provider/stripe-client.ts";
import { readBack } from "../../../domain/billing/read-back/read-back.ts";
import { setUpBilling } from "../../../domain/billing/set-up.ts";
import { startPaymentProvider, type PaymentProvider } from "../../stand-ins/payment-provider/payment-provider.ts";
import { confirmWithCard, GOOD_CARD } from "./payer.ts";
import { openTestBilling, type TestBilling } from "./test-billing.ts";
import { openTestDomain, type TestDomain } from "../test-domain.ts";

/** Longer than any test: a call that is repeated would be counted twice. */
const PATIENT_MS = 240_000;
const WEBHOOK_SECRET = "whsec_of_this_test";

/** Starts a payment provider, and makes in it what the product needs. */
export async function startPayment(): Promise<{ provider: PaymentProvider; payment: Payment }> {
  const provider = await startPaymentProvider({ port: 0, log: () => undefined });
  const { secretKey, origin: apiAddress } = provider;
  const stripe = createStripeClient({ secretKey, apiAddress, timeoutMs: PATIENT_MS });
  await setUpBilling(stripe, null);
  return {
    provider,
    payment: { stripe, catalog: createCatalog(stripe), webhookSecret: WEBHOOK_SECRET, isLive: false },
  };
}

/** The signature header of an event. @param timestamp of the signature in Unix seconds */
export function signatureOf({ stripe, webhookSecret: secret }: Payment, payload: string, timestamp?: number): string {
  return stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp !== undefined && { timestamp }) });
}

/** Signs in a new user. */
export function signInPayer(domain: TestDomain): Promise<StoredUser> {
  return signIn(domain, randomUUID(), {
    issuer: "https://accounts.example",
    subject: randomUUID(),
    email: `${randomUUID()}@example.com`,
    isEmailVerified: true,
    firstName: "Ada",
  });
}

export class BillingScenario {
  readonly domain: TestDomain;
  readonly provider: PaymentProvider;
  readonly payment: Payment;
  readonly billing: TestBilling;
  readonly userId: string;
  /** Number of the provider's events that have been delivered. */
  #deliveredCount = 0;

  private constructor(domain: TestDomain, provider: PaymentProvider, billing: TestBilling, userId: string) {
    if (billing.payment === null) throw new Error("billing has no payment provider");
    this.domain = domain;
    this.provider = provider;
    this.payment = billing.payment;
    this.billing = billing;
    this.userId = userId;
  }

  /** Starts a payment provider, sets it up, and signs in a new user. */
  static async open(domain: TestDomain): Promise<BillingScenario> {
    const { provider, payment } = await startPayment();
    const billing = await openTestBilling(domain, { payment, now: () => provider.now() });
    const { _id } = await signInPayer(domain);
    return new BillingScenario(domain, provider, billing, _id);
  }

  async user(): Promise<StoredUser> {
    const found = await this.domain.users.findById(this.userId).lean<StoredUser>();
    if (!found) throw new Error("the user does not exist");
    return found;
  }

  account(): Promise<BillingAccount | null> {
    return this.billing.accounts.findById(this.userId).lean<BillingAccount>().exec();
  }

  /** @returns the customer's id at the provider, or an empty string */
  async customerId(): Promise<string> {
    return (await this.account())?.customerId ?? "";
  }

  /** @returns all subscriptions of the user, newest first */
  async subscriptions(): Promise<Stripe.Subscription[]> {
    return (await this.payment.stripe.subscriptions.list({ customer: await this.customerId(), status: "all" })).data;
  }

  /** @returns all charges of the user, newest first */
  async charges(): Promise<Stripe.Charge[]> {
    return (await this.payment.stripe.charges.list({ customer: await this.customerId() })).data;
  }

  async receive(event: object): Promise<void> {
    const payload = JSON.stringify(event);
    await receiveEvent(this.billing, payload, signatureOf(this.payment, payload));
  }

  /** Runs all queued tasks; equal ones once, as the real queue does. */
  async runTasks(): Promise<void> {
    const { billing } = this;
    // A task of kind "event" may add a task of kind "account".
    while (billing.tasks.length > 0)
      for (const task of new Map(billing.tasks.splice(0).map((each) => [`${each.kind} ${each.id}`, each])).values())
        await (task.kind === "event" ? handleEvent(billing, task.id) : readBack(billing, task.id));
  }

  /** Receives and handles the provider's events since the last call, of the types that we ask for, in the given order. */
  async deliver(order: (events: object[]) => object[] = (events) => events): Promise<void> {
    const types = new Set<string>(EVENT_TYPES);
    const fresh = this.provider.events.slice(this.#deliveredCount).filter(({ type }) => types.has(type));
    this.skipEvents();
    for (const event of order(fresh)) await this.receive(event);
    await this.runTasks();
  }

  /** Drops the provider's events so far, as if they were lost. */
  skipEvents(): void {
    this.#deliveredCount = this.provider.events.length;
  }

  /**
   * Subscribes the user and pays.
   * @throws Error when the card is declined
   */
  async becomePro(plan: Plan = "monthly", card: string = GOOD_CARD): Promise<void> {
    const { clientSecret } = await createSubscription(this.billing, this.userId, plan);
    const declined = await confirmWithCard(this.provider, clientSecret, card);
    if (declined !== null) throw new Error(`the payment was declined: ${declined}`);
    await this.deliver();
  }
}

/**
 * Opens a database for the file, and a scenario in it for each of its tests.
 * @param onOpened receives the scenario before the tests that use it
 * @param use.once one scenario for all tests of the file: for those that leave it as it was
 */
export function billingScenario(onOpened: (scenario: BillingScenario) => void, { once = false } = {}): void {
  let domain: TestDomain;
  beforeAll(async () => {
    domain = await openTestDomain();
  });
  afterAll(() => domain.close());
  (once ? beforeAll : beforeEach)(async () => {
    const scenario = await BillingScenario.open(domain);
    onOpened(scenario);
    return () => scenario.provider.stop();
  });
}

/** @returns the UserError that a call fails with */
export async function userErrorOf(attempt: Promise<unknown>): Promise<UserError> {
  const error: unknown = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw new Error("the call did not throw a UserError", { cause: error });
  return error;
}
