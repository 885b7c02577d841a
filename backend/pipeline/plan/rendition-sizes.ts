/** Sizes of renditions before they are fetched. Pure. */
import type { Rendition } from "../probe/info.ts";

/** @returns size as the site states it, else computed from the bit rate; undefined when both are unknown */
export function estimateBytes(rendition: Rendition, durationSeconds: number | undefined): number | undefined {
  if (rendition.sizeBytes !== undefined) return rendition.sizeBytes;
  if (rendition.bitrateKbps === undefined || durationSeconds === undefined) return undefined;
  return (rendition.bitrateKbps * 1_000 * durationSeconds) / 8;
}

/** @returns size of all together; undefined when one is unknown */
export function sumBytes(renditions: readonly Rendition[], durationSeconds: number | undefined): number | undefined {
  let sum = 0;
  for (const rendition of renditions) {
    const bytes = estimateBytes(rendition, durationSeconds);
    if (bytes === undefined) return undefined;
    sum += bytes;
  }
  return sum;
}
