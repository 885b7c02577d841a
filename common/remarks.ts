/** How findings are said. Pages load it after their first scripts. */
import { FINDING_WORDS } from "./finding-words.ts";
import { findingsOf, type Findings } from "./findings.ts";
import type { Shortfall } from "./shortfall.ts";

/** Of the findings that are said as they are, or with their value. */
type Words = Pick<typeof FINDING_WORDS, keyof Findings & keyof typeof FINDING_WORDS>;

/**
 * @param ofShortfall words why the picture has fewer lines
 * @returns what is said of the result, in the language of the words
 */
export function remarksOn(found: Findings, words: Words, ofShortfall: (shortfall: Shortfall) => string): string[] {
  const { shortfall, ...others } = findingsOf(found);
  const said = Object.entries(others).filter(([name]) => name in FINDING_WORDS);
  const remarks = said.map(([name, value]) => {
    const word = words[name as keyof Words] as string | ((value: never) => string);
    return typeof word === "string" ? word : word(value as never);
  });
  return shortfall ? [ofShortfall(shortfall), ...remarks] : remarks;
}
