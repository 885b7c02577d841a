import type { Rendition } from "./info.ts";

/** @returns what is fetched for a rendition: itself, or the forms of the parts in which its site gives the video */
export const piecesOf = (rendition: Rendition): readonly Rendition[] => rendition.parts ?? [rendition];
