/** Reads and controls the records of the payment stand-in, which replaces the payment provider. */
import type { Page } from "@playwright/test";
import { z } from "zod";
import { SubscriptionSecret } from "../../common/account-calls.ts";
import { PublicConfig } from "../../common/api.ts";
import type { Plan } from "../../common/api.ts";
import { confirmWithCard } from "../../backend/dev/testing/billing/payer.ts";
import { serverOrigin } from "./server.ts";
import type { TestUser } from "./users.ts";

const Listed = <Shape extends z.ZodType>(shape: Shape) => z.object({ data: z.array(shape) });
const Customer = z.object({ id: z.string() });
const Subscription = z.object({
  id: z.string(),
  status: z.string(),
  items: Listed(z.object({ price: z.object({ recurring: z.object({ interval: z.string() }) }) })),
});
const Charge = z.object({ id: z.string(), paid: z.boolean(), amount: z.number() });

export class PaymentStandIn {
  readonly origin: string;
  readonly publishableKey: string;

  private constructor(origin: string, publishableKey: string) {
    this.origin = origin;
    this.publishableKey = publishableKey;
  }

  static async open(): Promise<PaymentStandIn> {
    const config = PublicConfig.parse(await (await fetch(`${serverOrigin()}/api/config`)).json());
    const { stripeScriptUrl, stripePublishableKey } = config;
    if (stripeScriptUrl === null || stripePublishableKey === null)
      throw new Error("the server has no payment stand-in");
    return new PaymentStandIn(new URL(stripeScriptUrl).origin, stripePublishableKey);
  }

  private async list<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>[]> {
    const answer = await fetch(`${this.origin}/v1/${path}`, { headers: { authorization: "Bearer sk_test_standin" } });
    return Listed(shape).parse(await answer.json()).data;
  }

  async customers({ email }: TestUser) {
    return this.list(`customers?email=${encodeURIComponent(email)}`, Customer);
  }

  private async customerId(user: TestUser): Promise<string> {
    const [customer] = await this.customers(user);
    if (!customer) throw new Error(`the stand-in has no customer ${user.email}`);
    return customer.id;
  }

  /** All subscriptions, also canceled and incomplete ones. */
  async subscriptions(user: TestUser) {
    return this.list(`subscriptions?status=all&customer=${await this.customerId(user)}`, Subscription);
  }

  async payments(user: TestUser) {
    const charges = await this.list(`charges?customer=${await this.customerId(user)}`, Charge);
    return charges.filter(({ paid }) => paid);
  }

  /** Subscribes the signed-in user and pays, with the requests of the payment page but without showing it. */
  async subscribe(page: Page, plan: Plan): Promise<void> {
    const answer = await page.context().request.post(`${serverOrigin()}/api/create-subscription`, {
      headers: { origin: serverOrigin() },
      data: { plan },
    });
    const { clientSecret } = SubscriptionSecret.parse(await answer.json());
    const refusal = await confirmWithCard(this, clientSecret);
    if (refusal !== null) throw new Error(`the payment was declined: ${refusal}`);
  }

  /** Calls a control endpoint that only the stand-in has. */
  async control(endpoint: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.origin}/stand-in/${endpoint}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${endpoint}: ${answer.status} ${await answer.text()}`);
  }

  /** Disputes the user's newest payment, as their bank would. */
  async dispute(user: TestUser): Promise<void> {
    await this.control("dispute", { target: await this.customerId(user) });
  }

  async setCard(user: TestUser, number: string): Promise<void> {
    await this.control("card", { customer: await this.customerId(user), number });
  }
}
