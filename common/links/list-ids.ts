/** Ids of lists and clips at YouTube. */
import { refusal, type LinkRefusal } from "./link.ts";
import { OPEN_LIST } from "./open-list.ts";

/** Lists that belong to whoever is signed in. */
const OWN_LIST = /^(?:WL|LL|LM|HL)$/;

/** Lists of people, of channels, and of YouTube Music, and clips: ids of known lengths. */
const WHOLE =
  /^(?:PL(?:[\dA-F]{16}|[\w-]{32})|(?:FL|UU(?:LF|SH|LV|MO)?)[\w-]{22}|(?:OLAK|RDCLAK)5uy_[\w-]{33}|Ugk[\w-]{33})$/;

/** Whether nothing is missing at the end of an id. Ids of other kinds are not known to be whole. */
export const isWholeId = (id: string): boolean => WHOLE.test(id);

/** @returns the list's canonical link, or why nobody else can open it */
export function listOfId(id: string): string | LinkRefusal {
  if (OPEN_LIST.test(id)) return `https://www.youtube.com/playlist?list=${id}`;
  if (OWN_LIST.test(id)) return refusal("private", "own_list");
  return /^(?:RD|UL)[\w-]{0,98}$/.test(id) ? refusal("invalid_link", "mix") : refusal("invalid_link");
}
