/** Ids of lists at YouTube. */
import { refusal, type LinkRefusal } from "./link.ts";
import { OPEN_LIST } from "./open-list.ts";

/** Lists that belong to whoever is signed in. */
const OWN_LIST = /^(?:WL|LL|LM|HL)$/;

/** @returns the list's canonical link, or why nobody else can open it */
export function listOfId(id: string): string | LinkRefusal {
  if (OPEN_LIST.test(id)) return `https://www.youtube.com/playlist?list=${id}`;
  if (OWN_LIST.test(id)) return refusal("private");
  return /^(?:RD|UL)[\w-]{0,98}$/.test(id) ? refusal("invalid_link", "mix") : refusal("invalid_link");
}
