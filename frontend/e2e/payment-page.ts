/** Page object of the payment page. */
import { expect } from "@playwright/test";
import type { FrameLocator, Locator, Page } from "@playwright/test";
import { expectToastShown } from "./home.ts";
import { signInAtProvider } from "./users.ts";
import type { TestUser } from "./users.ts";

export const CARDS = {
  good: "4242424242424242",
  declined: "4000000000000002",
  insufficientFunds: "4000000000009995",
  expired: "4000000000000069",
  needsAuthentication: "4000002760003184",
} as const;

export class PaymentPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.goto("/subscribe?plan=yearly");
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
    // The toast first: it goes by itself.
    await expectToastShown(this.page, "Payment Successful Welcome to Pro! Your subscription is now active.");
    await expect(this.page).toHaveURL(/\/$/);
    await expect(this.proBadge).toBeVisible();
  }

  /** Signs in after a redirect from a page that requires it. */
  async signInAfterRedirect(user: TestUser): Promise<void> {
    await expect(this.page).toHaveURL(/\/login$/);
    await this.page.getByRole("button", { name: "Sign in as Pro User" }).click();
    await signInAtProvider(this.page, user);
  }
}
