/** Tokens for programs, on the dashboard. */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./home.ts";
import { serverOrigin } from "./server.ts";
import { newUser, signIn } from "./users.ts";

const section = (page: Page) => page.getByRole("region", { name: "Tokens for programs" });

test("a free user makes a token, uses it, and revokes it", async ({ page, request }) => {
  await signIn(page, newUser());
  await page.goto("/dashboard");
  await expect(section(page)).toContainText("No tokens yet");
  await section(page).getByRole("button", { name: "New token" }).click();
  await expect(section(page).getByLabel("Name of the token")).toBeFocused();
  await page.keyboard.type("My phone");
  await section(page)
    .getByRole("checkbox", { name: /^Download/ })
    .uncheck();
  await expectAccessible(page, "the form for a token");
  await page.keyboard.press("Tab");
  await section(page).getByRole("button", { name: "Make token" }).click();
  const secret = await section(page).getByLabel("Copy this token now. It is not shown again.").inputValue();
  const call = () =>
    request.get(`${serverOrigin()}/api/conversions`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await call()).status()).toBe(200);
  await expect(section(page)).toContainText("The free plan has one token.");
  await expectAccessible(page, "a new token");

  await page.reload();
  await expect(section(page).getByRole("listitem")).toContainText(`Read, Convert · …${secret.slice(-4)} · last used`);
  await expect(page.getByText(secret)).toHaveCount(0);
  await section(page).getByRole("button", { name: "Revoke My phone" }).click();
  await section(page).getByRole("button", { name: "Revoke for good" }).click();
  await expect(section(page)).toContainText("No tokens yet");
  expect((await call()).status()).toBe(401);
});
