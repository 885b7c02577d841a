/** Paths of the site's pages. Every other path shows the "not found" page. */
import { DEFAULT_LANGUAGE, type Language } from "./languages.ts";
import type { Tier } from "./tiers.ts";

export const PAGE_PATHS = [
  "/",
  "/plans",
  "/subscribe",
  "/login",
  "/dashboard",
  "/following",
  "/pro",
  "/help",
  "/speed",
  "/api",
  "/contact",
  "/privacy",
  "/terms",
] as const;

/** A page for operators. No page links to it, and to everybody else it is an unknown path. */
export const OPERATOR_PATH = "/operator";

/** The built contact page with a form, which has no path of its own. */
export const FORM_PAGE = "contact-form";

/** The built page for unknown paths, which has no path of its own. */
export const NOT_FOUND_PAGE = "not-found";

/**
 * @param userTier null for visitors who are not signed in
 * @returns the built file of a page in a language: "help.html", "help.de.html", for users "pro/help.de.html"
 */
export function pageFileName(name: string, language: Language, userTier: Tier | null = null): string {
  const file = language === DEFAULT_LANGUAGE ? `${name}.html` : `${name}.${language}.html`;
  return userTier === null ? file : `${userTier}/${file}`;
}

/** Whether a page exists at the path. Ignores case and a trailing slash. */
export function isKnownPage(path: string): boolean {
  return (PAGE_PATHS as readonly string[]).includes(normalize(path));
}

/** Whether a path is that of one page, in the same way. */
export function isPageAt(page: string, path: string): boolean {
  return normalize(path) === page;
}

function normalize(path: string): string {
  return path.toLowerCase().replace(/(.)\/$/, "$1");
}
