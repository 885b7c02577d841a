import type { Page } from "@playwright/test";
import { User } from "../../common/api.ts";
import { ErrorBody } from "../../common/errors.ts";
import { expectAccessible } from "./axe.ts";
import { expect, Home, test } from "./home.ts";
import { ageSessionsOf, nameOperator } from "./server.ts";
import { newBrowser, newUser, signIn, type TestUser } from "./users.ts";

const HOUR_MS = 3_600_000;

async function openAsOperator(page: Page): Promise<TestUser> {
  const grace = newUser("Grace");
  await signIn(page, grace);
  await nameOperator(grace.email);
  await page.goto("/operator");
  await expect(page.getByRole("heading", { level: 1, name: "Operator" })).toBeVisible();
  return grace;
}

const section = (page: Page, name: string) => page.getByRole("region", { name });

test("does not exist for anybody but operators", async ({ page }) => {
  expect((await page.goto("/operator"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "404" })).toBeVisible();
  await signIn(page, newUser());
  expect((await page.goto("/operator"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "404" })).toBeVisible();
});

test("asks for a fresh sign-in", async ({ page }) => {
  const grace = await openAsOperator(page);
  await ageSessionsOf(grace.email, HOUR_MS + 1_000);
  expect((await page.goto("/operator"))?.status()).toBe(200);
  await expect(page.getByRole("heading", { name: "Sign in again" })).toBeVisible();
  const asked = page.waitForRequest((request) => request.url().includes("/api/login?fresh"));
  await page.getByRole("button", { name: "Sign in again" }).click();
  await asked;
});

test("shows a visitor's job live, cancels it, and finds an account", async ({ page, browser }) => {
  const visitor = await newBrowser(browser);
  const home = new Home(await visitor.newPage());
  await openAsOperator(page);
  await expect(page.getByText("Live ·")).toBeVisible();
  await expect(section(page, "Processes").getByRole("listitem").first()).toContainText("of disk free");
  await expect(section(page, "Processes").getByRole("listitem").first()).toContainText("database answers in");

  await home.open();
  const { id } = await home.convert(await home.sampleLink("held"));
  // Other tests have jobs at the same time.
  const row = section(page, "Running jobs")
    .getByRole("listitem")
    .filter({ has: page.locator(`[data-running="${id}"]`) });
  await expect(row).toContainText("downloading");
  await expectAccessible(page, "the operator's page");
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 1280, height: 800 });

  // By the keyboard alone.
  await row.getByRole("button", { name: /^Cancel job/ }).focus();
  await page.keyboard.press("Enter");
  await expect(row.getByRole("button", { name: "Really cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(home.page.locator("#job-place [data-job]")).toHaveAttribute("data-status", "canceled");
  const log = section(page, "What operators did");
  await expect(log.getByRole("listitem").filter({ hasText: id })).toContainText("cancel_job");

  const ada = newUser();
  await signIn(home.page, ada);
  await page.getByLabel("Email address").fill("nobody@example.org");
  await page.getByLabel("Email address").press("Enter");
  await expect(page.getByText("Nobody has an account with this address.")).toBeVisible();
  await page.getByLabel("Email address").fill(ada.email);
  await page.getByLabel("Email address").press("Enter");
  const account = section(page, "Accounts").getByRole("listitem");
  await expect(account).toContainText(ada.email);
  await account.getByRole("button", { name: "Delete" }).click();
  await expect(account.getByRole("button", { name: "Delete account" })).toBeDisabled();
  await account.getByRole("textbox").fill("delete this account");
  await account.getByRole("textbox").press("Enter");
  await expect(page.getByText("Nobody has an account with this address.")).toBeVisible();
  await visitor.close();
});

test("retries and cancels a job, blocks with purge, and grants Pro, each with a line in the log", async ({
  page,
  browser,
}) => {
  const visitor = await newBrowser(browser);
  const ada = newUser();
  const home = new Home(await visitor.newPage());
  await signIn(home.page, ada);
  await home.open();
  const { id: adaId } = User.parse(await (await home.page.request.get("/api/auth/user")).json());
  const grace = await openAsOperator(page);
  const log = section(page, "What operators did").getByRole("listitem");
  const expectLogged = async (act: string, on: string): Promise<void> => {
    // The page finds an account again after each change of it; that search may only have begun when the log is read.
    const line = log
      .filter({ has: page.getByText(act, { exact: true }) })
      .filter({ hasText: on })
      .filter({ has: page.getByText("done", { exact: true }) })
      .first();
    await expect(line).toContainText(grace.email);
  };

  const held = await home.convert(await home.sampleLink("held"));
  const job = section(page, "One job");
  await job.getByLabel("Job id").fill(held.id);
  await job.getByRole("button", { name: "Cancel" }).click();
  await job.getByRole("button", { name: "Really cancel" }).click();
  await expect(home.rowOf(held)).toHaveAttribute("data-status", "canceled");
  await expectLogged("cancel_job", held.id);
  await job.getByRole("button", { name: "Retry" }).click();
  await expect(home.rowOf(held)).toHaveAttribute("data-status", "processing");
  await expectLogged("retry_job", held.id);

  const link = await home.sampleLink("rain");
  const rain = await home.convertUnseen(link);
  await expect(home.rowOf(rain)).toHaveAttribute("data-status", "completed");
  const file = `/api/conversions/${rain.id}/file`;
  expect((await home.page.request.get(file)).status()).toBe(200);
  const blocks = section(page, "Block list");
  await blocks.getByLabel("Kind").selectOption("video");
  await blocks.getByLabel("Value").fill(link);
  await blocks.getByLabel("Reason").fill("Notice 12");
  await blocks.getByRole("button", { name: "Block" }).click();
  // The link is new in each run, so its end names it.
  const name = new URL(link).search;
  await expect(blocks.getByRole("listitem").filter({ hasText: name })).toContainText("Notice 12");
  await expectLogged("block", name);
  await expect(home.rowOf(rain)).toContainText("Removed");
  expect(ErrorBody.parse(await (await home.page.request.get(file)).json()).code).toBe("blocked");
  const entry = blocks.getByRole("listitem").filter({ hasText: name });
  await entry.getByRole("button", { name: /^Unblock/ }).click();
  await entry.getByRole("button", { name: "Unblock", exact: true }).click();
  await expect(entry).toBeHidden();
  await expectLogged("unblock", name);

  await page.getByLabel("Email address").fill(ada.email);
  await page.getByLabel("Email address").press("Enter");
  const account = section(page, "Accounts").getByRole("listitem");
  await account.getByRole("button", { name: "Grant Pro" }).click();
  await expect(account).toContainText("Pro granted");
  await expectLogged("grant_pro", adaId);
  await expectLogged("find_account", adaId);
  await expect(home.page.getByText(`Pro User · ${ada.firstName}`)).toBeVisible();
  await account.getByRole("button", { name: "Revoke grant" }).click();
  await expectLogged("revoke_pro", adaId);
  await expect(home.page.getByText(`Pro User · ${ada.firstName}`)).toBeHidden();
  await visitor.close();
});
