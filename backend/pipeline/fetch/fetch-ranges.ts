/** One large file over several connections, by ranges where its server has them. */
import { ConversionError } from "../../../common/errors.ts";
import type { GrowingFile } from "./growing-file.ts";
import { findMediaBeforeIndex, indexForFront, type MediaSpan } from "./index-first.ts";
import { CONNECTIONS_PER_HOST, type MediaClient, type MediaResponse } from "./media-client.ts";
import { retry } from "./retry.ts";

/** Small enough that the beginning is soon whole, large enough that asking costs little beside it on a far line. */
export const RANGE_BYTES = 2_000_000;

/**
 * What comes before its turn is kept in memory until what lies before it has come. Two rounds of ranges, so that a
 * connection that is slow for a while does not hold up the others.
 */
export const MAX_AHEAD_BYTES = 2 * CONNECTIONS_PER_HOST * RANGE_BYTES;

/** With as much it is known whether an MP4 has its index in front: what precedes either is small. */
const HEAD_BYTES = 4_096;

export interface RemoteMedia {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Larger is not fetched. */
  readonly maxBytes: number;
  /** Throws the error of a file that is too large. */
  readonly tooLarge: (bytes: number) => ConversionError;
  /** Bytes so far and, once known, of all. */
  readonly onBytes: (bytes: number, totalBytes: number | undefined) => void;
}

/** What an answer says of the file and of itself. */
interface Part {
  readonly totalBytes: number | undefined;
  readonly isPart: boolean;
  readonly validator: string;
}

function readContentRange(value: string | undefined, start: number): number | undefined {
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(value ?? "");
  return found && Number(found[1]) === start ? Number(found[3]) : undefined;
}

/** Throws ConversionError when it is no answer to a question for bytes from `start` on. */
function readPart(answer: MediaResponse, start: number): Part {
  const validator = answer.header("etag") ?? answer.header("last-modified") ?? "";
  if (answer.status === 206) {
    const totalBytes = readContentRange(answer.header("content-range"), start);
    if (totalBytes === undefined) throw new ConversionError("network", { detail: `an answer for another range: ${answer.header("content-range")}` });
    return { totalBytes, isPart: true, validator };
  }
  if (answer.status === 416) throw new ConversionError("unavailable", { detail: "an empty file" });
  const length = Number(answer.header("content-length") ?? NaN);
  return { totalBytes: Number.isSafeInteger(length) ? length : undefined, isPart: false, validator };
}

/** What was asked for, of a server that may send more; then it is not heard any further. */
async function* atMost(body: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of body) {
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.length;
    // Not before there is more: a connection that has ended of itself can be used again.
    if (left < 0) return;
  }
}

/** Where the bytes of the remote file go in ours, when its index is moved to the front. */
interface Moved {
  readonly media: MediaSpan;
  readonly index: Buffer;
}

/**
 * Fetches all of it into the file; of an MP4 with its index at the end, the index first and to the front.
 * Throws ConversionError and `signal.reason`.
 */
