/** Cleans the titles of videos, which foreign sites choose. Pure. */

import { decodeEntities } from "./entities.ts";

/** Characters as a reader counts them (graphemes); they may have several code units each. */
const MAX_TITLE_LENGTH = 300;

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
  const characters = [...new Intl.Segmenter().segment(line)].map(({ segment }) => segment);
  const isShort = characters.length <= MAX_TITLE_LENGTH && line.length <= 2 * MAX_TITLE_LENGTH;
  if (isShort) return line;
  const beginning = characters.slice(0, MAX_TITLE_LENGTH - 1).join("");
  return `${beginning
    .slice(0, 2 * MAX_TITLE_LENGTH)
    .toWellFormed()
    .trimEnd()}…`;
}

/** Cleans a text of a site, which may have escaped it for a page. What visitors write is taken as it is. */
export function siteTitle(text: string): string {
  return cleanTitle(decodeEntities(text.slice(0, 10 * MAX_TITLE_LENGTH)));
}
