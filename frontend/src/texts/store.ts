/**
 * The language of the page, its words and its figures. English is always there; another language is
 * loaded when it is chosen, and chosen again on the next visit.
 */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { ErrorBody } from "../../../common/errors.ts";
import { createFormats } from "./format.ts";
import type { Formats } from "./format.ts";
import { en } from "./en.ts";
import type { Texts } from "./en.ts";
import { LANGUAGES, isLanguage } from "./languages.ts";
import type { Language } from "./languages.ts";

export interface LanguageState {
  readonly language: Language;
  readonly texts: Texts;
  readonly formats: Formats;
}

/** The catalogues that are not part of the page's first script. */
const CATALOGUES: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  hi: async () => (await import("./hi.ts")).hi,
  ar: async () => (await import("./ar.ts")).ar,
};

const KEY = "tapedeck.language";

const store = createStore<LanguageState>()(() => ({
  language: "en",
  texts: en,
  formats: createFormats("en", en.figures),
}));

/** Two choices at once: the last one made is the one that counts, whichever arrives first. */
let lastChoice = 0;

async function load(language: Language): Promise<void> {
  const own = ++lastChoice;
  const texts = await CATALOGUES[language]();
  if (own !== lastChoice) return;
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  store.setState({ language, texts, formats: createFormats(language, texts.figures) });
}

/**
 * Changes the language of the page at once and for later visits.
 * Rejects when the language cannot be loaded; everything stays as it was then.
 */
export async function chooseLanguage(language: Language): Promise<void> {
  await load(language);
  try {
    localStorage.setItem(KEY, language);
  } catch (error) {
    // A browser that keeps nothing: the choice holds until the page is left.
    if (!(error instanceof DOMException)) throw error;
  }
}

/** The language chosen on an earlier visit; English if none was. */
export function keptLanguage(): Language {
  try {
    const kept = localStorage.getItem(KEY);
    return isLanguage(kept) ? kept : "en";
  } catch (error) {
    if (error instanceof DOMException) return "en";
    throw error;
  }
}

/** What a browser throws when a part of the script cannot be had; the page stays in its language then. */
async function unlessUnreachable(loading: Promise<void>): Promise<void> {
  try {
    await loading;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** To be awaited before the first render. A language that cannot be loaded leaves the page in English. */
export async function restoreLanguage(): Promise<void> {
  const kept = keptLanguage();
  if (kept !== "en") await unlessUnreachable(load(kept));
}

/** What was chosen on the page as it was drawn, in English, before there was anybody to listen. */
export async function takeUpLanguage(chosen: string | undefined): Promise<void> {
  if (keptLanguage() === "en" && chosen !== undefined && chosen !== "en" && isLanguage(chosen))
    await unlessUnreachable(chooseLanguage(chosen));
}

export const useTexts = (): Texts => useStore(store, (state) => state.texts);
export const useFormats = (): Formats => useStore(store, (state) => state.formats);
export const useLanguage = (): Language => useStore(store, (state) => state.language);
export const useDirection = (): "ltr" | "rtl" => LANGUAGES[useLanguage()].direction;

/** For words that are said outside of a component, such as a toast. */
export const currentTexts = (): Texts => store.getState().texts;
export const currentFormats = (): Formats => store.getState().formats;
/** Calls back whenever the language has changed; returns what ends that. */
export const onLanguageChange = (listener: () => void): (() => void) => store.subscribe(listener);

/** An error in the words of the page: the server's own in English, which name figures; the catalogue's elsewhere. */
export function sentenceOf({ code, message }: Pick<ErrorBody, "code" | "message">): string {
  const { language, texts } = store.getState();
  return language === "en" ? message : (texts.errors[code] ?? message);
}

/** The same for a component, which is drawn again when the language changes. */
export function useSentence(error: Pick<ErrorBody, "code" | "message">): string {
  useLanguage();
  return sentenceOf(error);
}
