/**
 * The page's language with its texts and number formats. A prerendered page is hydrated in the language that it has;
 * a visitor who chooses another one gets its catalogue then. Catalogues are typed objects instead of i18next
 * files: the compiler reports a missing text, and `Intl` has the rules for plurals, numbers and dates.
 */
import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";
import type { ErrorBody } from "../../../common/errors.ts";
import { INTERNAL_SENTENCE } from "../../../common/reasons.ts";
import { wordReason } from "./reason-words.ts";
import { createFormats } from "./format.ts";
import type { Formats } from "./format.ts";
import { storeChoice } from "./language-choice.ts";
import type { Texts } from "./en.ts";
import { LANGUAGES } from "./languages.ts";
import type { Language } from "./languages.ts";

export interface LanguageState {
  readonly language: Language;
  readonly texts: Texts;
  readonly formats: Formats;
}

/** Loaders of the catalogues, each of which is a script of its own. */
const CATALOGUES: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await import("./en.ts")).en,
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  hi: async () => (await import("./hi.ts")).hi,
  ar: async () => (await import("./ar.ts")).ar,
};

/** Null until the first language is loaded, which is before anything is rendered. */
const store = createStore<{
  readonly shown: LanguageState | null;
  /** The texts of the language as they are written. */
  readonly catalogue: Texts | null;
  readonly isOfAnySite: boolean;
}>()(() => ({ shown: null, catalogue: null, isOfAnySite: false }));

function shown(): LanguageState {
  const state = store.getState().shown;
  if (!state) throw new Error("no language is loaded yet");
  return state;
}

/** Texts that ask for a link, where it may lead to any site. */
function ofAnySite(texts: Texts): Texts {
  const { errors, exactErrors, converter } = texts;
  const asked = exactErrors.no_video_link;
  const problems = { ...converter.problems, empty: asked, unknown: asked, noLinks: asked };
  return { ...texts, errors: { ...errors, invalid_link: asked }, converter: { ...converter, problems } };
}

function shownIn(language: Language, catalogue: Texts, isOfAnySite: boolean): LanguageState {
  const texts = isOfAnySite ? ofAnySite(catalogue) : catalogue;
  return { language, texts, formats: createFormats(language, catalogue.figures) };
}

/**
 * Called when the server's configuration is known.
 * @param isAny whether links to all sites are accepted; until then texts name YouTube
 */
export function speakOfSites(isAny: boolean): void {
  const { catalogue, isOfAnySite, shown: state } = store.getState();
  if (!catalogue || !state || isAny === isOfAnySite) return;
  store.setState({ isOfAnySite: isAny, shown: shownIn(state.language, catalogue, isAny) });
}

type LoadTexts = (language: Language) => Promise<unknown>;
const pageLoaders = new Set<LoadTexts>();

/** Registers texts of one page, which are then loaded together with the catalogue of each language. */
export function loadWithLanguage(load: LoadTexts): void {
  pageLoaders.add(load);
}

/** Of several choices in progress only the last one takes effect. */
let lastChoice = 0;

/**
 * Shows a language as soon as all its texts are loaded.
 * @throws TypeError when they cannot be loaded; then nothing changes
 */
export async function showLanguage(language: Language): Promise<void> {
  const choice = ++lastChoice;
  const [texts] = await Promise.all([CATALOGUES[language](), ...[...pageLoaders].map((load) => load(language))]);
  if (choice !== lastChoice) return;
  if (typeof document !== "undefined") {
    document.documentElement.lang = language;
    document.documentElement.dir = LANGUAGES[language].direction;
  }
  const { isOfAnySite } = store.getState();
  store.setState({ catalogue: texts, shown: shownIn(language, texts, isOfAnySite) });
}

/**
 * Changes the page's language and stores it for later visits.
 * @throws TypeError when the language cannot be loaded; then nothing changes
 */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language);
  storeChoice(language);
}

/**
 * Shows the first language that can be loaded.
 * @returns this language
 * @throws TypeError when none can be loaded
 */
export async function showFirstLanguage(languages: readonly [Language, ...Language[]]): Promise<Language> {
  const [first, second, ...others] = languages;
  try {
    await showLanguage(first);
    return first;
  } catch (error) {
    // Browsers throw a TypeError when a dynamic import fails.
    if (!(error instanceof TypeError) || second === undefined) throw error;
    return showFirstLanguage([second, ...others]);
  }
}

/** Unlike the hook of zustand, it hydrates with the present state: the language of the prerendered page. */
function useShown<Part>(select: (state: LanguageState) => Part): Part {
  const read = () => select(shown());
  return useSyncExternalStore(store.subscribe, read, read);
}

export const useTexts = (): Texts => useShown((state) => state.texts);
export const useFormats = (): Formats => useShown((state) => state.formats);
export const useLanguage = (): Language => useShown((state) => state.language);
export const useDirection = (): "ltr" | "rtl" => LANGUAGES[useLanguage()].direction;

/** For texts outside of components, such as toasts. */
export const currentTexts = (): Texts => shown().texts;
export const currentFormats = (): Formats => shown().formats;
export const currentLanguage = (): Language => shown().language;

/** Of an error that the page itself has found. */
export const NO_MESSAGE = "";

type ShownError = Pick<ErrorBody, "code" | "message" | "reason">;

/**
 * The sentence for an error: in English the server's message; else, and for an error of the page itself, the catalogue's
 * text for its reason or, if it has none, for its code.
 */
export function sentenceOf(error: ShownError): string {
  // The server does not know the visitor's time zone.
  const isAboutTime = error.reason?.name === "starts_later";
  const isFromServer = error.message !== NO_MESSAGE;
  return shown().language === "en" && isFromServer && !isAboutTime ? error.message : translationOf(error);
}

function translationOf({ code, message, reason }: ShownError): string {
  const { texts, formats } = shown();
  if (reason) return wordReason(reason, texts, formats);
  // A code of a newer server was read as "internal": only the message names the reason.
  if (code === "internal" && message !== INTERNAL_SENTENCE) return message;
  return texts.errors[code];
}

/** {@link sentenceOf} for a component, which renders again when the language changes. */
export function useSentence(error: ShownError): string {
  useLanguage();
  return sentenceOf(error);
}
