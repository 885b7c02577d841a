/** The tag at the beginning of an MP3: title, artist and cover, in the version that every player reads (ID3v2.3). */
import { readFile } from "node:fs/promises";
import NodeId3 from "node-id3";

const FRONT_COVER = { id: 3, name: "front cover" } as const;

export interface TagContent {
  readonly title: string;
  readonly artist?: string;
  /** A JPEG. */
  readonly coverPath?: string;
}

export async function id3Tag({ title, artist, coverPath }: TagContent): Promise<Buffer> {
  const image =
    coverPath === undefined
      ? undefined
      : { mime: "image/jpeg", type: FRONT_COVER, description: "Album cover", imageBuffer: await readFile(coverPath) };
  return NodeId3.create({ title, ...(artist === undefined ? {} : { artist }), ...(image ? { image } : {}) });
}
