/** Words of a single page, long enough to come with that page instead of with every one. */
import { use } from "react";
import type { Language } from "./languages.ts";
import { useLanguage } from "./store.ts";

/**
 * @param en comes with the page
 * @param others loaded when asked for; a language that is missing, or cannot be had, falls back to English
 * @returns a hook; it suspends while a language is on its way
 */
export function createPageTexts<Words>(
  en: Words,
  others: Partial<Record<Exclude<Language, "en">, () => Promise<Words>>>,
): () => Words {
  const loads = new Map<Language, Promise<Words>>();

  function load(language: Exclude<Language, "en">, from: () => Promise<Words>): Promise<Words> {
    const known = loads.get(language);
    if (known) return known;
    const loading = from().catch((error: unknown) => {
      if (error instanceof TypeError) return en;
      throw error;
    });
    loads.set(language, loading);
    return loading;
  }

  return function usePageTexts(): Words {
    const language = useLanguage();
    const from = language === "en" ? undefined : others[language];
    return language === "en" || !from ? en : use(load(language, from));
  };
}
