/** The languages of the pages, and the cookie that holds the one that a visitor has chosen. */

export const LANGUAGE_CODES = ["en", "de", "es", "hi", "ar"] as const;
export type Language = (typeof LANGUAGE_CODES)[number];

/** For visitors whose languages we do not have. */
export const DEFAULT_LANGUAGE: Language = "en";

/** Name of the cookie. Pages write it too, so it is not signed; it only selects one of our languages. */
export const LANGUAGE_COOKIE = "tapedeck.language";

/** 400 days, the longest that browsers keep a cookie (RFC 6265bis, section 5.5). */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

export function isLanguage(value: unknown): value is Language {
  return LANGUAGE_CODES.some((code) => code === value);
}

/** @returns the direction of the language's script */
export function directionOf(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

/**
 * @param isSecure whether the page's address is https
 * @returns the text that stores the choice, for `document.cookie` and the header `Set-Cookie`
 */
export function languageCookie(language: Language, isSecure: boolean): string {
  return `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}
