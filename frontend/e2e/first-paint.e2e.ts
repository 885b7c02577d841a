/** What a visitor sees before any script of ours has run, and that nothing changes when it does. */
import { expect, test } from "@playwright/test";
import { serverOrigin } from "./server.ts";

// Blocking the service worker would be a word in the console.
test.use({ reducedMotion: "reduce", serviceWorkers: "allow" });

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the home page is there, in its own looks", async ({ page }) => {
    await page.goto(`${serverOrigin()}/`);
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toContainText("Paste a link.");
    await expect(page.getByLabel("Video link")).toBeVisible();
    expect(await heading.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThan(30);
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(250, 248, 243)");
  });
});

test("the script takes the drawn page over as it stands", async ({ page }) => {
  const words: string[] = [];
  page.on("console", (message) => words.push(message.text()));
  page.on("pageerror", (error) => words.push(error.message));
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      for (const element of document.querySelectorAll("h1, input[name=link]")) element.setAttribute("data-drawn", "");
    });
  });
  await page.goto(`${serverOrigin()}/`);
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  await expect(page.locator("h1")).toHaveAttribute("data-drawn", "");
  await expect(page.getByLabel("Video link")).toHaveAttribute("data-drawn", "");
  expect(words).toEqual([]);
});
