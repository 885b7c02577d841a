/** The job in view: from Convert to Download, its bar and its buttons are on the screen without scrolling. */
import type { Page } from "@playwright/test";
import { shown } from "../src/testing/shown-limits.ts";
import { Home, expect, openWithOwnFonts, resize, stopClock, test } from "./home.ts";

/** Phones with the bars of their browser. */
const PHONE = { width: 390, height: 664 };
const PHONES = [PHONE, { width: 375, height: 667 }, { width: 360, height: 640 }];
/** Of a phone's keyboard on the screen. */
const KEYBOARD_PX = 264;
const LAPTOPS = [
  { width: 1366, height: 657 },
  { width: 1280, height: 800 },
];
const SIZES = [...PHONES, ...PHONES.map(({ width, height }) => ({ width, height: height - KEYBOARD_PX })), ...LAPTOPS];
const LANGUAGES = ["en", "de", "es", "hi", "ar"] as const;

test.use({ viewport: PHONE, hasTouch: true });

/** Changes the language by the page's own choice, which is at its end, and scrolls back. */
async function chooseLanguage(page: Page, language: (typeof LANGUAGES)[number]): Promise<void> {
  await page.locator("footer select").selectOption(language);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
}

/** Expects elements of the current job to be wholly on the screen, with the three places of advertisements present. */
async function expectInView(page: Page, selectors: readonly string[]): Promise<void> {
  for (const language of LANGUAGES) {
    await chooseLanguage(page, language);
    for (const size of SIZES) {
      await resize(page, size);
      const outside = await page.evaluate(async (all) => {
        window.scrollTo({ top: 0, behavior: "instant" });
        await new Promise(requestAnimationFrame);
        if (document.querySelectorAll("aside").length < 3) return ["an advertisement is missing"];
        const bar = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
        return all.flatMap((selector) => {
          const rect = document.querySelector(`#job-place ${selector}`)?.getBoundingClientRect();
          if (!rect) return [`${selector} is missing`];
          const isInside =
            rect.top >= bar && rect.bottom <= window.innerHeight && rect.left >= 0 && rect.right <= window.innerWidth;
          return isInside && rect.height > 0 ? [] : [`${selector} from ${rect.top} to ${rect.bottom}`];
        });
      }, selectors);
      expect(outside, `${language}, ${size.width} × ${size.height}`).toEqual([]);
    }
  }
}

/** @returns what can be clicked and is wholly on the screen, but would not get a click in its middle */
function coveredTargets(page: Page, scrolledPx: number): Promise<string[]> {
  return page.evaluate(async (top) => {
    window.scrollTo({ top, behavior: "instant" });
    await new Promise(requestAnimationFrame);
    const barBottom = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    return [...document.querySelectorAll<HTMLElement>("a, button, input, select, label")].flatMap((target) => {
      const { left, right, top: start, bottom, width, height } = target.getBoundingClientRect();
      const isInBar = target.closest("header, section[tabindex='-1']") !== null;
      const isOnScreen = start >= (isInBar ? 0 : barBottom) && bottom <= window.innerHeight && left >= 0;
      if (!isOnScreen || width < 2 || !target.checkVisibility({ visibilityProperty: true })) return [];
      const hit = document.elementFromPoint((left + right) / 2, start + height / 2);
      const isHit = hit !== null && (target.contains(hit) || hit.contains(target));
      return isHit ? [] : [`${target.tagName} ${target.getAttribute("aria-label") ?? target.textContent}`];
    });
  }, scrolledPx);
}

test("Convert is on the first screen of a phone before there is a job", async ({ page, home }) => {
  const convert = page.locator("form button[type=submit]");
  await openWithOwnFonts(page);
  await expect(home.field).toBeVisible();
  for (const language of LANGUAGES) {
    await chooseLanguage(page, language);
    for (const size of PHONES.slice(0, 2)) {
      await resize(page, size);
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
      await expect(convert, `${language}, ${size.width} × ${size.height}`).toBeInViewport({ ratio: 1 });
    }
  }
});

test("bar and Download are in view from click to file in each size and language, and no toast covers a button", async ({
  page,
  home,
}) => {
  await openWithOwnFonts(page);
  await expect(page.getByRole("complementary", { name: /Advertisement/ })).toHaveCount(3);
  const link = await home.sampleLink("held");
  await home.field.fill(link);
  await expect(page.getByRole("group", { name: "Preview" })).toContainText("A line that is held");
  const previewBox = await page.locator("#job-place").boundingBox();
  await page.getByRole("button", { name: "Convert", exact: true }).tap();
  const place = page.locator("#job-place [data-job]");
  await expect(home.bar(place)).toBeVisible();
  // The job is in the preview's place, which the smaller opening has moved up; the keyboard is gone.
  const jobBox = await page.locator("#job-place").boundingBox();
  expect(jobBox?.height).toBe(previewBox?.height);
  expect(jobBox?.y).toBeLessThan(previewBox?.y ?? 0);
  await expect(home.field).not.toBeFocused();
  await expect(home.field).toHaveValue("");
  await expect(home.toast).toHaveCount(0);
  await home.expectNoLayoutShift();
  await expectInView(page, ["[role=progressbar]", "button"]);

  await resize(page, PHONE);
  await chooseLanguage(page, "en");
  await page.evaluate(async () => {
    window.scrollTo({ top: 0, behavior: "instant" });
    // The frame of the new language, whose shifts are reported after it.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve));
    window.shifts = [];
  });
  await home.releaseHeld(link);
  await expect(place.getByRole("link", { name: /^Download/ })).toBeInViewport({ ratio: 1 });
  // It says so in words, and a toast would repeat it.
  await expect(place).toContainText("Ready");
  await expect(place.getByText("Download", { exact: true })).toBeVisible();
  await expect(home.toast).toHaveCount(0);
  await home.expectNoLayoutShift();
  await expectInView(page, ["a[download]"]);

  await chooseLanguage(page, "en");
  for (const size of SIZES) {
    await resize(page, size);
    await home.field.fill("");
    await home.field.press("Enter");
    await home.expectToastShown("Invalid URL");
    expect(await coveredTargets(page, 0), `${size.width} × ${size.height}`).toEqual([]);
    expect(await coveredTargets(page, 500), `${size.width} × ${size.height}, scrolled`).toEqual([]);
  }
});

