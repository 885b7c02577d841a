/** Checks responses to range requests (RFC 9110, section 14). */
import { ConversionError } from "../../../common/errors.ts";
import type { MediaResponse } from "./media-client.ts";

/** Facts about the file from a response. With `isPart` the server sends the requested range, else the whole file. */
export type RangeInfo = (
  | { readonly isPart: true; readonly totalBytes: number }
  | { readonly isPart: false; readonly totalBytes: number | undefined }
) & {
  /** As {@link validatorOf}. */
  readonly validator: string;
};

/** @returns ETag or modification date, which tell versions of a file apart; "" when the server sends neither */
export function validatorOf(response: MediaResponse): string {
  return response.header("etag") ?? response.header("last-modified") ?? "";
}

/**
 * Reads the headers of a response to a request for the bytes from `start` on.
 * @throws ConversionError "network" for another range than requested, "unavailable" for an empty file
 */
export function readRangeInfo(response: MediaResponse, start: number): RangeInfo {
  const validator = validatorOf(response);
  if (response.status === 206) {
    const contentRange = response.header("content-range");
    const totalBytes = readTotalBytes(contentRange, start);
    if (totalBytes === undefined)
      throw new ConversionError("network", { detail: `a response for another range: ${contentRange}` });
    return { totalBytes, isPart: true, validator };
  }
  if (response.status === 416) throw new ConversionError("unavailable", { detail: "an empty file" });
  const length = Number(response.header("content-length") ?? NaN);
  return { totalBytes: Number.isSafeInteger(length) ? length : undefined, isPart: false, validator };
}

function readTotalBytes(contentRange: string | undefined, start: number): number | undefined {
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange ?? "");
  return found && Number(found[1]) === start ? Number(found[3]) : undefined;
}

/** Yields at most `maxBytes` of a body, and stops reading when the server sends more. */
export async function* limitBytes(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let remainingBytes = maxBytes;
  for await (const chunk of body) {
    const beforeBytes = remainingBytes;
    // Before `yield`, because the reader may free the chunk.
    remainingBytes -= chunk.length;
    if (beforeBytes > 0) yield chunk.subarray(0, beforeBytes);
    // Read on until there is more than requested: a connection can be used again only when its body has ended.
    if (remainingBytes < 0) return;
  }
}
