/** Puts the texts of a language into a page of the extension. */
import { directionOf } from "../../common/languages.ts";
import type { ExtensionTexts } from "./texts/en.ts";

export function fillPage(page: keyof ExtensionTexts["pages"], texts: ExtensionTexts): void {
  document.documentElement.lang = texts.language;
  document.documentElement.dir = directionOf(texts.language);
  const own: Readonly<Record<string, unknown>> = texts.pages[page];
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]"))
    element.textContent = String(own[element.dataset["text"] ?? ""]);
}

/** @throws Error when the page has no such element */
export function elementOf<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${id}`);
}
