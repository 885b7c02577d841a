/** The language in which a page is sent. */
import { parseCookie } from "cookie";
import type { Context } from "koa";
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGE_COOKIE,
  languageCookie,
  type Language,
} from "../../../common/languages.ts";

/** @returns the language that the visitor has chosen, or undefined */
function chosenLanguage(ctx: Context): Language | undefined {
  const chosen = parseCookie(ctx.headers.cookie ?? "")[LANGUAGE_COOKIE];
  return isLanguage(chosen) ? chosen : undefined;
}

/**
 * The first language of the browser's list that we have, in any of its regional forms. Koa's own choice prefers an exact
 * match: it would send German for "en-US,de;q=0.8,en;q=0.5".
 */
function acceptedLanguage(ctx: Context): Language | undefined {
  return ctx
    .acceptsLanguages()
    .map((tag) => tag.toLowerCase().split("-")[0])
    .find(isLanguage);
}

/**
 * Chooses by the visitor's cookie, then by `Accept-Language`, and tells caches and readers of the answer.
 * @returns the page's language; English if the visitor wants none of ours
 */
export function negotiateLanguage(ctx: Context): Language {
  const language = chosenLanguage(ctx) ?? acceptedLanguage(ctx) ?? DEFAULT_LANGUAGE;
  ctx.vary("Cookie");
  ctx.vary("Accept-Language");
  ctx.set("Content-Language", language);
  return language;
}

/**
 * Stores the visitor's choice for another 400 days. Safari keeps a cookie that a script has written for a week only,
 * and one that an answer has set as long as this says.
 */
export function renewLanguageCookie(ctx: Context): void {
  const chosen = chosenLanguage(ctx);
  if (chosen) ctx.append("Set-Cookie", languageCookie(chosen, ctx.secure));
}
