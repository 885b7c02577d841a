import type { Rendition } from "../../pipeline/probe/info.ts";

/** @returns one progressive file with picture and sound, changed by `fields` */
export function testRendition(fields: Partial<Rendition> = {}): Rendition {
  return {
    id: "0",
    url: "https://cdn.example/0",
    delivery: "progressive",
    hasVideo: true,
    hasAudio: true,
    languagePreference: -1,
    httpHeaders: {},
    rawJson: new TextEncoder().encode("{}"),
    ...fields,
  };
}
