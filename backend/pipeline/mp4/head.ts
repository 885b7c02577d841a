/** What an MP4 says of itself while only its beginning is there. */
import type { GrowingFile } from "../fetch/growing-file.ts";
import { readLayout } from "./layout.ts";

/** The boxes before index and media are small. */
const FIRST_BYTES = 4_096;
/** Behind the index: the header of the box that follows. */
const NEXT_BYTES = 4_096;

/** So many bytes have to be there for the index to be, and the box behind it to be known; 0 where the file does not begin with one. */
export async function indexEnd(file: GrowingFile): Promise<number> {
  await file.atLeast(FIRST_BYTES);
  const index = (await readLayout(file.path)).find(({ type }) => type === "moov" || type === "mdat");
  return index?.type === "moov" && Number.isFinite(index.end) ? index.end + NEXT_BYTES : 0;
}

/** Whether all of the media is named by the index in front; else it comes in fragments that each have their own. For a file whose index is there. */
export async function isIndexedAsWhole(file: GrowingFile): Promise<boolean> {
  const types = (await readLayout(file.path)).map(({ type }) => type);
  return types.indexOf("mdat") > types.indexOf("moov") && !types.includes("moof");
}
