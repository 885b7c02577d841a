/** Keyboard operation, focus, and announcements for screen readers. */
import type { Locator, Page } from "@playwright/test";
import { QUIET_MS } from "../src/stores/announcer.ts";
import { UNDO_MS } from "../src/stores/removals.ts";
import { LONGER_THAN_FREE } from "../src/testing/shown-limits.ts";
import { violationsOf } from "./axe.ts";
import { cutTexts } from "./cut-texts.ts";
import { expect, resize, scrollWidthOf, stopClock, test } from "./home.ts";
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

interface Heard {
  readonly text: string;
  readonly isUrgent: boolean;
}

/** Records what all live regions of the page say from now on. */
async function recordAnnouncements(page: Page): Promise<() => Promise<Heard[]>> {
  await page.evaluate(() => {
    const live = "[aria-live], [role=status], [role=alert], [role=log], output";
    const heard: Heard[] = [];
    new MutationObserver((changes) => {
      const regions = new Set<Element>();
      for (const { target, addedNodes } of changes) {
        const around = (target instanceof Element ? target : target.parentElement)?.closest(live);
        if (around) regions.add(around);
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const element of [node, ...node.querySelectorAll("*")])
              if (element.matches(live)) regions.add(element);
      }
      for (const region of regions) {
        const text = region.textContent.trim();
        if (text !== "") heard.push({ text, isUrgent: region.matches("[aria-live=assertive], [role=alert]") });
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { heard });
  });
  return () => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
}

/** What a screen reader finds in the place of the preview and the job. */
const TREES = {
  empty: `
    - group "Preview": /Paste a link anywhere on this page/`,
  preview: `
    - group "Preview":
      - text: 0:30 A line that is held
      - term: MP3 · 128 kbps
      - definition: about 0.5 MB
      - term: MP4 · 480p
      - definition: size unknown`,
  processing: `
    - group "Latest conversion":
      - article:
        - heading "A line that is held" [level=2]
        - progressbar "Progress of A line that is held"
        - text: /Downloading \\d+.%.*MP3 · 128 kbps/
        - button "Cancel A line that is held"`,
  canceled: `
    - group "Latest conversion":
      - article:
        - heading "A line that is held" [level=2]
        - text: Canceled MP3 · 128 kbps
        - button "Retry A line that is held"
        - button "Remove A line that is held"`,
  completed: `
    - group "Latest conversion":
      - article:
        - heading "A line that is held" [level=2]
        - text: Ready
        - 'button "Ready: Where the time went"'
        - text: MP3 · 128 kbps · 0.5 MB
        - time: /expires/
        - 'button "Cut again: A line that is held"'
        - 'button "To my phone: A line that is held"'
        - link "Download A line that is held"
        - button "Remove A line that is held"`,
  failed: `
    - group "Latest conversion":
      - article:
        - heading "Three hours of a very quiet room" [level=2]
        - text: Failed MP3 · 128 kbps ${LONGER_THAN_FREE}
        - button "Remove Three hours of a very quiet room"`,
} as const;

const expectTree = (page: Page, state: keyof typeof TREES) =>
  expect(page.locator("#job-place")).toMatchAriaSnapshot(TREES[state]);

test("converts, downloads and removes by keyboard", async ({ page, home }) => {
  const announcements = await recordAnnouncements(page);
  const startMs = Date.now();
  let jumpedMs = 0;
  await page.clock.install({ time: startMs });
  const polite = async () => (await announcements()).filter(({ isUrgent }) => !isUrgent).map(({ text }) => text);
  /** Screen readers hear at most one line in 10 s, from all parts of the page together. */
  async function expectFewLines(): Promise<void> {
    const lines = await polite();
    const nowMs = await page.evaluate(() => Date.now());
    expect(lines.length, lines.join("; ")).toBeLessThanOrEqual(1 + (nowMs - startMs - jumpedMs) / QUIET_MS);
  }
  /** Stops the time, so that a removal can be undone however long the test takes. */
  async function stopTime(): Promise<void> {
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    // Each timer is due at most once in the jump, so it is as long as one line to screen readers.
    jumpedMs += 60_000 - QUIET_MS;
  }
  await home.field.focus();
  const link = await home.sampleLink("held");
  await expectTree(page, "empty");
  await page.keyboard.insertText(link);
  await expectTree(page, "preview");
  await page.keyboard.press("Enter");
  const row = home.rows.first();
  const cancel = row.getByRole("button", { name: /^Cancel/ });
  await expect(home.bar(row)).toBeVisible();
  await expectTree(page, "processing");
  await tabTo(page, cancel);
  await home.releaseHeld(link);
  // The focus stays in the row when the job ends.
  await expect(row).toHaveAttribute("data-status", "completed");
  const download = row.getByRole("link", { name: /^Download/ });
  await expect(download).toBeFocused();
  await expectTree(page, "completed");
  const downloaded = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await downloaded).suggestedFilename()).toMatch(/\.mp3$/);

  // What comes earlier is replaced by newer news, and the end is never lost.
  await page.clock.fastForward(QUIET_MS);
  await expect.poll(async () => (await polite()).at(-1)).toMatch(/is ready to download\.$/);
  await expectFewLines();

  await page.keyboard.press("Tab");
  await expect(row.getByRole("button", { name: /^Remove/ })).toBeFocused();
  await stopTime();
  await page.keyboard.press("Enter");
  await expect(home.rows).toHaveCount(0);
  await expect(home.field).toBeFocused();
  await expectFewLines();

  // The removal is undone by keyboard: the file is still there.
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Undo the removal of A line that is held" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Notifications (F8)" })).toContainText("Removed: A line that is held");
  await page.keyboard.press("Enter");
  await page.clock.resume();
  await expect(row).toBeFocused();
  await page.clock.fastForward(UNDO_MS);
  await expect.poll(async () => (await polite()).at(-1)).toBe("Removed: A line that is held");
  const url = (await download.getAttribute("href")) ?? "";
  expect((await page.request.get(url)).status()).toBe(200);
  // A toast that is open gives its place to the removal.
  await stopTime();
  await home.field.press("Enter");
  await expect(home.toast).toContainText("Invalid URL");
  await tabTo(page, row.getByRole("button", { name: /^Remove/ }));
  await page.keyboard.press("Enter");
  await expect(home.rows).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Undo the removal of A line that is held" })).toBeVisible();
  await page.clock.fastForward(UNDO_MS);
  await expect.poll(async () => (await page.request.get(url)).status()).toBe(404);
  await expectFewLines();
  // An error is heard at once.
  expect((await announcements()).filter(({ isUrgent }) => isUrgent)).toEqual([
    { text: "Invalid URL. Please enter a YouTube URL", isUrgent: true },
  ]);
});

