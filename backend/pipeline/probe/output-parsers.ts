/** What the JSON of yt-dlp can be about. */
import { parseInfo } from "./info.ts";
import { parseList } from "./video-list.ts";

export const PARSERS = { video: parseInfo, list: parseList };
export type Kind = keyof typeof PARSERS;
export type Parsed<K extends Kind> = ReturnType<(typeof PARSERS)[K]>;
