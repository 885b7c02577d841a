import type { Page } from "@playwright/test";
import { shown } from "../src/testing/shown-limits.ts";
import { expect, test, seenText } from "./home.ts";
import { signInAsPro, newUser } from "./users.ts";

const linesOf = (page: Page) => page.getByLabel("Video links, one a line");

test("cancels and retries a whole batch; several links in the single field become a batch", async ({
  page,
  context,
}) => {
  const home = await signInAsPro(page, newUser());
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const text = [await home.sampleLink("held"), await home.sampleLink("held")].join("\n");
  await page.evaluate((links) => navigator.clipboard.writeText(links), text);
  await page.getByRole("button", { name: "Paste" }).click();
  await expect(seenText(page, "You pasted 2 links. Each is a line of this batch now.")).toBeVisible();
  await expect(seenText(page, `2 found URLs out of ${shown.pro.batch}`)).toBeVisible();
  await linesOf(page).press("Control+Enter");

  const batch = page.locator("[data-batch]");
  await expect(batch).toContainText(/working|waiting/);
  const retries: string[] = [];
  page.on("request", (request) => request.url().endsWith("/retry") && retries.push(request.url()));
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/batch-conversions/*", async (route) => {
    if (route.request().method() === "DELETE") await answer.promise;
    await route.fallback();
  });
  const retry = batch.getByRole("button", { name: "Retry failed" });
  // Retry takes the place of Cancel, where the second press arrives. It takes no press for a moment.
  await batch.getByRole("button", { name: "Cancel all" }).dblclick();
  // The page shows the end of the jobs before the server knows of it.
  await expect(batch).toContainText("2 canceled");
  await expect(retry).toHaveCount(0);
  answer.resolve();
  await expect(retry).toBeVisible();
  expect(retries).toEqual([]);
  await retry.click();
  await expect(batch).toContainText(/working|waiting/);
  await expect.poll(() => retries).toHaveLength(1);
  await page.reload();
  await batch.getByRole("button", { name: "Cancel all" }).click();
  await expect(batch).toContainText("2 canceled");
});
