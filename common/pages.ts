/** Paths of the site's pages. Every other path shows the "not found" page. */
import { DEFAULT_LANGUAGE, type Language } from "./languages.ts";

export const PAGE_PATHS = [
  "/",
  "/plans",
  "/subscribe",
  "/login",
  "/dashboard",
  "/pro",
  "/help",
  "/api",
  "/contact",
  "/privacy",
  "/terms",
] as const;

const KNOWN: ReadonlySet<string> = new Set(PAGE_PATHS);

/** The built contact page with a form, which has no path of its own. */
export const FORM_PAGE = "contact-form";

/** @returns the built file of a page in a language: "help.html", "help.de.html" */
export function pageFileName(name: string, language: Language): string {
  return language === DEFAULT_LANGUAGE ? `${name}.html` : `${name}.${language}.html`;
}

/** Whether a page exists at the path. Ignores case and a trailing slash, as the client's router does. */
export function isKnownPage(path: string): boolean {
  return KNOWN.has(path.toLowerCase().replace(/(.)\/$/, "$1"));
}
