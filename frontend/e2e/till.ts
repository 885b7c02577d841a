/** Page object of the payment page, and access to the payment stand-in's records. */
import { expect } from "@playwright/test";
import type { FrameLocator, Locator, Page } from "@playwright/test";
import { z } from "zod";
import { PublicConfig } from "../../common/api.ts";
import { passProvider } from "./people.ts";
import type { Person } from "./people.ts";
import { serverOrigin } from "./server.ts";

export const CARDS = {
  good: "4242424242424242",
  declined: "4000000000000002",
  insufficientFunds: "4000000000009995",
  expired: "4000000000000069",
  wantsAuthentication: "4000002760003184",
} as const;

const Listed = <Shape extends z.ZodType>(shape: Shape) => z.object({ data: z.array(shape) });
const Customer = z.object({ id: z.string() });
const Subscription = z.object({
  id: z.string(),
  status: z.string(),
  items: Listed(z.object({ price: z.object({ recurring: z.object({ interval: z.string() }) }) })),
});
const Charge = z.object({ id: z.string(), paid: z.boolean(), amount: z.number() });

/** The records of the payment stand-in. */
export class Books {
  readonly origin: string;

  private constructor(origin: string) {
    this.origin = origin;
  }

  static async open(): Promise<Books> {
    const config = PublicConfig.parse(await (await fetch(`${serverOrigin()}/api/config`)).json());
    if (config.stripeScriptUrl === null) throw new Error("the server has no payment stand-in");
    return new Books(new URL(config.stripeScriptUrl).origin);
  }

  private async list<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>[]> {
    const answer = await fetch(`${this.origin}/v1/${path}`, { headers: { authorization: "Bearer sk_test_standin" } });
    return Listed(shape).parse(await answer.json()).data;
  }

  async customers({ email }: Person) {
    return this.list(`customers?email=${encodeURIComponent(email)}`, Customer);
  }

  private async customerId(person: Person): Promise<string> {
    const [customer] = await this.customers(person);
    if (!customer) throw new Error(`${person.email} is no customer`);
    return customer.id;
  }

  /** All subscriptions, also canceled and incomplete ones. */
  async subscriptions(person: Person) {
    return this.list(`subscriptions?status=all&customer=${await this.customerId(person)}`, Subscription);
  }

  async payments(person: Person) {
    const charges = await this.list(`charges?customer=${await this.customerId(person)}`, Charge);
    return charges.filter(({ paid }) => paid);
  }

  /** Calls a control endpoint that only the stand-in has. */
  async pull(lever: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.origin}/stand-in/${lever}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${lever}: ${answer.status} ${await answer.text()}`);
  }

  /** The person's bank takes their newest payment back. */
  async dispute(person: Person): Promise<void> {
    await this.pull("dispute", { target: await this.customerId(person) });
  }

  async setCard(person: Person, number: string): Promise<void> {
    await this.pull("card", { customer: await this.customerId(person), number });
  }
}

export class Till {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(plan: "monthly" | "yearly" = "yearly"): Promise<void> {
    await this.page.goto(`/subscribe?plan=${plan}`);
    await expect(this.payButton).toBeEnabled();
  }

  get fields(): FrameLocator {
    return this.page.frameLocator('iframe[title="Secure payment input frame"]');
  }

  get challenge(): FrameLocator {
    return this.page.frameLocator('iframe[title="Authentication challenge"]');
  }

  get payButton(): Locator {
    return this.page.getByRole("button", { name: /^Pay \$/ });
  }

  get toast(): Locator {
    return this.page.locator("[data-scope=toast][data-part=root]");
  }

  get proBadge(): Locator {
    return this.page.getByText(/^Pro User · /);
  }

  async fillCard(number: string): Promise<void> {
    await this.fields.getByLabel("Card number").fill(number);
    await this.fields.getByLabel("Expiration date").fill("12 / 34");
    await this.fields.getByLabel("Security code").fill("123");
  }

  /** Fills in the card on the provider's portal page. */
  async fillPortalCard(number: string): Promise<void> {
    await this.page.getByText("Update card", { exact: true }).click();
    await this.page.getByLabel("Card number").fill(number);
    await this.page.getByLabel("Expiration date").fill("12 / 34");
    await this.page.getByLabel("Security code").fill("123");
    await this.page.getByRole("button", { name: "Save card" }).click();
  }

  async pay(number: string = CARDS.good): Promise<void> {
    await this.fillCard(number);
    await this.payButton.click();
  }

  /** Expects the home page with Pro and the welcome toast. */
  async expectPro(): Promise<void> {
    await expect(this.toast).toContainText("Payment Successful");
    await expect(this.toast).toContainText("Welcome to Pro! Your subscription is now active.");
    await expect(this.page).toHaveURL(/\/$/);
    await expect(this.proBadge).toBeVisible();
  }

  /** Signs in after a redirect from a page that requires it. */
  async signInOnTheWay(person: Person): Promise<void> {
    await expect(this.page).toHaveURL(/\/login$/);
    await this.page.getByRole("button", { name: "Sign in as Pro User" }).click();
    await passProvider(this.page, person);
  }
}
