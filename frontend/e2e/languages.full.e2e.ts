import type { Page } from "@playwright/test";
import { violationsOf } from "./axe.ts";
import { expect, goTo, resize, scrollWidthOf, test } from "./home.ts";

const switchTo = (page: Page, language: string) => page.locator("footer select").selectOption({ label: language });

/** @returns the horizontal position of an element: 0 at the left edge of the page, 1 at the right */
async function placeOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  return ((box?.x ?? 0) + (box?.width ?? 0) / 2) / (page.viewportSize()?.width ?? 1);
}

test("Arabic mirrors the page, fills progress bars from the right, and is stored", async ({ page, home }) => {
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  expect(await placeOf(page, "header a")).toBeLessThan(0.5);
  await switchTo(page, "العربية");
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("الصق رابطًا");
  expect(await placeOf(page, "header a")).toBeGreaterThan(0.5);

  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.locator("footer select")).toHaveValue("ar");

  await page.locator("input[name=link]").fill(await home.sampleLink("held"));
  await page.locator("input[name=link]").press("Enter");
  const bar = page.getByRole("progressbar");
  await expect(bar).not.toHaveAttribute("aria-valuenow", "0");
  const isFromTheRight = await bar.evaluate((frame) => {
    const fill = frame.firstElementChild?.getBoundingClientRect();
    const own = frame.getBoundingClientRect();
    return fill !== undefined && fill.right > own.right && fill.left > own.left;
  });
  expect(isFromTheRight).toBe(true);
  await expect.poll(() => scrollWidthOf(page)).toBe(page.viewportSize()?.width);
  await page
    .locator("[data-job]")
    .getByRole("button", { name: /^إلغاء/ })
    .click();
  await expect(page.locator("[data-job]").first()).toContainText("أُلغي");

  await switchTo(page, "English");
  await expect(page.locator("html")).toHaveAttribute("dir", "ltr");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paste a link.");
});

test("translates the page, a shown problem and the server's errors, and fits a phone", async ({ page, home }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const field = page.locator("input[name=link]");
  await field.press("Enter");
  await expect(page.locator("#converter")).toContainText("Please enter a YouTube URL");
  await switchTo(page, "Deutsch");
  await expect(page.locator("#converter")).toContainText("Bitte gib einen YouTube-Link ein");
  for (const [language, code, invalid, refused] of [
    [
      "Deutsch",
      "de",
      "Bitte gib einen YouTube-Link ein",
      "Dieser Link führt zu einer Seite, die Tapedeck nicht öffnet.",
    ],
    ["Español", "es", "Introduce una URL de YouTube", "Este enlace lleva a un sitio que Tapedeck no abre."],
    ["हिन्दी", "hi", "कृपया YouTube लिंक डालें", "यह लिंक ऐसी साइट का है जिसे Tapedeck नहीं खोलता।"],
    ["العربية", "ar", "يُرجى إدخال رابط YouTube", "يقود هذا الرابط إلى موقع لا يفتحه Tapedeck."],
  ] as const)
    await test.step(language, async () => {
      await switchTo(page, language);
      await expect(page.locator("html")).toHaveAttribute("lang", code);
      await field.fill("");
      await field.press("Enter");
      await home.expectToastShown(invalid);
      await expect(page.locator("#converter")).toContainText(invalid);
      await field.fill("https://evil.example/?youtu.be");
      await field.press("Enter");
      await home.expectToastShown(refused);
      await expect.poll(() => scrollWidthOf(page)).toBe(390);
      await expect.poll(() => violationsOf(page)).toEqual([]);
    });
});

test("shows an error and keeps the language when another one fails to load", async ({ page, home, context }) => {
  await expect(page.locator("footer select").first()).toBeVisible();
  await context.setOffline(true);
  await switchTo(page, "हिन्दी");
  await home.expectToastShown("Language Not Changed");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paste a link.");
  await context.setOffline(false);
  await switchTo(page, "हिन्दी");
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
});

/** @returns elements that overlap the wordmark, which is where an overfull top bar overflows */
function coveringWordmark(): (string | null)[] {
  const [wordmark, ...others] = [...document.querySelectorAll("header a")].filter((link) =>
    link.checkVisibility({ visibilityProperty: true }),
  );
  const own = wordmark?.getBoundingClientRect();
  const isOver = ({ left, right }: DOMRect) => own !== undefined && left < own.right && right > own.left;
  return others.filter((link) => isOver(link.getBoundingClientRect())).map(({ textContent }) => textContent);
}

test("the top bar fits every language on every screen", async ({ page, home }) => {
  await expect(home.field).toBeVisible();
  for (const [language, code] of [
    ["English", "en"],
    ["Deutsch", "de"],
    ["Español", "es"],
    ["हिन्दी", "hi"],
    ["العربية", "ar"],
  ] as const) {
    await switchTo(page, language);
    await expect(page.locator("html")).toHaveAttribute("lang", code);
    for (const width of [320, 390, 650, 700, 780, 1280]) {
      await resize(page, { width, height: 800 });
      const message = `${language}, ${width} px`;
      await expect.poll(() => scrollWidthOf(page), { message }).toBe(width);
      await expect.poll(() => page.evaluate(coveringWordmark), { message }).toEqual([]);
    }
  }
});

test("other pages are translated and fit a phone in right-to-left layout", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const heading = page.getByRole("heading", { level: 1 });
  for (const [path, german] of [
    ["/plans", "Wähl deinen Tarif."],
    ["/help", "Hilfe"],
    ["/contact", "Kontakt"],
    ["/privacy", "Datenschutz"],
    ["/terms", "Nutzungsbedingungen"],
  ] as const)
    await test.step(path, async () => {
      await goTo(page, path);
      await switchTo(page, "Deutsch");
      await expect(heading).toHaveText(german);
      await page.reload();
      await expect(heading).toHaveText(german);
      await switchTo(page, "العربية");
      await expect(heading).not.toHaveText(german);
      await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
      await expect.poll(() => scrollWidthOf(page)).toBe(390);
      await expect.poll(() => violationsOf(page)).toEqual([]);
    });
});
