/** A rendition in segments, several at a time, put one behind the other. */
import { ConversionError } from "../../../common/errors.ts";
import type { GrowingFile } from "./growing-file.ts";
import { CONNECTIONS_PER_HOST, persist, type MediaClient } from "./http-pieces.ts";

/** A segment is held in memory until those before it are written; one of 10 seconds at 25 Mbit/s has 31 MB. */
const MAX_SEGMENT_BYTES = 64_000_000;
/** Segments fetched beyond the one that is written next. */
const MAX_AHEAD = CONNECTIONS_PER_HOST + 2;

export interface RemoteSegments {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly onSegments: (count: number) => void;
}

async function fetchSegment(client: MediaClient, url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Uint8Array[]> {
  return persist(async () => {
    using response = await client.get(url, headers, signal);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of response.body) {
        bytes += chunk.length;
        if (bytes > MAX_SEGMENT_BYTES) throw new ConversionError("too_large", { detail: `a segment of more than ${MAX_SEGMENT_BYTES} bytes` });
        chunks.push(chunk);
      }
    } catch (error) {
      throw client.asFailure(error, signal);
    }
    const expected = Number(response.header("content-length") ?? bytes);
    if (bytes < expected) throw new ConversionError("network", { detail: `${bytes} of ${expected} bytes came` });
    return chunks;
  }, signal);
}

/** Fetches all of them into the file. Throws ConversionError and `signal.reason`. */
export async function fetchSegments(client: MediaClient, { urls, headers, onSegments }: RemoteSegments, file: GrowingFile, signal: AbortSignal): Promise<void> {
  const abort = new AbortController();
  const bounded = AbortSignal.any([signal, abort.signal]);
  const begun = new Map<number, Promise<Uint8Array[]>>();
  let next = 0;
  let running = 0;
  const begin = (written: number): void => {
    while (running < CONNECTIONS_PER_HOST && next < urls.length && next < written + MAX_AHEAD) {
      const url = urls[next] ?? "";
      running += 1;
      const segment = fetchSegment(client, url, headers, bounded).finally(() => {
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
      onSegments(current + 1);
    }
  } finally {
    abort.abort();
    await Promise.allSettled(begun.values());
  }
}
