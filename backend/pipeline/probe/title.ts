/** Cleans the titles of videos, which foreign sites choose. Pure. */

import { decodeEntities } from "./entities.ts";

/** Characters as a reader counts them (graphemes); they may have several code units each. */
const MAX_TITLE_LENGTH = 300;

/** Vimeo allows 128 and YouTube 100. What is longer is the text of a post. */
const LONGEST_OF_VIDEO = 128;

/** Control characters, and marks that change the writing direction of the text after the title. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/**
 * Cleans a title for display and for the tags of the result.
 * @returns one line of at most 300 characters; unprintable characters become spaces
 */
export function cleanTitle(text: string): string {
  const line = text
    .slice(0, 10 * MAX_TITLE_LENGTH)
    .toWellFormed()
    .replace(UNPRINTABLE, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = charactersOf(line);
  const isShort = characters.length <= MAX_TITLE_LENGTH && line.length <= 2 * MAX_TITLE_LENGTH;
  if (isShort) return line;
  const beginning = characters.slice(0, MAX_TITLE_LENGTH - 1).join("");
  return `${beginning
    .slice(0, 2 * MAX_TITLE_LENGTH)
    .toWellFormed()
    .trimEnd()}…`;
}

/** @returns the characters as a reader counts them */
export function charactersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** @returns the title of a video; of a post its first sentences, or as many whole words of the first one as are a title */
export function videoTitle(text: string): string {
  const whole = siteTitle(text);
  if (charactersOf(whole).length <= LONGEST_OF_VIDEO) return whole;
  const firstLine = siteTitle(text.trimStart().split(/[\r\n\u2028\u2029]/, 1)[0] ?? "") || whole;
  let title = "";
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(firstLine)) {
    if (charactersOf(title + segment).length > LONGEST_OF_VIDEO) break;
    title += segment;
  }
  if (title !== "") return title.trimEnd();
  const beginning = charactersOf(firstLine)
    .slice(0, LONGEST_OF_VIDEO - 1)
    .join("");
  // A script without spaces is cut between two characters.
  return `${beginning.replace(/(?<=\S)\s+\S*$/u, "")}…`;
}

/** Cleans a text of a site, which may have escaped it for a page. What visitors write is taken as it is. */
export function siteTitle(text: string): string {
  return cleanTitle(decodeEntities(text.slice(0, 10 * MAX_TITLE_LENGTH)));
}
