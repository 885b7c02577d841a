/** Texts of a single page, which are loaded with that page only. */
import { use } from "react";
import type { Language } from "./languages.ts";
import { loadWithLanguage, useLanguage } from "./store.ts";

/**
 * Creates the hook for the texts of one page.
 * @param en English texts, part of the page's script
 * @param others loaded on demand; a language that is missing or fails to load falls back to English
 * @returns a hook that suspends while the page's language loads
 */
export function createPageTexts<PageTexts>(
  en: PageTexts,
  others: Partial<Record<Exclude<Language, "en">, () => Promise<PageTexts>>>,
): () => PageTexts {
  const loads = new Map<Language, Promise<PageTexts>>();
  const loaded = new Map<Language, PageTexts>([["en", en]]);

  async function start(language: Language): Promise<PageTexts> {
    const from = language === "en" ? undefined : others[language];
    let texts = en;
    try {
      if (from) texts = await from();
    } catch (error) {
      // Browsers throw a TypeError when a dynamic import fails.
      if (!(error instanceof TypeError)) throw error;
    }
    loaded.set(language, texts);
    return texts;
  }

  function load(language: Language): Promise<PageTexts> {
    const cached = loads.get(language);
    if (cached) return cached;
    const loading = start(language);
    loads.set(language, loading);
    return loading;
  }

  loadWithLanguage(load);
  return function usePageTexts(): PageTexts {
    const language = useLanguage();
    // Suspends only on navigation to this page: its texts are loaded before hydration and before a change of language.
    return loaded.get(language) ?? use(load(language));
  };
}
