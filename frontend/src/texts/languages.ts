/** The languages the pages speak. */

export interface LanguageFacts {
  /** In the language itself, so that those who look for it find it. */
  readonly name: string;
  /** For Intl. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
}

export const LANGUAGES = {
  en: { name: "English", locale: "en", direction: "ltr" },
  de: { name: "Deutsch", locale: "de", direction: "ltr" },
  es: { name: "Español", locale: "es", direction: "ltr" },
  hi: { name: "हिन्दी", locale: "hi", direction: "ltr" },
  // The digits of "128 kbps" and "4:12" stay as the sites write them, so all others are of the same kind.
  ar: { name: "العربية", locale: "ar-u-nu-latn", direction: "rtl" },
} as const satisfies Record<string, LanguageFacts>;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(value: string | null): value is Language {
  return value !== null && Object.hasOwn(LANGUAGES, value);
}