test("converts, cancels, retries, downloads, removes and undoes by touch", async ({ page, home }) => {
  const link = await home.sampleLink("held");
  const place = page.locator("#job-place [data-job]");
  const tap = async (name: RegExp | string, role: "button" | "link" = "button") =>
    place.getByRole(role, { name }).tap();
  await home.field.fill(link);
  await page.getByRole("button", { name: "Convert", exact: true }).tap();
  await expect(home.bar(place)).toBeVisible();
  // The page shows the end of the job before the server knows of it.
  const canceled = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await tap("Cancel A line that is held");
  await expect(place).toHaveAttribute("data-status", "canceled");
  await canceled;
  await tap("Retry A line that is held");
  await expect(home.bar(place)).toBeVisible();
  await home.releaseHeld(link);
  const downloaded = page.waitForEvent("download");
  await tap("Download A line that is held", "link");
  expect((await downloaded).suggestedFilename()).toBe("A line that is held.mp3");
  await expect(place).toHaveAttribute("data-status", "completed");
  // From now on the removal can be undone however long the test takes.
  await stopClock(page);
  await tap("Remove A line that is held");
  await expect(place).toHaveCount(0);
  await page.getByRole("button", { name: "Undo the removal of A line that is held" }).tap();
  await expect(place.getByRole("link", { name: /^Download/ })).toBeInViewport({ ratio: 1 });
});

test("the next link shows its preview, and the job moves to the queue; a reload keeps the job in its place", async ({
  page,
  home,
}) => {
  const first = await home.convert(await home.sampleLink("held"));
  const place = page.locator("#job-place");
  const queue = page.locator("section[aria-labelledby=queue-heading]");
  await expect(place.locator(`[data-job="${first.id}"]`)).toContainText("A line that is held");
  await expect(queue.locator("[data-job]")).toHaveCount(0);
  await expect(queue).toContainText("No other conversions");

  await page.reload();
  await expect(home.bar(place)).toBeVisible();
  await expect(queue).toContainText("No other conversions");
  // The opening is small from the first paint on.
  await home.expectNoLayoutShift();
  expect(await page.getByRole("heading", { level: 1 }).evaluate((title) => title.clientHeight)).toBeLessThan(40);

  await home.field.fill(await home.sampleLink("rain"));
  await expect(place).toContainText("Rain on a tin roof");
  await expect(queue.locator(`[data-job="${first.id}"]`)).toBeVisible();
  await expect(home.rows).toHaveCount(1);
  await home.field.press("Enter");
  await expect(place.getByRole("link", { name: "Download Rain on a tin roof" })).toBeVisible();
  await expect(home.rows).toHaveCount(2);

  // A failed job stays there with its reason and its buttons.
  await page.route("**/api/preview", (route) => route.abort());
  const failed = await home.convert(await home.sampleLink("three-hours"));
  await expect(place.locator(`[data-job="${failed.id}"]`)).toHaveAttribute("data-status", "failed");
  await expect(place).toContainText(shown.free.length);
  await expect(place.getByRole("button", { name: /^Remove/ })).toBeVisible();
  await expect(queue.locator("[data-job]")).toHaveCount(2);
  // A part of the video may be short enough: its link is in the field again, with the choices open.
  await page.unroute("**/api/preview");
  await place.getByRole("link", { name: "Take a part of Three hours of a very quiet room" }).tap();
  await expect(home.field).toHaveValue(/three-hours/);
  await expect(
    page.getByRole("group", { name: "Choices for this video" }).getByLabel("Start", { exact: true }),
  ).toBeVisible();
});

test("a conversion that starts or ends out of view is told by a toast, from which the file can be downloaded", async ({
  page,
}) => {
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/conversions", async (route) => {
    if (route.request().method() === "POST") await answer.promise;
    await route.fallback();
  });
  const home = new Home(page);
  await home.open();
  const link = await home.sampleLink("held");
  await home.field.fill(link);
  await home.field.press("Enter");
  await page.locator("footer").scrollIntoViewIfNeeded();
  answer.resolve();
  await home.expectToastShown("Conversion Started Your video has been added to the queue!");
  await expect(home.toast.getByRole("link")).toHaveCount(0);

  // On another page, too. Its link moves out of the bar, which a toast covers.
  await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Help" })).toBeVisible();
  // The toast stays open under the pointer, however long the test takes.
  await page.mouse.move(PHONE.width / 2, 25);
  await home.releaseHeld(link);
  await home.expectToastShown("Ready A line that is held");
  const downloaded = page.waitForEvent("download");
  await home.toast.getByRole("link", { name: "Download A line that is held" }).tap();
  expect((await downloaded).suggestedFilename()).toBe("A line that is held.mp3");
  await expect(home.toast).toHaveCount(0);
  // Screen readers hear it once, in the announcer's words.
  expect(await page.locator("[data-announcer]").textContent()).not.toContain("Ready");
});