test("cancels, retries and removes by keyboard; after a removal the next row is focused", async ({ page, home }) => {
  const lowest = await home.convertUnseen(await home.sampleLink("three-hours"));
  // Without a preview, which would know that it fails.
  await page.route("**/api/preview", (route) => route.abort());
  const below = await home.convert(await home.sampleLink("three-hours"));
  await expectTree(page, "failed");
  await page.unroute("**/api/preview");
  const job = await home.convert(await home.sampleLink("held"));
  const row = home.rowOf(job);
  await expect(home.bar(row)).toBeVisible();
  await tabTo(page, row.getByRole("button", { name: /^Cancel/ }));
  // From now on time stands still, so that removals can be undone however long this test takes.
  await stopClock(page);
  await page.keyboard.press("Enter");
  await expect(row).toHaveAttribute("data-status", "canceled");
  await expectTree(page, "canceled");
  // The toast of an answer that comes later would take the place of a removal that can be undone.
  await home.expectToastShown("Conversion Canceled");
  await expect(row.getByRole("button", { name: /^Retry/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(row.getByRole("button", { name: /^Cancel/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(row.getByRole("button", { name: /^Retry/ })).toBeFocused();
  await home.expectToastShown("Conversion Canceled");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(row).toHaveCount(0);
  await expect(home.field).toBeFocused();
  await tabTo(page, home.rowOf(below).getByRole("button", { name: /^Remove/ }));
  await page.keyboard.press("Enter");
  await expect(home.rowOf(below)).toHaveCount(0);
  await expect(home.rowOf(lowest)).toBeFocused();
  // A video that is longer than any plan allows has no Retry, but ways out.
  await tabTo(page, home.rowOf(lowest).getByRole("button", { name: /^Remove/ }));
  // Both removals can be undone, the newer one first.
  for (const restored of [below, job]) {
    await page.keyboard.press("F8");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(home.rowOf(restored)).toBeVisible();
  }
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

test("a menu holds what the top bar has no room for", async ({ page, home }) => {
  await resize(page, { width: 320, height: 568 });
  const button = page.getByRole("banner").getByRole("button", { name: "Menu" });
  const menu = page.getByRole("navigation", { name: "Menu" });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await expect(menu.getByText("Free User")).toBeVisible();
  await expect(menu.getByRole("link")).toHaveText(["Converter", "Pricing", "Pro Login", "Upgrade to Pro"]);
  for (const link of await menu.getByRole("link").all())
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expect.poll(() => scrollWidthOf(page)).toBe(320);
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect(menu.getByRole("link", { name: "Converter" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(button).toBeFocused();
  await button.click();
  await home.field.click();
  await expect(menu).toHaveCount(0);
  // Up to the width at which the bar has the sections itself; German has the longest labels.
  const sections = page.getByRole("banner").getByRole("link", { name: "Pricing" });
  for (const [width, isInBar] of [
    [641, false],
    [895, false],
    [896, true],
  ] as const) {
    await page.setViewportSize({ width, height: 700 });
    await expect(sections).toBeVisible({ visible: isInBar });
    await expect(button).toBeVisible({ visible: !isInBar });
  }
  await resize(page, { width: 641, height: 700 });
  await page.locator("footer select").selectOption("de");
  await page.locator("header button[aria-expanded]").click();
  await expect(page.locator("header nav[id]").getByRole("link")).toHaveText([
    "Umwandeln",
    "Preise",
    "Pro-Anmeldung",
    "Zu Pro wechseln",
  ]);
  await expect.poll(() => page.evaluate(cutTexts)).toEqual([]);
  await page.keyboard.press("Escape");
  await resize(page, { width: 320, height: 568 });
  await page.locator("footer select").selectOption("ar");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await page.locator("header button[aria-expanded]").click();
  const box = await page.locator("header nav[id]").boundingBox();
  // In right-to-left layout the menu opens at the left edge.
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  await page.locator("header nav[id] a[href='/login']").click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.locator("header nav[id]")).toHaveCount(0);
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
  const heading = page.getByRole("heading", { level: 1, name: "Help" });
  await expect(heading).toBeFocused();
  // There is nothing to operate, so it has no ring.
  await expect(heading).toHaveCSS("outline-style", "none");
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
  // "untouched" moves nothing: a control that has just come takes no tap.
  const durations = await home.rowOf(job).evaluate((row) =>
    [row, ...row.querySelectorAll("*")]
      .map((element) => getComputedStyle(element))
      .filter(({ animationName }) => animationName !== "untouched")
      .map(({ animationDuration }) => Number.parseFloat(animationDuration)),
  );
  expect(Math.max(...durations.filter(Number.isFinite))).toBeLessThanOrEqual(0.24);
  await home
    .rowOf(job)
    .getByRole("button", { name: /^Cancel/ })
    .press("Enter");
});
