/** The languages of the pages. */

export interface LanguageInfo {
  /** The language's own name. */
  readonly name: string;
  /** Locale for `Intl`. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
}

export const LANGUAGES = {
  en: { name: "English", locale: "en", direction: "ltr" },
  de: { name: "Deutsch", locale: "de", direction: "ltr" },
  es: { name: "Español", locale: "es", direction: "ltr" },
  hi: { name: "हिन्दी", locale: "hi", direction: "ltr" },
  // Latin digits everywhere, because "128 kbps" and "4:12" always have them.
  ar: { name: "العربية", locale: "ar-u-nu-latn", direction: "rtl" },
} as const satisfies Record<string, LanguageInfo>;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(value: string | null): value is Language {
  return value !== null && Object.hasOwn(LANGUAGES, value);
}
