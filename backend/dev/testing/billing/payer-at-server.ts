/** A user of a test server who pays at its payment stand-in. */
import { randomUUID } from "node:crypto";
import { Stripe } from "stripe";
import { SubscriptionSecret } from "../../../../common/account-calls.ts";
import { User, type Plan } from "../../../../common/api.ts";
import type { TestDevice, TestServer } from "../test-server.ts";
import { confirmWithCard } from "./payer.ts";

export class PayerAtServer {
  readonly server: TestServer;
  readonly device: TestDevice;
  readonly email: string;

  private constructor(server: TestServer, device: TestDevice, email: string) {
    this.server = server;
    this.device = device;
    this.email = email;
  }

  /** Signs in a new user, whose page is open. */
  static async signIn(server: TestServer): Promise<PayerAtServer> {
    const device = await server.newDevice();
    const email = `${randomUUID()}@example.com`;
    await server.signIn(device, { email });
    await device.live();
    return new PayerAtServer(server, device, email);
  }

  /** The provider's official client at the stand-in. */
  get stripe(): Stripe {
    const { secretKey, port } = this.server.payments;
    return new Stripe(secretKey, { host: "localhost", port, protocol: "http" });
  }

  async subscribe(plan: Plan): Promise<SubscriptionSecret> {
    const answer = await this.device.call("POST", "/api/create-subscription", { plan });
    if (answer.status !== 200) throw new Error(`the checkout answered ${answer.status}: ${await answer.text()}`);
    return SubscriptionSecret.parse(await answer.json());
  }

  /** Subscribes and pays, without waiting for what follows. */
  async pay(plan: Plan): Promise<void> {
    const { clientSecret } = await this.subscribe(plan);
    const declined = await confirmWithCard(this.server.payments, clientSecret);
    if (declined !== null) throw new Error(`the payment was declined: ${declined}`);
  }

  /** Subscribes, pays and waits until the page shows it. */
  async becomePro(plan: Plan): Promise<User> {
    await this.pay(plan);
    return this.until(({ tier }) => tier === "pro");
  }

  async user(): Promise<User> {
    return User.parse(await (await this.device.call("GET", "/api/auth/user")).json());
  }

  /** Reads the user again after every push of a change, until it fits. */
  async until(fits: (user: User) => boolean): Promise<User> {
    const { socket } = await this.device.live();
    for (;;) {
      const changed = new Promise<void>((resolve) => socket.once("identity", () => resolve()));
      const user = await this.user();
      if (fits(user)) return user;
      await changed;
    }
  }

  /** @returns the id of the user's customer at the provider */
  async customer(): Promise<string> {
    const [customer] = (await this.stripe.customers.list({ email: this.email })).data;
    if (!customer) throw new Error(`${this.email} has no customer at the provider`);
    return customer.id;
  }

  async subscription(): Promise<Stripe.Subscription> {
    const [subscription] = (await this.stripe.subscriptions.list({ customer: await this.customer() })).data;
    if (!subscription) throw new Error(`${this.email} has no subscription at the provider`);
    return subscription;
  }
}
