/** Waits for the beginning of a file that is still being fetched, and reads the first boxes of an MP4. */
import type { GrowingFile } from "../fetch/growing-file.ts";
import { readLayout } from "../mp4/layout.ts";
import type { MediaFile } from "../probe/media-file.ts";

/** In these first bytes ffprobe finds the format of all streams, unless an MP4 has a longer index in front. */
export const HEAD_BYTES = 512 * 1_024;
/** The boxes before index and media of an MP4 fit into these first bytes. */
const FIRST_BOXES_BYTES = 4_096;
/** Bytes after the index that are needed to read the header of the box that follows it. */
const NEXT_BOX_BYTES = 4_096;

/** Whether a file is an MP4 or a close relative of it (MOV, M4A, 3GP). */
export function isMp4({ container }: Pick<MediaFile, "container">): boolean {
  return container.startsWith("mov,");
}

/** @returns which box comes first, the index (`moov`) or the media (`mdat`), and its end */
async function readFirstBox(file: GrowingFile): Promise<{ type: string; end: number } | undefined> {
  return (await readLayout(file.path)).find(({ type }) => type === "moov" || type === "mdat");
}

/** @returns bytes needed to read an index in front and the header of the box after it; 0 without such an index */
async function bytesWithIndex(file: GrowingFile): Promise<number> {
  await file.atLeast(FIRST_BOXES_BYTES);
  const first = await readFirstBox(file);
  return first?.type === "moov" && Number.isFinite(first.end) ? first.end + NEXT_BOX_BYTES : 0;
}

/**
 * Resolves when enough of the file is on disk for ffprobe to inspect it, whether it is an MP4 or not.
 * @throws the error of the file's writer
 */
export async function awaitHead(file: GrowingFile): Promise<void> {
  await file.atLeast(Math.max(HEAD_BYTES, await bytesWithIndex(file)));
}

/**
 * Whether the index is in front of the media, so that a tool can read the file from a pipe. A short file is
 * complete when {@link awaitHead} resolves, even if its index is at its end.
 * @param file an MP4 for which {@link awaitHead} has resolved
 */
export async function isIndexInFront(file: GrowingFile): Promise<boolean> {
  const first = await readFirstBox(file);
  return first?.type === "moov";
}

/**
 * Whether the index in front covers all media. Otherwise the file is fragmented, and each fragment has its own index.
 * @param file an MP4 for which {@link awaitHead} has resolved
 */
export async function isIndexedAsWhole(file: GrowingFile): Promise<boolean> {
  const types = (await readLayout(file.path)).map(({ type }) => type);
  return types.indexOf("mdat") > types.indexOf("moov") && !types.includes("moof");
}
