import { useMemo } from "react";
import { LANGUAGES } from "../../texts/languages.ts";
import { useLanguage } from "../../texts/store.ts";

/** @returns the name of a language in the page's language; the code of one that the browser does not know */
export function useLanguageNames(): (code: string) => string {
  const { locale } = LANGUAGES[useLanguage()];
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: "language" });
    return (code) => {
      try {
        return names.of(code) ?? code;
      } catch (error) {
        // A site may have codes of its own.
        if (error instanceof RangeError) return code;
        throw error;
      }
    };
  }, [locale]);
}
