/** What pages need to know of each language. */
import { directionOf } from "../../../common/languages.ts";
import type { Language } from "../../../common/languages.ts";

export type { Language } from "../../../common/languages.ts";

export interface LanguageInfo {
  /** The language's own name. */
  readonly name: string;
  /** Locale for `Intl`. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
}

export const LANGUAGES: Readonly<Record<Language, LanguageInfo>> = {
  en: { name: "English", locale: "en", direction: directionOf("en") },
  de: { name: "Deutsch", locale: "de", direction: directionOf("de") },
  es: { name: "Español", locale: "es", direction: directionOf("es") },
  hi: { name: "हिन्दी", locale: "hi", direction: directionOf("hi") },
  // Latin digits everywhere, because "128 kbps" and "4:12" always have them.
  ar: { name: "العربية", locale: "ar-u-nu-latn", direction: directionOf("ar") },
};
