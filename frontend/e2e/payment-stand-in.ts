/** Reads and controls the records of the payment stand-in, which replaces the payment provider. */
import { z } from "zod";
import { PublicConfig } from "../../common/api.ts";
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

  private constructor(origin: string) {
    this.origin = origin;
  }

  static async open(): Promise<PaymentStandIn> {
    const config = PublicConfig.parse(await (await fetch(`${serverOrigin()}/api/config`)).json());
    if (config.stripeScriptUrl === null) throw new Error("the server has no payment stand-in");
    return new PaymentStandIn(new URL(config.stripeScriptUrl).origin);
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
