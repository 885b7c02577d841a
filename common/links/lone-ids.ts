/** Finds videos that a text names by their ids alone, and writes their addresses in the place of the ids. */

/** Codes of forums, wikis, feeds, generators of sites and web components that name a video by its id alone. */
const EMBED_CODES = [
  /<(?:(?:lite|amp)-?)?youtube\w{0,9}\s(?:[^<>]{0,60}\s)?(?:data-|:)?(?:video-?)?id=/,
  /<youtube(?:\s[^<>]{0,60})?>/,
  /\[(?:youtube|yt)(?:[\]=]|\s{1,3}id=|\s[^[\]]{0,60}\])|\[(?:media=youtube\]|video=youtube;)/,
  /\{[%{][-<]?\s{0,3}(?:include\s{1,3})?youtube(?:\.html)?\s{1,3}(?:id=)?/,
  /\{\{(?:\s{0,3}|#ev:)youtube\s{0,3}[|>]\s{0,3}(?:id=|1=)?/,
  /\{(?:youtube|yt)\}/,
  /\.\.\s{1,3}youtube::\s{1,3}/,
  /(?<![\w?&])["']?video_?id["']?:\s{0,3}|data-(?:youtube|plyr-embed)-id=/,
  /\[\[(?:yt|youtube):/,
  /yt:video:|<yt:videoid>/,
  /video::(?=[\w-]{11}\[youtube\b)/,
  // What yt-dlp prints of a video.
  /\[youtube\] (?=[\w-]{11}: )/,
];
const EMBED_CODE = new RegExp(
  `(?:${EMBED_CODES.map(({ source }) => source).join("|")})["']{0,2}([\\w-]{11})(?![\\w-])`,
  "gi",
);

/** A list that Google hands over to its owner (Takeout) has an id and a time in each line. */
const EXPORTED = /^[ \t]{0,3}([\w-]{11}),[ \t]{0,3}(?=\d{4}-\d\d-\d\d[T ]\d\d:)/gm;

/** Also with other parameters: `v=ID&t=30`. */
const PARAMETER = /^[?&]?v=[\w-]{11}(?![\w-])/;
/**
 * Of 200 random ids 199 have a capital behind a small letter or a digit, or a letter behind a digit. Words, and those with a
 * number or a mark, have neither: `Rammstein22`, `drum-n-bass`.
 */
const ID = /^(?=[\w-]*(?:[a-z\d][A-Z]|\d[a-z]))[\w-]{11}$/;

function addressOf(word: string): string | undefined {
  if (PARAMETER.test(word)) return `https://www.youtube.com/watch?${word.replace(/^[?&]/, "")}`;
  return ID.test(word) ? `https://youtu.be/${word}` : undefined;
}

/** A text of nothing but ids is a list of videos, also where the site stands before each. Among words only codes tell ids. */
export function addressesOfIds(text: string): string {
  const words = text.split(/\s+/).filter((word) => !/^(?:youtube)?$/i.test(word));
  const addresses = words.map(addressOf);
  if (addresses.length > 0 && !addresses.includes(undefined)) return addresses.join("\n");
  return text.replace(EMBED_CODE, " https://youtu.be/$1 ").replace(EXPORTED, "https://youtu.be/$1 ");
}
