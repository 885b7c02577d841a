import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { fakeApi, json } from "../../testing/fake-api.ts";
import { currentPath, openPage } from "../../testing/open-page.tsx";
import { makeConfig, makeUser } from "../../testing/sample-answers.ts";
import { expectToastShown } from "../../testing/toasts.ts";

it("shows a contact when payment is not configured", async () => {
  fakeApi.answer("GET /api/config", () => json(makeConfig({ paymentAvailable: false, stripePublishableKey: null })));
  await openPage("/subscribe");
  await expect.element(page.getByRole("alert")).toMatchTextContent("Payment system configuration error");
  await expect.element(page.getByRole("link", { name: "Contact Support" })).toHaveAttribute("href", "/contact");
});

it("shows an error and a link back for an answer without a secret", async () => {
  fakeApi.answer("POST /api/create-subscription", () => json({ isSetupIntent: false }));
  await openPage("/subscribe", { user: makeUser() });
  await expectToastShown("No client secret received from server");
  await expect.element(page.getByText("Failed to initialize payment. Please try again.")).toBeVisible();
  await page.getByRole("link", { name: "Go Back" }).click();
  await expect.poll(currentPath).toBe("/plans");
});

it("the plans say what a month of a year costs", async () => {
  await openPage("/plans");
  const yearly = page.getByRole("article", { name: "Yearly" });
  await expect.element(yearly).toMatchTextContent(/\$90\s*per year\s*\$7\.50 per month/);
});

it("the button that pays says what is paid today and when again, who takes it, and on which terms", async () => {
  fakeApi.answer("POST /api/create-subscription", () => json({ clientSecret: "pi_1_secret_1", isSetupIntent: false }));
  await openPage("/subscribe?plan=yearly", { user: makeUser() });
  await expect
    .element(page.getByRole("button", { name: "Pay $90 per year" }))
    .toHaveAccessibleDescription(/^You pay \$90 today and again on \w+ \d+, \d{4}, unless you cancel before\.$/);
  const form = page.getByRole("form", { name: "Card payment" });
  await expect.element(form).toMatchTextContent("Stripe takes the payment");
  await expect.element(form.getByRole("link", { name: "Terms of Service" })).toHaveAttribute("href", "/terms");
});
