/** Finds links in text that was copied, dragged or shared. */
import { isYouTubeHost } from "../../../common/hosts.ts";
import { parseLink } from "../../../common/parse-url.ts";
import { linkProblem } from "./converter.ts";

/** Punctuation around a link that is not part of it. */
const LEADING_PUNCTUATION = /^[<("'[«“]+/;
const TRAILING_PUNCTUATION = /[>)"'\]»”.,;!?]+$/;

function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(LEADING_PUNCTUATION, "").replace(TRAILING_PUNCTUATION, ""))
    .filter((word) => word !== "");
}

/** Finds the links to accepted hosts in a text. @returns each once, in order */
export function linksIn(text: string, videoHosts: readonly string[]): string[] {
  return [...new Set(splitWords(text).filter((word) => linkProblem(word, videoHosts) === null))];
}

/** Finds the first link to an accepted host, else the first link to any host. @returns null without a link */
export function firstLinkIn(text: string, videoHosts: readonly string[]): string | null {
  return linksIn(text, videoHosts)[0] ?? splitWords(text).find((word) => /^https?:\/\/./i.test(word)) ?? null;
}

/** Lists of whoever is signed in at YouTube, and mixes, which it makes up for each visitor: nobody else can open them. */
const LISTS_OF_ONE_VISITOR = /^(?:WL|LL|LM|HL)$|^(?:RD(?!CLAK)|UL)/;

/** Whether a link names a list that its video is in. Whether it names a video, its preview knows. */
export function namesList(link: string): boolean {
  const url = parseLink(link.trim());
  if (url === null || !isYouTubeHost(url.hostname)) return false;
  const list = url.searchParams.get("list") ?? "";
  return /^[\w-]{2,100}$/.test(list) && !LISTS_OF_ONE_VISITOR.test(list);
}
