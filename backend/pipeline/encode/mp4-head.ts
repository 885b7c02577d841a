/** What a file, an MP4 above all, says of itself while only its beginning is there. */
import type { GrowingFile } from "../fetch/growing-file.ts";
import { readLayout } from "../mp4/layout.ts";

/** With as much of it the format of all that is in a file is known, unless it begins with a longer index. */
export const HEAD_BYTES = 512 * 1_024;
/** The boxes before index and media are small. */
const FIRST_BYTES = 4_096;
/** Behind the index: the header of the box that follows. */
const NEXT_BYTES = 4_096;

/**
 * So many bytes have to be there for the index to be, and the box behind it to be known; 0 where the file does not
 * begin with one.
 */
async function indexEnd(file: GrowingFile): Promise<number> {
  await file.atLeast(FIRST_BYTES);
  const index = (await readLayout(file.path)).find(({ type }) => type === "moov" || type === "mdat");
  return index?.type === "moov" && Number.isFinite(index.end) ? index.end + NEXT_BYTES : 0;
}

/**
 * Resolves when a tool can tell from what is there what is in the file, be it an MP4 or not. Throws what its writer
 * failed with.
 */
export async function awaitHead(file: GrowingFile): Promise<void> {
  await file.atLeast(Math.max(HEAD_BYTES, await indexEnd(file)));
}

/**
 * Whether the index stands before the media, so that a tool can read the file from a pipe. A short file is complete
 * before anybody looks at it, also one whose index stands at its end.
 * @param file an MP4 whose beginning is there, see {@link awaitHead}
 */
export async function isIndexInFront(file: GrowingFile): Promise<boolean> {
  const first = (await readLayout(file.path)).find(({ type }) => type === "moov" || type === "mdat");
  return first?.type === "moov";
}

/**
 * Whether all of the media is named by the index in front; else it comes in fragments that each have their own. For a
 * file whose index is there.
 */
export async function isIndexedAsWhole(file: GrowingFile): Promise<boolean> {
  const types = (await readLayout(file.path)).map(({ type }) => type);
  return types.indexOf("mdat") > types.indexOf("moov") && !types.includes("moof");
}
