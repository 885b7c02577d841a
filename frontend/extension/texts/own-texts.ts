import { DEFAULT_LANGUAGE, isLanguage } from "../../../common/languages.ts";
import { browser } from "../browser.ts";
import { CATALOGUES } from "./catalogues.ts";
import type { ExtensionTexts } from "./en.ts";

/** @returns the texts in the language of the browser, or in English */
export function ownTexts(): ExtensionTexts {
  const [code] = browser.i18n.getUILanguage().split("-", 1);
  return CATALOGUES[isLanguage(code) ? code : DEFAULT_LANGUAGE];
}
