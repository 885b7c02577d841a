/**
 * Reads text that visitors type, paste, drop and share, as the server does. The reader is not part of the first scripts,
 * because the links that most visitors paste need none of it.
 */
import { isPlainLink } from "../../../common/links/plain-link.ts";

export interface FoundText {
  /** To show. Those that the server refuses with a reason of their own are among them when there are no others. */
  readonly links: readonly string[];
  /** For the form for batches. */
  readonly lines: string;
  /** What can be corrected in a text without links. */
  readonly other: string | null;
  /** What is previewed. */
  readonly previewed: string | null;
  /** Of {@link links}, without those that the server refuses. */
  readonly count: number;
  /** It has no link, and an address of a site that is not supported. */
  readonly isForeign: boolean;
  /** Its link names a list beside the video. */
  readonly namesList: boolean;
}

/** Of the operator, in addition to YouTube's. Null while they are unknown: then each host may be one of them. */
export type VideoHosts = readonly string[] | null;

export type ReadText = (text: string, videoHosts: VideoHosts) => FoundText;

let reader: ReadText | undefined;

/** Called by the reader itself when it is loaded. */
export function setReader(loaded: ReadText): void {
  reader = loaded;
}

const PLAIN_PAGE = /^https?:\/\/([\w.-]+(?::\d+)?)\/[\w/?=.-]*[\w/=-]$/;

/** Whether a text is a single undamaged link to an accepted host. */
export function isPlain(text: string, videoHosts: VideoHosts): boolean {
  const host = PLAIN_PAGE.exec(text)?.[1] ?? "";
  return isPlainLink(text) || (videoHosts?.includes(host) === true && !host.includes("youtu"));
}

/** Whether an address may stand in a text, of any form, or an id alone in a line. */
export const mayHoldLink = (text: string): boolean => /[/:：／%[<{]|^ *\S{11,} *$/m.test(text);

/** Whether a text cannot be judged before the reader is loaded. */
export const awaitsReader = (text: string, videoHosts: VideoHosts): boolean =>
  !reader && mayHoldLink(text) && !isPlain(text, videoHosts);

/** @returns undefined until the reader is loaded */
export function readNow(text: string, videoHosts: VideoHosts): FoundText | undefined {
  return reader?.(text, videoHosts);
}

/** @returns undefined when the reader cannot be loaded: then the server reads the text */
export async function readText(text: string, videoHosts: VideoHosts): Promise<FoundText | undefined> {
  if (!reader) await import("./read-text.ts").catch(() => undefined);
  return readNow(text, videoHosts);
}
