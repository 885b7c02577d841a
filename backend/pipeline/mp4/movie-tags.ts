/**
 * Adds tags to the index of an MP4, in the boxes that Apple's players and all others read: "udta" holds "meta", which
 * holds the list "ilst" (QuickTime File Format, "Metadata"). Pure.
 */
import { boxesIn } from "./boxes.ts";
import { box } from "./write-box.ts";

/** Those that are absent or empty are not written. */
export interface MovieTags {
  readonly title?: string | undefined;
  readonly artist?: string | undefined;
  readonly album?: string | undefined;
  readonly albumArtist?: string | undefined;
  /** YYYY-MM-DD or YYYY. */
  readonly date?: string | undefined;
  readonly description?: string | undefined;
  readonly comment?: string | undefined;
  /** Such as "3/12": the third of twelve. */
  readonly track?: string | undefined;
  /** A JPEG. */
  readonly cover?: Buffer | undefined;
}

/** Types of the boxes with a text, as ffmpeg writes them. */
const TEXT_BOXES = {
  title: "©nam",
  artist: "©ART",
  album: "©alb",
  albumArtist: "aART",
  date: "©day",
  comment: "©cmt",
  description: "desc",
} as const;

/** What the content of a "data" box is. */
const KINDS = { numbers: 0, utf8: 1, jpeg: 13 } as const;

/** @returns a box of the list, whose value is in a box of its own, after its kind and the number of a country (0: any) */
function item(type: string, kind: number, value: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(kind);
  return box(type, box("data", head, value));
}

/** @param track such as "3/12" */
function trackItem(track: string): Buffer {
  const [number = 0, count = 0] = track.split("/").map(Number);
  const value = Buffer.alloc(8);
  value.writeUInt16BE(number, 2);
  value.writeUInt16BE(count, 4);
  return item("trkn", KINDS.numbers, value);
}

/** Says that the list after it has the form of Apple's players. */
function listHandler(): Buffer {
  const fields = Buffer.alloc(25);
  fields.write("mdirappl", 8, "latin1");
  return box("hdlr", fields);
}

function listOf({ track, cover, ...texts }: MovieTags): Buffer {
  const items = Object.entries(TEXT_BOXES).flatMap(([name, type]) => {
    const text = texts[name as keyof typeof TEXT_BOXES];
    return text === undefined || text === "" ? [] : [item(type, KINDS.utf8, Buffer.from(text))];
  });
  if (track !== undefined) items.push(trackItem(track));
  if (cover !== undefined) items.push(item("covr", KINDS.jpeg, cover));
  return box("ilst", ...items);
}

/**
 * @param moov an index without tags, with its header
 * @returns a longer index, whose media positions are still those of the given one
 */
export function withTags(moov: Buffer, tags: MovieTags): Buffer {
  const [index] = boxesIn(moov);
  const versionAndFlags = Buffer.alloc(4);
  const metadata = box("udta", box("meta", versionAndFlags, listHandler(), listOf(tags)));
  return box("moov", moov.subarray(index?.contentStart), metadata);
}
