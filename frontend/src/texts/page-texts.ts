/** Texts of a single page, which are loaded with that page only. */
import { use } from "react";
import type { Language } from "./languages.ts";
import { useLanguage } from "./store.ts";

/**
 * Creates the hook for the texts of one page.
 * @param en English texts, part of the page's script
 * @param others loaded on demand; a language that is missing or fails to load falls back to English
 * @returns a hook that suspends while a language loads
 */
export function createPageTexts<PageTexts>(
  en: PageTexts,
  others: Partial<Record<Exclude<Language, "en">, () => Promise<PageTexts>>>,
): () => PageTexts {
  const loads = new Map<Language, Promise<PageTexts>>();

  function load(language: Exclude<Language, "en">, from: () => Promise<PageTexts>): Promise<PageTexts> {
    const cached = loads.get(language);
    if (cached) return cached;
    const loading = from().catch((error: unknown) => {
      if (error instanceof TypeError) return en;
      throw error;
    });
    loads.set(language, loading);
    return loading;
  }

  return function usePageTexts(): PageTexts {
    const language = useLanguage();
    const from = language === "en" ? undefined : others[language];
    return language === "en" || !from ? en : use(load(language, from));
  };
}
