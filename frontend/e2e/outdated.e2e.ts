/** A page left open while a new build came: the parts of the old one are gone. */
import type { Page } from "@playwright/test";
import { expect, test } from "./home.ts";

const HELP = /\/assets\/HelpPage-[^/]*\.js/;

/** How often the browser has opened a page anew since then. */
function countOpenings(page: Page): { readonly count: number } {
  const opened = { count: 0 };
  page.on("request", (request) => void (request.isNavigationRequest() && (opened.count += 1)));
  return opened;
}

const goToHelp = (page: Page) => page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();

test("a part that is gone opens the new build, at the place that was asked for", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  const opened = countOpenings(page);
  await page.route(HELP, (route) => (opened.count === 0 ? route.fulfill({ status: 404 }) : route.fallback()));
  await goToHelp(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  await expect(page).toHaveURL(/\/help$/);
  expect(opened.count).toBe(1);
});

test("a part that is missing in the new build too is an error, and the page does not go round in circles", async ({
  page,
  home,
}) => {
  await expect(home.field).toBeVisible();
  const opened = countOpenings(page);
  await page.route(HELP, (route) => route.fulfill({ status: 404 }));
  await goToHelp(page);
  await expect(page.getByRole("heading", { name: "This page has stopped working" })).toBeVisible();
  expect(opened.count).toBe(1);
});

test("without a network nothing is opened anew, which would lose the page; with it the place that was asked for opens", async ({
  page,
  home,
  context,
}) => {
  await expect(home.field).toBeVisible();
  const opened = countOpenings(page);
  await context.setOffline(true);
  await goToHelp(page);
  await expect(page.getByRole("heading", { name: "This page comes when the connection is back" })).toBeVisible();
  expect(opened.count).toBe(0);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  await expect(page).toHaveURL(/\/help$/);
});
