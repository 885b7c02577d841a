/** Links as they come: alone, one a line, or somewhere in a text that was copied, dragged or shared. */
import { linkProblem } from "./converter.ts";

/** What a sentence puts around a link and does not belong to it. */
const BEFORE = /^[<("'[«“]+/;
const AFTER = /[>)"'\]»”.,;!?]+$/;

function words(text: string): string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(BEFORE, "").replace(AFTER, ""))
    .filter((word) => word !== "");
}

/** The links of a text to hosts we know, each once, in order. */
export function linksIn(text: string, videoHosts: readonly string[]): string[] {
  return [...new Set(words(text).filter((word) => linkProblem(word, videoHosts) === null))];
}

/** The first link of a text: to a host we know, or else to any. Null when there is none. */
export function firstLinkIn(text: string, videoHosts: readonly string[]): string | null {
  return linksIn(text, videoHosts)[0] ?? words(text).find((word) => /^https?:\/\/./i.test(word)) ?? null;
}
