/** Longer messages of tools repeat themselves or dump their state. */
const MAX_LENGTH = 300;
const LINK = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]+/gi;
/** yt-dlp begins a message with the site and the id of the video: `[youtube] dQw4w9WgXcQ: Video unavailable`. */
const VIDEO_ID = /(\[[\w:.+-]+\]) [^\s:]+:/g;

/** @returns what a tool said, in one bounded line, without what names the video that a visitor asked for */
export function withoutLinks(words: string): string {
  // yt-dlp prints warnings before, which hardly ever say why.
  const error = words.slice(Math.max(0, words.indexOf("ERROR:")));
  return error.replace(LINK, "[link]").replace(VIDEO_ID, "$1 [id]:").replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
}
