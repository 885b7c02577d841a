/** What the JSON of yt-dlp can be about. */
import { parseAll, parsePage } from "./video-in-parts.ts";
import { parseList } from "./video-list.ts";

export const PARSERS = { page: parsePage, all: parseAll, list: parseList };
export type Kind = keyof typeof PARSERS;
export type Parsed<K extends Kind> = ReturnType<(typeof PARSERS)[K]>;
