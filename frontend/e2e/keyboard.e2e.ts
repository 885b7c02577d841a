/** Keyboard operation, focus, and announcements for screen readers. */
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./home.ts";
import { signInAsPro, newUser } from "./users.ts";

/** Presses Tab until the target is focused, with a limit. */
async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
  const isMarked = await target.evaluate((element) =>
    [element, element.closest("label"), element.parentElement].some((part) => {
      if (!part) return false;
      const { outlineStyle, boxShadow } = getComputedStyle(part);
      return outlineStyle !== "none" || boxShadow !== "none";
    }),
  );
  expect(isMarked).toBe(true);
}

/** Records the announcements about the queue since the page was opened. */
async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.locator("#queue-heading").waitFor();
  await page.evaluate(() => {
    const place = document.querySelector("section[aria-labelledby=queue-heading] > [aria-live=polite]");
    if (!place) throw new Error("the page has no live region");
    const announcements: string[] = [];
    new MutationObserver(() => announcements.push(place.textContent)).observe(place, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Object.assign(window, { announcements });
  });
  return () => page.evaluate(() => (window as unknown as { announcements: string[] }).announcements);
}

test("converts, downloads and removes by keyboard", async ({ page, home }) => {
  const announcements = await recordAnnouncements(page);
  await home.field.focus();
  const link = await home.sampleLink("held");
  await page.keyboard.insertText(link);
  await page.keyboard.press("Enter");
  const row = home.rows.first();
  const cancel = row.getByRole("button", { name: /^Cancel/ });
  await expect(home.bar(row)).toBeVisible();
  await tabTo(page, cancel);
  await home.releaseHeld(link);
  // The focus stays in the row when the job ends.
  await expect(row).toHaveAttribute("data-status", "completed");
  const download = row.getByRole("link", { name: /^Download/ });
  await expect(download).toBeFocused();
  const downloaded = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await downloaded).suggestedFilename()).toMatch(/\.mp3$/);

  const announced = await announcements();
  expect(announced.at(0)).toMatch(/has started\.$/);
  expect(announced.at(-1)).toMatch(/is ready to download\.$/);
  expect(announced.slice(1, -1).every((text) => /: (25|50|75) %\.$/.test(text))).toBe(true);
  expect(announced.length).toBeLessThanOrEqual(5);

  await page.keyboard.press("Tab");
  await expect(row.getByRole("button", { name: /^Remove/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(home.rows).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Your queue" })).toBeFocused();
});

test("cancels, retries and removes by keyboard; after a removal the next row is focused", async ({ page, home }) => {
  const below = await home.convert(await home.sampleLink("three-hours"));
  await expect(home.rowOf(below)).toHaveAttribute("data-status", "failed");
  const job = await home.convert(await home.sampleLink("held"));
  const row = home.rowOf(job);
  await expect(home.bar(row)).toBeVisible();
  await tabTo(page, row.getByRole("button", { name: /^Cancel/ }));
  await page.keyboard.press("Enter");
  await expect(row).toHaveAttribute("data-status", "canceled");
  await expect(row.getByRole("button", { name: /^Retry/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(row.getByRole("button", { name: /^Cancel/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(row.getByRole("button", { name: /^Retry/ })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(row).toHaveCount(0);
  await expect(home.rowOf(below)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(home.rowOf(below).getByRole("button", { name: /^Retry/ })).toBeFocused();
});

test("chooses format, sample and colours by keyboard", async ({ page, home }) => {
  await expect(page.getByRole("button", { name: "Try a sample link" })).toBeVisible();
  await home.field.focus();
  await tabTo(page, page.getByRole("radio", { name: "MP3" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "MP4" })).toBeChecked();
  await tabTo(page, page.getByRole("button", { name: "Try a sample link" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(page.getByRole("button", { name: "Try a sample link" })).toBeFocused();
  await tabTo(page, page.getByRole("radio", { name: "Like the system" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "Light" })).toBeChecked();
});

test("folds and cancels a batch by keyboard", async ({ page }) => {
  const home = await signInAsPro(page, newUser());
  const links = [await home.sampleLink("held"), await home.sampleLink("held")];
  await tabTo(page, page.getByRole("radio", { name: "Single URL" }));
  await page.keyboard.press("ArrowRight");
  await tabTo(page, page.getByLabel("Video links, one a line"));
  await page.keyboard.insertText(links.join("\n"));
  await tabTo(page, page.getByRole("button", { name: "Convert all" }));
  await page.keyboard.press("Enter");
  const fold = page.getByRole("button", { name: "Batch of 2 videos" });
  await expect(fold).toBeVisible();
  await tabTo(page, fold);
  await page.keyboard.press("Enter");
  await expect(home.rows).toHaveCount(2);
  await page.keyboard.press("Enter");
  await expect(home.rows).toHaveCount(0);
  await tabTo(page, page.getByRole("button", { name: "Cancel all" }));
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-batch]")).toContainText("2 canceled");
});

test("navigation focuses the heading of the page, or the linked section", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Help" })).toBeFocused();
  await page.getByRole("link", { name: "Contact Support" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Contact" })).toBeFocused();
  await page.getByRole("banner").getByRole("link", { name: "Pricing" }).press("Enter");
  await expect(page.locator("#pricing")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Pricing" })).toBeInViewport();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Contact" })).toBeFocused();
});

test("reduced motion stops the animation of reels and rows", async ({ page, home }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const job = await home.convert(await home.sampleLink("held"));
  await expect(page.locator("header [data-turning]")).toHaveCount(2);
  expect(
    await page
      .locator("header [data-turning]")
      .first()
      .evaluate((reel) => getComputedStyle(reel).animationName),
  ).toBe("none");
  const durations = await home
    .rowOf(job)
    .evaluate((row) =>
      [row, ...row.querySelectorAll("*")].map((element) =>
        Number.parseFloat(getComputedStyle(element).animationDuration),
      ),
    );
  expect(Math.max(...durations.filter(Number.isFinite))).toBeLessThanOrEqual(0.24);
  await home
    .rowOf(job)
    .getByRole("button", { name: /^Cancel/ })
    .press("Enter");
});
