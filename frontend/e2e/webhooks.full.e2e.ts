/** Webhooks, on the dashboard. */
import type { Page } from "@playwright/test";
import { startMessageReceiver } from "../../backend/dev/testing/message-receiver.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./home.ts";
import { messagePort } from "./server.ts";
import { newUser, signIn } from "./users.ts";

const section = (page: Page) => page.getByRole("region", { name: "Webhooks" });

test("a free user makes a webhook, tests it, and removes it", async ({ page }) => {
  await using program = await startMessageReceiver(messagePort());
  await signIn(page, newUser());
  await page.goto("/dashboard");
  await expect(section(page)).toContainText("No webhooks yet");
  await section(page).getByRole("button", { name: "New webhook" }).click();
  await expect(section(page).getByLabel("Address of your program")).toBeFocused();
  await page.keyboard.type("http://program.example/");
  await section(page).getByRole("button", { name: "Make webhook" }).click();
  await expect(section(page).getByRole("alert")).toContainText("A webhook needs an https address");
  await section(page).getByLabel("Address of your program").fill(program.url);
  await expectAccessible(page, "the form for a webhook");
  await section(page).getByRole("button", { name: "Make webhook" }).click();
  const secret = await section(page)
    .getByLabel(/^Copy this secret now/)
    .inputValue();
  expect(secret).toMatch(/^tapedeck_webhook_/);
  await expect(section(page)).toContainText("The free plan has one webhook.");
  await section(page).getByRole("button", { name: "Done" }).click();

  const test = section(page).getByRole("button", { name: "Send a test message" });
  await test.click();
  await expect(section(page)).toContainText("Your program took the test message.");
  expect(program.messages.map(({ type }) => type)).toEqual(["test"]);
  program.answerWith(500);
  await test.click();
  await expect(section(page)).toContainText("The test message did not arrive.");
  await section(page).getByText("Last messages").click();
  await expect(section(page).getByRole("listitem").getByRole("listitem")).toContainText([
    /Test · .* · refused \(500\)/,
    /Test · .* · taken \(204\)/,
  ]);
  await expectAccessible(page, "a webhook with its messages");

  await page.reload();
  await expect(page.getByText(secret)).toHaveCount(0);
  await section(page)
    .getByRole("button", { name: `Remove ${program.url}` })
    .click();
  await section(page).getByRole("button", { name: "Remove for good" }).click();
  await expect(section(page)).toContainText("No webhooks yet");
});
