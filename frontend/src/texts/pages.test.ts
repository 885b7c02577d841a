import { describe, expect, it } from "vitest";
import { ACCOUNT_DELETION_DAYS } from "../../../common/retention-policy.ts";
import { createFormats } from "./format.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { hi } from "./hi.ts";
import { createFigures } from "./figures.ts";
import { withFigures, type Prose } from "./prose.ts";
import type { Figures } from "./figures.ts";

const CATALOGUES = { en, de, es, hi, ar };
type Language = keyof typeof CATALOGUES;

const figuresOf = (language: Language) => createFigures(createFormats(language, CATALOGUES[language].figures));

/** All texts of a page by path, with figures inserted. */
function shownTexts(value: unknown, figures: Figures, path = ""): Map<string, string> {
  if (typeof value === "function") return shownTexts((value as (figures: Figures) => unknown)(figures), figures, path);
  if (typeof value !== "object" || value === null) return new Map([[path, String(value)]]);
  return new Map(Object.entries(value).flatMap(([key, part]) => [...shownTexts(part, figures, `${path}.${key}`)]));
}

async function pageIn(page: string, language: Language): Promise<Map<string, string>> {
  const words = (await import(`./${page}/${language}.ts`)) as Record<string, unknown>;
  return shownTexts(words[language], figuresOf(language));
}

async function proseIn(page: string, language: Language): Promise<Prose> {
  return ((await import(`./${page}/${language}.md`)) as { default: Prose }).default;
}

/** The names of the figures in each text of a page, in their order. */
const figureNamesIn = (prose: Prose): string[][] =>
  [...shownTexts(prose, figuresOf("en"), "").values()].map((text) =>
    [...text.matchAll(/\{[^}]*\}/g)].map(([name]) => name).toSorted(),
  );

describe.each(["help", "contact", "plans", "subscribe", "login", "account", "pro", "lists", "downloads", "player"])(
  "the page %s",
  (page) => {
    it.each(["de", "es", "hi", "ar"] as const)("has in %s all texts that it has in English", async (language) => {
      const english = await pageIn(page, "en");
      const own = await pageIn(page, language);
      expect([...own.keys()]).toEqual([...english.keys()]);
      expect([...own].filter(([path, text]) => text === english.get(path))).toEqual([]);
    });
  },
);

describe.each(["help", "privacy", "terms"])("the long text %s", (page) => {
  it.each(["en", "de", "es", "hi", "ar"] as const)("names in %s only figures that exist", async (language) => {
    const figures = figuresOf(language);
    const shown = shownTexts(withFigures(await proseIn(page, language), figures), figures);
    expect([...shown.values()].filter((text) => /[{}]/.test(text))).toEqual([]);
  });

  it.each(["de", "es", "hi", "ar"] as const)(
    "has in %s all parts, anchors and figures that it has in English",
    async (language) => {
      const english = await proseIn(page, "en");
      const own = await proseIn(page, language);
      const texts = shownTexts(own, figuresOf(language));
      const englishTexts = shownTexts(english, figuresOf("en"));
      expect([...texts.keys()]).toEqual([...englishTexts.keys()]);
      expect(own.sections.map(({ id }) => id)).toEqual(english.sections.map(({ id }) => id));
      expect(figureNamesIn(own)).toEqual(figureNamesIn(english));
      const same = [...texts].filter(
        ([path, text]) => !path.endsWith(".id") && text && text === englishTexts.get(path),
      );
      expect(same).toEqual([]);
    },
  );
});

it.each(["en", "de", "es", "hi", "ar"] as const)(
  "the account deletion text in %s names the number of days",
  async (language) => {
    const texts = await pageIn("account", language);
    expect(texts.get(".deleteExplained.before")).toContain(String(ACCOUNT_DELETION_DAYS));
  },
);
