/** Ids of lists at YouTube. */
import { refusal, type LinkRefusal } from "./link.ts";

const LIST_ID = /^[\w-]{2,100}$/;
/** Lists that belong to whoever is signed in. */
const OWN_LIST = /^(?:WL|LL|LM|HL)$/;
/** Mixes, which YouTube makes up for each visitor. Those of RDCLAK are lists of YouTube Music. */
const MIX = /^(?:RD(?!CLAK)|UL)/;

/** @returns the list's canonical link, or why nobody else can open it */
export function listOfId(id: string): string | LinkRefusal {
  if (OWN_LIST.test(id)) return refusal("private");
  if (!LIST_ID.test(id)) return refusal("invalid_link");
  if (MIX.test(id)) return refusal("invalid_link", "mix");
  return `https://www.youtube.com/playlist?list=${id}`;
}
