/** Makes the tag at the beginning of an MP3: title, artist and cover, as ID3v2.3, which every player reads. */
import { readFile } from "node:fs/promises";
import NodeId3 from "node-id3";

const FRONT_COVER = { id: 3, name: "front cover" } as const;

export interface TagContent {
  readonly title: string;
  readonly artist?: string;
  /** Path of a JPEG. */
  readonly coverPath?: string;
}

/** @throws what reading the cover throws */
export async function id3Tag({ title, artist, coverPath }: TagContent): Promise<Buffer> {
  const image =
    coverPath === undefined
      ? undefined
      : { mime: "image/jpeg", type: FRONT_COVER, description: "Album cover", imageBuffer: await readFile(coverPath) };
  return NodeId3.create({ title, artist, image });
}
