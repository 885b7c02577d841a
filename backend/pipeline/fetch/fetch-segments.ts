/** A rendition in segments, several at a time, put one behind the other. */
import { ConversionError } from "../../../common/errors.ts";
import type { GrowingFile } from "./growing-file.ts";
import { CONNECTIONS_PER_HOST, type MediaClient, type MediaResponse } from "./media-client.ts";
import { retry } from "./retry.ts";

/** A segment is held in memory until those before it are written; one of 10 seconds at 25 Mbit/s has 31 MB. */
const MAX_SEGMENT_BYTES = 64_000_000;
/** Segments fetched beyond the one that is written next. */
const MAX_AHEAD = CONNECTIONS_PER_HOST + 2;

export interface RemoteSegments {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** 0 to 1, of the bytes that are expected by what the segments so far come to; those under way count too. */
  readonly onFraction: (fraction: number) => void;
}

/** What the bytes of all segments come to, told from those that have begun to come. */
class SegmentBytes {
  readonly #count: number;
  readonly #sizes = new Map<string, number>();
  #statedBytes = 0;
  #receivedBytes = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Another attempt at a segment replaces what was stated before. */
  state(url: string, bytes: number): void {
    this.#statedBytes += bytes - (this.#sizes.get(url) ?? 0);
    this.#sizes.set(url, bytes);
  }

  add(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  get fraction(): number {
    const expectedBytes = (this.#statedBytes / this.#sizes.size) * this.#count;
    // Whole only once it is.
    return expectedBytes > 0 ? Math.min(0.999, this.#receivedBytes / expectedBytes) : 0;
  }
}

interface SegmentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly told: SegmentBytes;
  readonly onBytes: () => void;
}

/** Throws ConversionError when an answer to a request for all of a segment is something else. */
function checkWhole(response: MediaResponse): void {
  const range = response.header("content-range");
  if (response.status === 416) throw new ConversionError("unavailable", { detail: "an empty segment" });
  if (response.status === 206 && !isWholeRange(range)) throw new ConversionError("network", { detail: `a part of a segment: ${range}` });
}

/** Some servers answer every request with 206. */
function isWholeRange(range: string | undefined): boolean {
  const found = /^bytes 0-(\d+)\/(\d+)$/.exec(range ?? "");
  return found !== null && Number(found[1]) + 1 === Number(found[2]);
}

async function fetchSegment(client: MediaClient, { url, headers, told, onBytes }: SegmentRequest, signal: AbortSignal): Promise<Uint8Array[]> {
  return retry(async () => {
    using response = await client.get(url, headers, signal);
    checkWhole(response);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const stated = Number(response.header("content-length") ?? NaN);
    if (stated > 0) told.state(url, stated);
    try {
      for await (const chunk of response.body) {
        bytes += chunk.length;
        if (bytes > MAX_SEGMENT_BYTES) throw new ConversionError("too_large", { detail: `a segment of more than ${MAX_SEGMENT_BYTES} bytes` });
        chunks.push(chunk);
        told.add(chunk.length);
        onBytes();
      }
    } catch (error) {
      throw client.asFailure(error, signal);
    }
    told.state(url, bytes);
    const expected = Number.isNaN(stated) ? bytes : stated;
    if (bytes < expected) throw new ConversionError("network", { detail: `${bytes} of ${expected} bytes came` });
    return chunks;
  }, signal);
}

/** Fetches all of them into the file. Throws ConversionError and `signal.reason`. */
export async function fetchSegments(client: MediaClient, { urls, headers, onFraction }: RemoteSegments, file: GrowingFile, signal: AbortSignal): Promise<void> {
  const abort = new AbortController();
  const bounded = AbortSignal.any([signal, abort.signal]);
  const begun = new Map<number, Promise<Uint8Array[]>>();
  const told = new SegmentBytes(urls.length);
  const onBytes = (): void => onFraction(told.fraction);
  let next = 0;
  let running = 0;
  const begin = (written: number): void => {
    while (running < CONNECTIONS_PER_HOST && next < urls.length && next < written + MAX_AHEAD) {
      const url = urls[next] ?? "";
      running += 1;
      const segment = fetchSegment(client, { url, headers, told, onBytes }, bounded).finally(() => {
        running -= 1;
        begin(current);
      });
      // Awaited when its turn comes.
      segment.catch(() => undefined);
      begun.set(next, segment);
      next += 1;
    }
  };
  let current = 0;
  let position = 0;
  try {
    for (; current < urls.length; current += 1) {
      begin(current);
      const chunks = await begun.get(current);
      begun.delete(current);
      for (const chunk of chunks ?? []) {
        await file.write(chunk, position);
        position += chunk.length;
      }
    }
  } finally {
    abort.abort();
    await Promise.allSettled(begun.values());
  }
}
