/** Fetches the beginning of a rendition in segments, without the rest of its first segment. */
import { writeFile } from "../../tool-files/tool-files.ts";
import type { Rendition } from "../probe/info.ts";
import type { MediaClient } from "./media-client.ts";
import { limitBytes } from "./range-response.ts";
import { retry } from "./retry.ts";

/** Enough for the index of a fragment and its first frame. Sound may come after a key frame, which takes more. */
const BEGINNING_BYTES = { oneTrack: 128 * 1_024, twoTracks: 512 * 1_024 } as const;

/** @returns how much of the first segment shows when each track begins */
export function beginningBytesOf({ hasVideo, hasAudio }: Pick<Rendition, "hasVideo" | "hasAudio">): number {
  return hasVideo && hasAudio ? BEGINNING_BYTES.twoTracks : BEGINNING_BYTES.oneTrack;
}

/**
 * Writes the initialisation section, if there is one, and the first bytes of the first segment to `path`.
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function fetchBeginning(
  client: MediaClient,
  urls: readonly string[],
  rendition: Rendition,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const maxBytes = beginningBytesOf(rendition);
  const headers = { ...rendition.httpHeaders, range: `bytes=0-${maxBytes - 1}` };
  const fetchOne = async (url: string): Promise<Buffer> => {
    using response = await client.get(url, headers, signal);
    const chunks: Buffer[] = [];
    try {
      // A server that ignores the range sends more.
      for await (const chunk of limitBytes(response.body, maxBytes)) chunks.push(chunk);
    } catch (error) {
      throw client.translateError(error, signal);
    }
    return Buffer.concat(chunks);
  };
  const parts: Buffer[] = [];
  for (const url of urls) parts.push(await retry(() => fetchOne(url), client.pauses, signal));
  await writeFile(path, Buffer.concat(parts));
}
