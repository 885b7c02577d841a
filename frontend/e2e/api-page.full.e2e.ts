/** The page with the description of the API. */
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./home.ts";
import { serverOrigin } from "./server.ts";

test("shows every group of calls from this server alone, and says when it cannot", async ({ page }) => {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && origin !== serverOrigin()) foreign.push(request.url());
  });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.route("**/api/openapi.json", (route) => route.abort(), { times: 1 });
  await page.goto("/api");
  await expect(page.getByRole("alert")).toContainText("The description could not be loaded.");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "The API of Tapedeck" })).toBeVisible();
  for (const group of ["Conversions", "Links and lists", "Batches", "This site", "Account", "Payment"])
    await expect(page.getByRole("link", { name: group, exact: true })).toBeVisible();
  expect([foreign, faults]).toEqual([[], []]);
  // One call is open, with its fields and examples.
  await page.locator(".opblock-summary-control").first().click();
  await expect(page.locator(".opblock-body pre").first()).toBeVisible();
  await expectAccessible(page, "the description of the API");
});
