/**
 * Fetches a rendition that comes in segments, several at a time, into one file. Bytes go there as they arrive, if the
 * servers have stated the sizes of all segments before. Kept until a segment is complete, they would outlive the young
 * generation of the collector, whose work was a quarter of all CPU time of this process then.
 */
import { ConversionError } from "../../../common/errors.ts";
import { freeChunk } from "./free-chunk.ts";
import type { GrowingFile } from "./growing-file.ts";
import { CONNECTIONS_PER_HOST, type MediaClient, type MediaResponse } from "./media-client.ts";
import { validatorOf } from "./range-response.ts";
import { retry } from "./retry.ts";

/** A segment stays in memory until those before it are written. One of 10 seconds at 25 Mbit/s has 31 MB. */
const MAX_SEGMENT_BYTES = 64_000_000;
/** Segments in memory or under way at a time. */
const MAX_AHEAD = CONNECTIONS_PER_HOST + 2;

export interface RemoteSegments {
  /** In order; some may be initialisation sections, and one may be there several times. */
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
  const download = new SegmentDownload(client, segments, file, AbortSignal.any([signal, abort.signal]));
  try {
    await download.run();
  } finally {
    abort.abort();
    await download.settle();
  }
}

/** Estimates the size of all segments from those that have begun to arrive. */
class SizeEstimate {
  readonly #count: number;
  /** By position. */
  readonly #sizes = new Map<number, number>();
  #knownBytes = 0;
  #receivedBytes = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Sets the size of one segment; a retry may set it again. */
  setSize(position: number, bytes: number): void {
    this.#knownBytes += bytes - (this.#sizes.get(position) ?? 0);
    this.#sizes.set(position, bytes);
  }

