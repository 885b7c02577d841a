/** Makes the tag at the beginning of an MP3, as ID3v2.3, which every player reads. */
import NodeId3 from "node-id3";
import { openToChange, readFile } from "../../tool-files/tool-files.ts";
import type { Chapter } from "../probe/chapters.ts";
import type { FileTags } from "./encode.ts";
import { MAX_COVER_BYTES } from "./picture.ts";

const FRONT_COVER = { id: 3, name: "front cover" } as const;
/** ISO 639-2 for a text in an unknown language. */
const UNKNOWN_LANGUAGE = "und";

export interface TagContent extends FileTags {
  /** On the time line of the file; at most 255. */
  readonly chapters?: readonly Chapter[] | undefined;
  /** Path of a JPEG. */
  readonly coverPath?: string;
}

/** ID3v2.3 has the year, and day and month, in two frames. @param date YYYY-MM-DD or YYYY */
function dateFrames(date: string | undefined): { year?: string; date?: string } {
  const [year, month, day] = date?.split("-") ?? [];
  return month === undefined || day === undefined ? { year } : { year, date: `${day}${month}` };
}

/** One frame for each chapter, and a table of contents that has them in this order (ID3v2 Chapter Frame Addendum 1.0). */
function chapterFrames(chapters: readonly Chapter[]): Pick<NodeId3.Tags, "chapter" | "tableOfContents"> {
  if (chapters.length === 0) return {};
  const chapter = chapters.map(({ title, startSeconds, endSeconds }, index) => ({
    elementID: `chp${index}`,
    startTimeMs: Math.round(startSeconds * 1_000),
    endTimeMs: Math.round(endSeconds * 1_000),
    tags: { title },
  }));
  const elements = chapter.map(({ elementID }) => elementID);
  return { chapter, tableOfContents: [{ elementID: "toc", isOrdered: true, elements }] };
}

/** @throws what reading the cover throws */
export async function id3Tag(content: TagContent): Promise<Buffer> {
  const { title, artist, album, albumArtist, track, date, description, link, chapters = [], coverPath } = content;
  const image = coverPath !== undefined && {
    mime: "image/jpeg",
    type: FRONT_COVER,
    description: "Album cover",
    imageBuffer: await readFile(coverPath, MAX_COVER_BYTES),
  };
  // The library fails for frames of lists that are present and undefined.
  return NodeId3.create({
    title,
    artist,
    album,
    // TPE2, which players take for the artist of the album.
    ...(albumArtist !== undefined && { performerInfo: albumArtist }),
    ...(track !== undefined && { trackNumber: track }),
    ...dateFrames(date),
    ...(link !== undefined && { comment: { language: UNKNOWN_LANGUAGE, text: link } }),
    // The format has no frame for a description; ffmpeg uses the same one.
    ...(description !== undefined && { userDefinedText: [{ description: "description", value: description }] }),
    ...(image && { image }),
    ...chapterFrames(chapters),
  });
}

/** Identifier, version, flags, and the size of all that follows in four groups of seven bits. */
const HEADER_BYTES = 10;

/**
 * Writes the tag over the one at the beginning of a file, which must have room for it. ffmpeg leaves that room, so that
 * its own tag, which has no comment as players know it, is not needed.
 * @throws RangeError when the file has no such room
 */
export async function overwriteTag(path: string, tag: Buffer): Promise<void> {
  await using file = await openToChange(path);
  const header = Buffer.alloc(HEADER_BYTES);
  await file.read(header, 0, HEADER_BYTES, 0);
  const size = header.subarray(6).reduce((sum, group) => sum * 128 + group, 0);
  const isTag = header.toString("latin1", 0, 3) === "ID3";
  if (!isTag || tag.length > HEADER_BYTES + size) throw new RangeError(`${path} has no room for a tag`);
  // Zeros after the last frame are padding.
  const padded = Buffer.alloc(HEADER_BYTES + size);
  tag.copy(padded);
  header.copy(padded, 6, 6);
  await file.write(padded, 0, padded.length, 0);
}
