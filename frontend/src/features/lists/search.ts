/** Search in the titles of a list, without regard to case and accents. */

function plain(text: string): string {
  return text.toLocaleLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "");
}

/** Normalizing thousands of titles at every key would be felt. */
const plainTitles = new WeakMap<{ readonly title: string }, string>();

function plainTitleOf(entry: { readonly title: string }): string {
  const known = plainTitles.get(entry);
  if (known !== undefined) return known;
  const title = plain(entry.title);
  plainTitles.set(entry, title);
  return title;
}

/** @returns indexes of the entries whose title has all words of the query */
export function search(entries: readonly { readonly title: string }[], query: string): number[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  return entries.flatMap((entry, index) => {
    const title = plainTitleOf(entry);
    return words.every((word) => title.includes(word)) ? index : [];
  });
}
