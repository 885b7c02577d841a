/** A page that stayed open during a new build, whose scripts are missing now. */
import type { Page } from "@playwright/test";
import { expect, test } from "./home.ts";

const HELP = /\/assets\/HelpPage-[^/]*\.js/;

/** Counts the page loads from now on. */
function countOpenings(page: Page): { readonly count: number } {
  const opened = { count: 0 };
  page.on("request", (request) => void (request.isNavigationRequest() && (opened.count += 1)));
  return opened;
}

const goToHelp = (page: Page) => page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();

test("a missing script of an old build reloads the page at the requested address", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  const opened = countOpenings(page);
  await page.route(HELP, (route) => (opened.count === 0 ? route.fulfill({ status: 404 }) : route.fallback()));
  await goToHelp(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  await expect(page).toHaveURL(/\/help$/);
  expect(opened.count).toBe(1);
});

test("a script missing in the new build too shows an error without a reload loop", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  const opened = countOpenings(page);
  await page.route(HELP, (route) => route.fulfill({ status: 404 }));
  await goToHelp(page);
  await expect(page.getByRole("heading", { name: "This page has stopped working" })).toBeVisible();
  expect(opened.count).toBe(1);
});

test("does not reload offline, and opens the requested page when the network is back", async ({
  page,
  home,
  context,
}) => {
  await expect(home.field).toBeVisible();
  const opened = countOpenings(page);
  await context.setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  await goToHelp(page);
  await expect(page.getByRole("heading", { name: "This page comes when the connection is back" })).toBeVisible();
  expect(opened.count).toBe(0);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  await expect(page).toHaveURL(/\/help$/);
});

test("loads a page that failed offline when it is opened again", async ({ page, home, context }) => {
  await expect(home.field).toBeVisible();
  const opened = countOpenings(page);
  await context.setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  await goToHelp(page);
  await expect(page.getByRole("heading", { name: "This page comes when the connection is back" })).toBeVisible();
  await page.goBack();
  await expect(home.field).toBeVisible();
  await context.setOffline(false);
  await goToHelp(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  expect(opened.count).toBe(0);
});
