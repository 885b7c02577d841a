/**
 * The page's language with its texts and number formats. English is part of the first script; another
 * language is loaded when it is chosen, and restored on the next visit. Catalogues are typed objects instead of i18next
 * files: the compiler reports a missing text, and `Intl` has the rules for plurals, numbers and dates.
 */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { SENTENCES, STOPPED_TOO_OFTEN, type ErrorBody } from "../../../common/errors.ts";
import { ignoreStorageErrors } from "../platform/storage-errors.ts";
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

/** Loaders of the catalogues. */
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

/** Of several choices in progress only the last one takes effect. */
let lastChoice = 0;

async function load(language: Language): Promise<void> {
  const choice = ++lastChoice;
  const texts = await CATALOGUES[language]();
  if (choice !== lastChoice) return;
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  store.setState({ language, texts, formats: createFormats(language, texts.figures) });
}

/**
 * Changes the page's language and stores it for later visits.
 * @throws TypeError when the language cannot be loaded; then nothing changes
 */
export async function chooseLanguage(language: Language): Promise<void> {
  await load(language);
  // Without storage the choice lasts until the page is left.
  ignoreStorageErrors(() => localStorage.setItem(KEY, language));
}

/** Reads the stored language; English by default. */
export function storedLanguage(): Language {
  const stored = ignoreStorageErrors(() => localStorage.getItem(KEY)) ?? null;
  return isLanguage(stored) ? stored : "en";
}

/** Ignores the TypeError that browsers throw when a dynamic import fails; the page keeps its language. */
async function ignoreLoadError(loading: Promise<void>): Promise<void> {
  try {
    await loading;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Loads the stored language, before the first render. If that fails, the page is in English. */
export async function restoreLanguage(): Promise<void> {
  const stored = storedLanguage();
  if (stored !== "en") await ignoreLoadError(load(stored));
}

/** Applies a language that was chosen on the prerendered page before hydration. */
export async function applyEarlyLanguage(chosen: string | undefined): Promise<void> {
  if (storedLanguage() === "en" && chosen !== undefined && chosen !== "en" && isLanguage(chosen))
    await ignoreLoadError(chooseLanguage(chosen));
}

export const useTexts = (): Texts => useStore(store, (state) => state.texts);
export const useFormats = (): Formats => useStore(store, (state) => state.formats);
export const useLanguage = (): Language => useStore(store, (state) => state.language);
export const useDirection = (): "ltr" | "rtl" => LANGUAGES[useLanguage()].direction;

/** For texts outside of components, such as toasts. */
export const currentTexts = (): Texts => store.getState().texts;
export const currentFormats = (): Formats => store.getState().formats;

/** The sentence for an error: in English the server's message, which has figures; else the catalogue's text. */
export function sentenceOf({ code, message }: Pick<ErrorBody, "code" | "message">): string {
  const { language, texts } = store.getState();
  // A code of a newer server was read as "internal": only the message names the reason.
  const isUnknownCode = code === "internal" && message !== SENTENCES.internal && message !== STOPPED_TOO_OFTEN;
  return language === "en" || isUnknownCode ? message : texts.errors[code];
}

/** {@link sentenceOf} for a component, which renders again when the language changes. */
export function useSentence(error: Pick<ErrorBody, "code" | "message">): string {
  useLanguage();
  return sentenceOf(error);
}