  addReceived(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  /** Of all segments; NaN while none has begun. */
  get bytes(): number {
    return (this.#knownBytes / this.#sizes.size) * this.#count;
  }

  /** 0 to 0.999: the estimate may be too low, and only the end of the download is 1. */
  get fraction(): number {
    return this.bytes > 0 ? Math.min(0.999, this.#receivedBytes / this.bytes) : 0;
  }
}

/** Where segments begin in the file. */
class Places {
  readonly #sizes: (number | undefined)[] = [];
  /** As far as the sizes of all segments before are known. */
  readonly #starts = [0];

  startOf(position: number): number | undefined {
    return this.#starts[position];
  }

  sizeOf(position: number): number | undefined {
    return this.#sizes[position];
  }

  /** @returns false when another size was set before: places of later segments depend on it */
  setSize(position: number, bytes: number): boolean {
    const known = this.#sizes[position];
    if (known !== undefined) return known === bytes;
    this.#sizes[position] = bytes;
    for (let next = this.#starts.length; ; next += 1) {
      const [start, size] = [this.#starts[next - 1], this.#sizes[next - 1]];
      if (start === undefined || size === undefined) return true;
      this.#starts.push(start + size);
    }
  }
}

interface Segment {
  /** Counted from 0. */
  readonly position: number;
  readonly url: string;
  /** Bytes in the file; the next attempt does not write them again. */
  writtenBytes: number;
  /** Identifies the version that they are of. */
  validator: string | undefined;
}

class SegmentDownload {
  readonly #client: MediaClient;
  readonly #segments: RemoteSegments;
  readonly #file: GrowingFile;
  readonly #signal: AbortSignal;
  readonly #estimate: SizeEstimate;
  readonly #places = new Places();
  #writeFailure: { readonly error: unknown } | undefined;
  /** Segments under way or in memory, by position. Each resolves with the bytes that are not in the file yet. */
  readonly #started = new Map<number, Promise<Uint8Array[]>>();
  /** The segment to start next. */
  #next = 0;
  /** The segment to write next. */
  #current = 0;
  #runningCount = 0;

  constructor(client: MediaClient, segments: RemoteSegments, file: GrowingFile, signal: AbortSignal) {
    this.#client = client;
    this.#segments = segments;
    this.#file = file;
    this.#signal = signal;
    this.#estimate = new SizeEstimate(segments.urls.length);
  }

  async run(): Promise<void> {
    for (; this.#current < this.#segments.urls.length; this.#current += 1) {
      this.#startMore();
      const chunks = await this.#started.get(this.#current);
      this.#started.delete(this.#current);
      let position = this.#places.startOf(this.#current) ?? 0;
      for (const chunk of chunks ?? []) {
        await this.#file.write(chunk, position);
        position += freeChunk(chunk);
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
    const one: Segment = { position, url, writtenBytes: 0, validator: undefined };
    const segment = retry(() => this.#fetch(one), this.#client.pauses, this.#signal).finally(() => {
      this.#runningCount -= 1;
      this.#startMore();
    });
    // `run` awaits the segment, but perhaps after it has failed.
    segment.catch(() => undefined);
    this.#started.set(position, segment);
  }

  /** @returns the bytes that could not be written yet, because it is not known where the segment begins */
  async #fetch(segment: Segment): Promise<Uint8Array[]> {
    const { url, position } = segment;
    using response = await this.#client.get(url, this.#segments.headers, this.#signal);
    checkWholeSegment(response);
    const statedBytes = Number(response.header("content-length") ?? NaN);
    if (statedBytes > 0) this.#learnSize(position, statedBytes);
    const start = this.#startFor(segment, response, statedBytes);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of response.body) {
        const from = bytes;
        const chunkBytes = chunk.length;
        bytes += chunkBytes;
        if (bytes > MAX_SEGMENT_BYTES)
          throw new ConversionError("too_large", { detail: `a segment of more than ${MAX_SEGMENT_BYTES} bytes` });
        if (start === undefined) chunks.push(chunk);
        else {
          await this.#write(segment, chunk, { start, from });
          freeChunk(chunk);
        }
        this.#estimate.addReceived(chunkBytes);
        this.#segments.onFraction(this.#estimate.fraction);
      }
    } catch (error) {
      // One of the disk is not one of the network.
      if (this.#writeFailure) throw this.#writeFailure.error;
      throw this.#client.translateError(error, this.#signal);
    }
    this.#learnSize(position, bytes);
    if (bytes < statedBytes)
      throw new ConversionError("network", { detail: `${bytes} of ${statedBytes} bytes were received` });
    // Without it the result would miss some seconds, and nobody would be told.
    if (bytes === 0) throw new ConversionError("network", { detail: `an empty segment: ${url}` });
    if (!this.#places.setSize(position, bytes)) throw hasChanged(segment);
    return chunks;
  }

  #learnSize(position: number, bytes: number): void {
    this.#estimate.setSize(position, bytes);
    this.#file.guessedBytes = this.#estimate.bytes;
  }

  /**
   * @returns where the segment begins in the file; undefined when that is not known yet, or its size is not
   * @throws ConversionError "network" when it is no longer the one of an earlier attempt
   */
  #startFor(segment: Segment, response: MediaResponse, statedBytes: number): number | undefined {
    const validator = validatorOf(response);
    if (segment.writtenBytes > 0 && segment.validator !== validator) throw hasChanged(segment);
    segment.validator = validator;
    const isStated = statedBytes > 0 && statedBytes <= MAX_SEGMENT_BYTES;
    if (isStated && !this.#places.setSize(segment.position, statedBytes)) throw hasChanged(segment);
    return isStated || segment.writtenBytes > 0 ? this.#places.startOf(segment.position) : undefined;
  }

  /** Writes what an earlier attempt has not written. @param place of the chunk: start of the segment, and offset in it */
  async #write(segment: Segment, chunk: Buffer, { start, from }: { start: number; from: number }): Promise<void> {
    // A later attempt may state no size.
    if (from + chunk.length > (this.#places.sizeOf(segment.position) ?? 0)) throw hasChanged(segment);
    const known = Math.min(chunk.length, Math.max(0, segment.writtenBytes - from));
    try {
      await this.#file.write(chunk.subarray(known), start + from + known);
    } catch (error) {
      this.#writeFailure = { error };
      throw error;
    }
    segment.writtenBytes = Math.max(segment.writtenBytes, from + chunk.length);
  }
}

function hasChanged({ url }: Segment): ConversionError {
  return new ConversionError("network", { detail: `a segment has changed while it was fetched: ${url}` });
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
