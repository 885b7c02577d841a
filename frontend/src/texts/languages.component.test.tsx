/** Each language on the home page. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "../testing/actions.ts";
import { fakeApi, refusal } from "../testing/fake-api.ts";
import { openPage } from "../testing/open-page.tsx";
import { expectToastShown } from "../testing/toasts.ts";
import { violationsOfPage } from "../testing/violations.ts";
import { LANGUAGES } from "./languages.ts";
import type { Language } from "./languages.ts";
import { showLanguage } from "./store.ts";

const field = page.getBySelector("input[name=link]");
const converter = page.getBySelector("#converter");
const switchTo = (language: string) => page.getBySelector("footer select").selectOptions(language);
const shownLanguage = () => document.documentElement.lang;
const scrollWidth = () => document.documentElement.scrollWidth;

it("translates the page, a shown problem and the server's errors, and fits a phone", async () => {
  await page.viewport(390, 844);
  fakeApi.answer("POST /api/conversions", () => refusal(422, "unsupported_host", "Refused."));
  await openPage("/");
  await press(field, "{Enter}");
  await expect.element(converter).toMatchTextContent("Please enter a YouTube URL");
  await switchTo("Deutsch");
  await expect.element(converter).toMatchTextContent("Bitte gib einen YouTube-Link ein");
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
  ] as const) {
    await switchTo(language);
    await expect.poll(shownLanguage).toBe(code);
    await field.fill("");
    await press(field, "{Enter}");
    await expectToastShown(invalid);
    await expect.element(converter).toMatchTextContent(invalid);
    await field.fill("https://youtu.be/dQw4w9WgXcQ");
    await press(field, "{Enter}");
    await expectToastShown(refused);
    await expect.poll(scrollWidth).toBe(390);
    await expect.poll(violationsOfPage).toEqual([]);
  }
});

/** @returns elements that overlap the wordmark, which is where an overfull top bar overflows */
function coveringWordmark(): string[] {
  const [wordmark, ...others] = [...document.querySelectorAll("header a")].filter((link) =>
    link.checkVisibility({ visibilityProperty: true }),
  );
  const own = wordmark?.getBoundingClientRect();
  const isOver = ({ left, right }: DOMRect) => own !== undefined && left < own.right && right > own.left;
  return others.filter((link) => isOver(link.getBoundingClientRect())).map(({ textContent }) => textContent);
}

it("the top bar fits on every screen in each language", async () => {
  await openPage("/");
  for (const width of [320, 390, 650, 700, 780, 1280]) {
    await page.viewport(width, 800);
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      await showLanguage(language);
      const message = `${language}, ${width} px`;
      await expect.poll(shownLanguage, { message }).toBe(language);
      await expect.poll(scrollWidth, { message }).toBe(width);
      await expect.poll(coveringWordmark, { message }).toEqual([]);
    }
  }
});
