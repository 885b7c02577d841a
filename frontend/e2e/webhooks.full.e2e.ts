/** Webhooks, on the dashboard. */
import type { Page } from "@playwright/test";
import { CreatedWebhook } from "../../common/webhook-calls.ts";
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

test("the dashboard says why a webhook is off, and turns it on again", async ({ page }) => {
  await signIn(page, newUser());
  await page.goto("/dashboard");
  await expect(section(page)).toContainText("No webhooks yet");
  const made = await page.evaluate(async () => {
    const body = JSON.stringify({ url: "https://program.example/" });
    const answer = await fetch("/api/webhooks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return (await answer.json()) as unknown;
  });
  const { secret: _secret, ...webhook } = CreatedWebhook.parse(made);
  // What the server says of a webhook whose program answered 410; webhook-worker.test.ts has the server's part.
  await page.route("**/api/webhooks", (route) =>
    route.fulfill({ json: { webhooks: [{ ...webhook, disabledReason: "gone" }] } }),
  );
  await page.reload();
  await expect(section(page)).toContainText("Off: your program answered that it wants no more messages.");
  await section(page).getByRole("button", { name: "Turn on again" }).click();
  await expect(section(page).getByRole("button", { name: "Turn on again" })).toHaveCount(0);
  await expect(section(page)).not.toContainText("Off:");
});