export async function fetchRanges(client: MediaClient, media: RemoteMedia, file: GrowingFile, signal: AbortSignal): Promise<void> {
  let url = media.url;
  let totalBytes: number | undefined;
  let validator: string | undefined;

  const ask = (start: number, end: number): Promise<MediaResponse> => client.get(url, { ...media.headers, range: `bytes=${start}-${end}` }, signal);
  const hasChanged = (): ConversionError => new ConversionError("network", { detail: "the file has changed while it was fetched" });

  const checkSame = (part: Part): void => {
    if (!part.isPart || part.totalBytes !== totalBytes || part.validator !== validator) throw hasChanged();
  };

  let moved: Moved | undefined;
  /** Media goes behind the index that was moved; what followed the media is not wanted again. */
  const write = async (bytes: Buffer, position: number): Promise<void> => {
    if (!moved) return file.write(bytes, position);
    const { media, index } = moved;
    const [head, body] = [bytes.subarray(0, Math.max(0, media.start - position)), bytes.subarray(Math.max(0, media.start - position), Math.max(0, media.end - position))];
    if (head.length > 0) await file.write(head, position);
    if (body.length > 0) await file.write(body, Math.max(position, media.start) + index.length);
  };

  const store = async (answer: MediaResponse, start: number, expectedBytes: number | undefined, made: (bytes: number) => void): Promise<void> => {
    let position = start;
    try {
      for await (const chunk of atMost(answer.body, expectedBytes ?? Infinity)) {
        await write(chunk, position);
        position += chunk.length;
        made(chunk.length);
        media.onBytes(file.receivedBytes, totalBytes);
      }
    } catch (error) {
      throw client.asFailure(error, signal);
    }
    if (expectedBytes !== undefined && position - start < expectedBytes)
      throw new ConversionError("network", { detail: `${position - start} of ${expectedBytes} bytes came` });
  };

  /** From a position to the end of the file, into memory. */
  const rest = async (start: number): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let position = start;
    const end = (totalBytes ?? 0) - 1;
    if (start <= end)
      await retry(async (made) => {
        using answer = await ask(position, end);
        checkSame(readPart(answer, position));
        try {
          for await (const chunk of atMost(answer.body, end + 1 - position)) {
            chunks.push(chunk);
            position += chunk.length;
            made(chunk.length);
          }
        } catch (error) {
          throw client.asFailure(error, signal);
        }
        if (position <= end) throw new ConversionError("network", { detail: `${position} of ${end + 1} bytes came` });
      }, signal);
    return Buffer.concat(chunks);
  };

  /** Reads all of an answer into memory, or until `wants` says that it is not wanted there; then the rest goes into the file as it comes. */
  const hold = async (answer: MediaResponse, expectedBytes: number, wants: (head: Buffer) => boolean): Promise<Buffer | undefined> => {
    let held: Buffer[] | undefined = [];
    let [bytes, isWanted] = [0, false];
    try {
      for await (const chunk of atMost(answer.body, expectedBytes)) {
        if (held) {
          held.push(chunk);
          isWanted ||= bytes + chunk.length >= HEAD_BYTES && wants(Buffer.concat(held));
          if (!isWanted && bytes + chunk.length >= Math.min(HEAD_BYTES, expectedBytes)) {
            await write(Buffer.concat(held), 0);
            held = undefined;
          }
        } else await write(chunk, bytes);
        bytes += chunk.length;
        media.onBytes(file.receivedBytes, totalBytes);
      }
    } catch (error) {
      throw client.asFailure(error, signal);
    }
    if (bytes < expectedBytes) throw new ConversionError("network", { detail: `${bytes} of ${expectedBytes} bytes came` });
    return held && Buffer.concat(held);
  };

  /** False: the server sends everything at once, and has done so. */
  const first = async (): Promise<boolean> => {
    let found: MediaSpan | undefined;
    let held: Buffer | undefined;
    let isPart = false;
    // Begins anew each time, so what an attempt got is no progress.
    await retry(async () => {
      using answer = await ask(0, RANGE_BYTES - 1);
      const part = readPart(answer, 0);
      if (validator !== undefined && validator !== part.validator) throw hasChanged();
      ({ totalBytes, validator } = part);
      ({ url } = answer);
      ({ isPart } = part);
      if (totalBytes !== undefined && totalBytes > media.maxBytes) throw media.tooLarge(totalBytes);
      file.expectedBytes = totalBytes;
      if (totalBytes === undefined || !isPart) return await store(answer, 0, totalBytes, () => undefined);
      const allBytes = totalBytes;
      held = await hold(answer, Math.min(RANGE_BYTES, allBytes), (head) => (found = findMediaBeforeIndex(head, allBytes)) !== undefined);
    }, signal);
    if (!held || !found) return isPart;
    // Only now that the first request is over: who holds one turn and waits for another could wait for ever.
    const tail = [held.subarray(found.end), await rest(Math.max(held.length, found.end))];
    const index = indexForFront(Buffer.concat(tail), found);
    if (index) moved = { media: found, index };
    await write(held, 0);
    if (index) await file.write(index, found.start);
    return true;
  };

  const range = async (start: number, end: number): Promise<void> => {
    let position = start;
    await retry(async (made) => {
      using answer = await ask(position, end);
      checkSame(readPart(answer, position));
      await store(answer, position, end - position + 1, (bytes) => {
        position += bytes;
        made(bytes);
      });
    }, signal);
  };

  if (!(await first()) || totalBytes === undefined) return;
  const last = (moved?.media.end ?? totalBytes) - 1;
  const shiftBytes = moved?.index.length ?? 0;
  let next = RANGE_BYTES;
  const work = async (): Promise<void> => {
    while (next <= last) {
      const start = next;
      next += RANGE_BYTES;
      // Before anything is asked for, so that who waits here holds no turn. Ranges are taken in order: of the first that is
      // missing on disk, all that lies before it has come.
      // oxlint-disable-next-line no-await-in-loop -- as below
      await file.atLeast(start + shiftBytes - MAX_AHEAD_BYTES);
      // oxlint-disable-next-line no-await-in-loop -- one connection's ranges come one after the other
      await range(start, Math.min(last, start + RANGE_BYTES - 1));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS_PER_HOST }, work));
}
