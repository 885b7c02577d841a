/**
 * Ids of lists that everybody can open. Not those of whoever is signed in, and not mixes, which YouTube makes up for each
 * visitor; those of RDCLAK are lists of YouTube Music.
 */
export const OPEN_LIST = /^(?!(?:WL|LL|LM|HL)$|RD(?!CLAK)|UL)[\w-]{2,100}$/;
