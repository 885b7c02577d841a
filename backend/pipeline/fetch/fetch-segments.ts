/** Fetches a rendition that comes in segments, several at a time, into one file. */
import { ConversionError } from "../../../common/errors.ts";
import type { GrowingFile } from "./growing-file.ts";
import { CONNECTIONS_PER_HOST, type MediaClient, type MediaResponse } from "./media-client.ts";
import { retry } from "./retry.ts";

/** A segment stays in memory until those before it are written. One of 10 seconds at 25 Mbit/s has 31 MB. */
const MAX_SEGMENT_BYTES = 64_000_000;
/** Segments in memory or under way at a time. */
const MAX_AHEAD = CONNECTIONS_PER_HOST + 2;

export interface RemoteSegments {
  /** In order; the first may be the initialisation section. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Called with 0 to 1: the received share of the estimated size. */
  readonly onFraction: (fraction: number) => void;
}

/**
 * Fetches all segments and writes them one after the other into `file`.
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function fetchSegments(
  client: MediaClient,
  segments: RemoteSegments,
  file: GrowingFile,
  signal: AbortSignal,
): Promise<void> {
  const abort = new AbortController();
  const download = new SegmentDownload(client, segments, AbortSignal.any([signal, abort.signal]));
  try {
    await download.writeTo(file);
  } finally {
    abort.abort();
    await download.settle();
  }
}

/** Estimates the size of all segments from those that have begun to arrive. */
class SizeEstimate {
  readonly #count: number;
  readonly #sizes = new Map<string, number>();
  #knownBytes = 0;
  #receivedBytes = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Sets the size of one segment; a retry may set it again. */
  setSize(url: string, bytes: number): void {
    this.#knownBytes += bytes - (this.#sizes.get(url) ?? 0);
    this.#sizes.set(url, bytes);
  }

  addReceived(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  /** 0 to 0.999: the estimate may be too low, and only the end of the download is 1. */
  get fraction(): number {
    const expectedBytes = (this.#knownBytes / this.#sizes.size) * this.#count;
    return expectedBytes > 0 ? Math.min(0.999, this.#receivedBytes / expectedBytes) : 0;
  }
}

class SegmentDownload {
  readonly #client: MediaClient;
  readonly #segments: RemoteSegments;
  readonly #signal: AbortSignal;
  readonly #estimate: SizeEstimate;
  /** Segments under way or in memory, by position. */
  readonly #started = new Map<number, Promise<Uint8Array[]>>();
  /** The segment to start next. */
  #next = 0;
  /** The segment to write next. */
  #current = 0;
  #runningCount = 0;

  constructor(client: MediaClient, segments: RemoteSegments, signal: AbortSignal) {
    this.#client = client;
    this.#segments = segments;
    this.#signal = signal;
    this.#estimate = new SizeEstimate(segments.urls.length);
  }

  async writeTo(file: GrowingFile): Promise<void> {
    let position = 0;
    for (; this.#current < this.#segments.urls.length; this.#current += 1) {
      this.#startMore();
      const chunks = await this.#started.get(this.#current);
      this.#started.delete(this.#current);
      for (const chunk of chunks ?? []) {
        await file.write(chunk, position);
        position += chunk.length;
      }
    }
  }

  /** Waits until no request is under way. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#started.values());
  }

  #startMore(): void {
    const { urls } = this.#segments;
    while (
      this.#runningCount < CONNECTIONS_PER_HOST &&
      this.#next < urls.length &&
      this.#next < this.#current + MAX_AHEAD
    ) {
      this.#start(this.#next, urls[this.#next] ?? "");
      this.#next += 1;
    }
  }

  #start(position: number, url: string): void {
    this.#runningCount += 1;
    const segment = retry(() => this.#fetch(url), this.#client.pauses, this.#signal).finally(() => {
      this.#runningCount -= 1;
      this.#startMore();
    });
    // `writeTo` awaits the segment, but perhaps after it has failed.
    segment.catch(() => undefined);
    this.#started.set(position, segment);
  }

  async #fetch(url: string): Promise<Uint8Array[]> {
    using response = await this.#client.get(url, this.#segments.headers, this.#signal);
    checkWholeSegment(response);
    const statedBytes = Number(response.header("content-length") ?? NaN);
    if (statedBytes > 0) this.#estimate.setSize(url, statedBytes);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of response.body) {
        bytes += chunk.length;
        if (bytes > MAX_SEGMENT_BYTES)
          throw new ConversionError("too_large", { detail: `a segment of more than ${MAX_SEGMENT_BYTES} bytes` });
        chunks.push(chunk);
        this.#estimate.addReceived(chunk.length);
        this.#segments.onFraction(this.#estimate.fraction);
      }
    } catch (error) {
      throw this.#client.translateError(error, this.#signal);
    }
    this.#estimate.setSize(url, bytes);
    if (bytes < statedBytes)
      throw new ConversionError("network", { detail: `${bytes} of ${statedBytes} bytes were received` });
    return chunks;
  }
}

/** @throws ConversionError when a response to a request without range is not the whole segment */
function checkWholeSegment(response: MediaResponse): void {
  const range = response.header("content-range");
  if (response.status === 416) throw new ConversionError("unavailable", { detail: "an empty segment" });
  if (response.status === 206 && !isWholeRange(range))
    throw new ConversionError("network", { detail: `a part of a segment: ${range}` });
}

/** Some servers answer every request with 206. */
function isWholeRange(range: string | undefined): boolean {
  const found = /^bytes 0-(\d+)\/(\d+)$/.exec(range ?? "");
  return found !== null && Number(found[1]) + 1 === Number(found[2]);
}
