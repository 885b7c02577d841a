/** The language that the visitor has chosen: a cookie, because the server sends the page in this language. */
import { isLanguage, languageCookie, LANGUAGE_COOKIE } from "../../../common/languages.ts";
import type { Language } from "../../../common/languages.ts";
import { ignoreStorageErrors } from "../platform/storage-errors.ts";
import { OLD_LANGUAGE_KEY as OLD_KEY } from "../platform/storage-keys.ts";

/** Stores the choice for the next requests. In a browser that refuses cookies it lasts until the page is left. */
export function storeChoice(language: Language): void {
  ignoreStorageErrors(() => (document.cookie = languageCookie(language, window.location.protocol === "https:")));
}

/** @returns the choice of this visit, or of one to this build; null without one */
export function languageInCookie(): Language | null {
  const start = `${LANGUAGE_COOKIE}=`;
  const cookies = ignoreStorageErrors(() => document.cookie) ?? "";
  const chosen = cookies
    .split("; ")
    .find((cookie) => cookie.startsWith(start))
    ?.slice(start.length);
  return isLanguage(chosen) ? chosen : null;
}

/** @returns the choice of a visit to an earlier build, once; from then on it is in the cookie */
function takeOldChoice(): string | null {
  return (
    ignoreStorageErrors(() => {
      const old = window.localStorage.getItem(OLD_KEY);
      if (old !== null) window.localStorage.removeItem(OLD_KEY);
      return old;
    }) ?? null
  );
}

/** @returns null when the visitor has not chosen one */
export function chosenLanguage(): Language | null {
  const old = takeOldChoice();
  const chosen = languageInCookie();
  if (chosen !== null) return chosen;
  if (!isLanguage(old)) return null;
  storeChoice(old);
  return old;
}
