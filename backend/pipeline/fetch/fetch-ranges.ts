/** Fetches one large file over several connections, by range requests if the server supports them. */
import { ConversionError } from "../../../common/errors.ts";
import { freeChunk } from "./free-chunk.ts";
import type { GrowingFile } from "./growing-file.ts";
import type { ByteRange } from "../mp4/byte-ranges.ts";
import { findMediaBeforeIndex, indexForFront } from "./index-first.ts";
import { CONNECTIONS_PER_HOST, type MediaClient, type MediaResponse } from "./media-client.ts";
import { limitBytes, readRangeInfo } from "./range-response.ts";
import { retry } from "./retry.ts";
import { slowestEndMs, type RangeUnderWay } from "./slowest-range.ts";
import { endOfFirstIndex, shiftedForSpace, spareBytesFor, spareSpace } from "./spare-space.ts";

/**
 * Where the site names no size. Small enough that the first range arrives soon, large enough that the round trip of a
 * request costs little.
 */
export const RANGE_BYTES = 2_000_000;

/** A site that names larger ranges gets requests for these. */
const LARGEST_RANGE_BYTES = 10 * 1_048_576;

/** @param wantedBytes the range that the site wants requested */
export function rangeBytesFor(wantedBytes = RANGE_BYTES): number {
  return Math.min(wantedBytes, LARGEST_RANGE_BYTES);
}

/**
 * A range is requested when it begins no further than this after the bytes that have arrived without a gap. What lies
 * after the gap is buffered in memory. Two usual ranges for each connection, so that one slow connection does not stop
 * the others.
 */
export const MAX_AHEAD_BYTES = 2 * CONNECTIONS_PER_HOST * RANGE_BYTES;

/** These many first bytes show whether the index of an MP4 is in front of its media. */
const HEAD_BYTES = 4_096;

export interface RemoteMedia {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A larger file is not fetched. */
  readonly maxBytes: number;
  /** The range that the site wants requested. */
  readonly rangeBytes?: number;
  /** Whether an MP4 gets free space behind its index, see `spare-space.ts`. */
  readonly wantsSpareSpace?: boolean;
  /** @returns the error to throw for a file of this size */
  readonly tooLarge: (bytes: number) => ConversionError;
  /** Called with the bytes received so far and, once known, the size of the file. */
  readonly onBytes: (bytes: number, totalBytes: number | undefined) => void;
}

/**
 * Fetches a remote file into `file`. If an MP4 has its index after its media, the index is fetched first and written
 * in front.
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function fetchRanges(
  client: MediaClient,
  media: RemoteMedia,
  file: GrowingFile,
  signal: AbortSignal,
): Promise<void> {
  await new RangeDownload(client, media, file, signal).run();
}

/** Bytes that come before the media: an index that moves there from after it, or free space. */
interface Insertion {
  /** Where the media is in the remote file. */
  readonly span: ByteRange;
  readonly bytes: Buffer;
}

/** The first range of an MP4 whose index comes after its media. Not written yet: the index goes in between. */
interface BufferedHead {
  readonly bytes: Buffer;
  readonly span: ByteRange;
}

interface HeadBufferOptions {
  /** Size of the first range. */
  readonly expectedBytes: number;
  /** Size of the remote file. */
  readonly totalBytes: number;
  readonly wantsSpareSpace: boolean;
}

interface ReadyBytes {
  readonly bytes: Buffer;
  readonly position: number;
  /** Where free space is to be inserted, for which `bytes` were adapted. */
  readonly space?: Insertion;
}

/**
 * Buffers the first range until it shows where the index is, and on to its end if the index is after the media. If free
 * space is wanted behind an index in front, it buffers that index.
 */
class HeadBuffer {
  readonly #options: HeadBufferOptions;
  #neededBytes: number;
  #chunks: Buffer[] = [];
  #receivedBytes = 0;
  #isDecided = false;
  #span: ByteRange | undefined;

  constructor(options: HeadBufferOptions) {
    this.#options = options;
    this.#neededBytes = Math.min(HEAD_BYTES, options.expectedBytes);
  }

  /** @returns bytes that can be written now, and their position; undefined when they are buffered */
  push(chunk: Buffer): ReadyBytes | undefined {
    const position = this.#receivedBytes;
    this.#receivedBytes += chunk.length;
    if (this.#isDecided && !this.#span) return { bytes: chunk, position };
    this.#chunks.push(chunk);
    if (this.#isDecided || this.#receivedBytes < this.#neededBytes) return undefined;
    const { totalBytes, expectedBytes, wantsSpareSpace } = this.#options;
    const bytes = Buffer.concat(this.#chunks);
    const indexEnd = wantsSpareSpace ? endOfFirstIndex(bytes) : undefined;
    if (indexEnd !== undefined && indexEnd > bytes.length && indexEnd <= expectedBytes) {
      this.#neededBytes = indexEnd;
      return undefined;
    }
    this.#isDecided = true;
    if (bytes.length >= HEAD_BYTES) this.#span = findMediaBeforeIndex(bytes, totalBytes);
    if (this.#span) return undefined;
    this.#chunks = [];
    return (indexEnd !== undefined && this.#withSpareSpace(bytes, indexEnd)) || { bytes, position: 0 };
  }

  #withSpareSpace(bytes: Buffer, indexEnd: number): ReadyBytes | undefined {
    const { totalBytes } = this.#options;
    const space = spareSpace(spareBytesFor(totalBytes));
    const shifted = space.length > 0 ? shiftedForSpace(bytes, space.length, totalBytes) : undefined;
    const span = { start: indexEnd, end: totalBytes };
    return shifted && { bytes: shifted, position: 0, space: { span, bytes: space } };
  }

  /** The whole first range, if the index comes after the media. */
  get buffered(): BufferedHead | undefined {
    return this.#span && { bytes: Buffer.concat(this.#chunks), span: this.#span };
  }
}

class RangeDownload {
  readonly #client: MediaClient;
  readonly #media: RemoteMedia;
  readonly #file: GrowingFile;
  readonly #signal: AbortSignal;
  readonly #rangeBytes: number;
  /** After redirects, so that only the first request is redirected. */
  #url: string;
  #totalBytes: number | undefined;
  /** Identifies the version of the remote file. */
  #validator: string | undefined;
  #inserted: Insertion | undefined;
  /** Where the next range begins that no connection has taken yet. */
  #nextStart: number;
  readonly #underWay = new Set<RangeUnderWay>();

  constructor(client: MediaClient, media: RemoteMedia, file: GrowingFile, signal: AbortSignal) {
    this.#client = client;
    this.#media = media;
    this.#file = file;
    this.#signal = signal;
    this.#url = media.url;
    this.#rangeBytes = rangeBytesFor(media.rangeBytes);
    this.#nextStart = this.#rangeBytes;
  }

  async run(): Promise<void> {
    // Each attempt starts at byte 0, so none reports progress.
    const { isPart, head } = await retry(() => this.#fetchFirstRange(), this.#client.pauses, this.#signal);
    if (!isPart) return;
    // The first request has ended by now. Holding its slot while waiting for another could wait forever.
    if (head) await this.#moveIndexToFront(head);
    this.#file.slowestEndMs = () => slowestEndMs(this.#underWay, performance.now());
    await Promise.all(Array.from({ length: CONNECTIONS_PER_HOST }, () => this.#fetchNextRanges()));
  }

  /** Fetches the first range, or the whole file if the server ignores ranges. */
  async #fetchFirstRange(): Promise<{ isPart: boolean; head?: BufferedHead }> {
    using response = await this.#request(0, this.#rangeBytes - 1);
    const info = readRangeInfo(response, 0);
    if (this.#validator !== undefined && this.#validator !== info.validator) throw hasChanged();
    this.#validator = info.validator;
    this.#totalBytes = info.totalBytes;
    this.#url = response.url;
    if (info.totalBytes !== undefined && info.totalBytes > this.#media.maxBytes)
      throw this.#media.tooLarge(info.totalBytes);
    this.#file.expectedBytes = info.totalBytes;
    if (info.isPart) return { isPart: true, head: await this.#receiveHead(response, info.totalBytes) };
    await this.#receiveIntoFile(response, 0, info.totalBytes);
    return { isPart: false };
  }

  /** @returns the first range if it belongs to an MP4 whose index comes after its media; else it is in the file */
  async #receiveHead(response: MediaResponse, totalBytes: number): Promise<BufferedHead | undefined> {
    const expectedBytes = Math.min(this.#rangeBytes, totalBytes);
    const { wantsSpareSpace = false } = this.#media;
    const head = new HeadBuffer({ expectedBytes, totalBytes, wantsSpareSpace });
    await this.#receive(response, expectedBytes, async (chunk) => {
      const ready = head.push(chunk);
      if (ready?.space) this.#insert(ready.space);
      if (ready) await this.#write(ready.bytes, ready.position);
      if (ready?.space) await this.#file.write(ready.space.bytes, ready.space.span.start);
      this.#reportBytes();
    });
    return head.buffered;
  }

  /** Fetches what follows the media, and writes the index in front of the media if it can be moved. */
  async #moveIndexToFront({ bytes, span }: BufferedHead): Promise<void> {
    const rest = await this.#fetchRest(Math.max(bytes.length, span.end));
    const spareBytes = this.#media.wantsSpareSpace ? spareBytesFor(this.#totalBytes ?? 0) : 0;
    const index = indexForFront(Buffer.concat([bytes.subarray(span.end), rest]), span, spareBytes);
    if (index) this.#insert({ span, bytes: index });
    await this.#write(bytes, 0);
    if (index) await this.#file.write(index, span.start);
  }

  #insert(insertion: Insertion): void {
    const { span, bytes } = insertion;
    this.#inserted = insertion;
    this.#file.expectedBytes = span.end + bytes.length;
  }

  /** @returns the bytes from `start` to the end of the remote file */
  async #fetchRest(start: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let position = start;
    const end = (this.#totalBytes ?? 0) - 1;
    if (start <= end)
      await retry(
        async (onProgress) => {
          using response = await this.#requestPart(position, end);
          await this.#receive(response, end + 1 - position, (chunk) => {
            chunks.push(chunk);
            position += chunk.length;
            onProgress(chunk.length);
          });
        },
        this.#client.pauses,
        this.#signal,
      );
    return Buffer.concat(chunks);
  }

  /** Fetches one range after the other until none is left; each connection runs this. */
  async #fetchNextRanges(): Promise<void> {
    // What follows the media was fetched with the index.
    const last = (this.#inserted?.span.end ?? this.#totalBytes ?? 0) - 1;
    const shiftBytes = this.#inserted?.bytes.length ?? 0;
    while (this.#nextStart <= last) {
      const start = this.#nextStart;
      this.#nextStart += this.#rangeBytes;
      // Wait before the request, while holding no slot of the host. Ranges are taken in order, so other connections
      // have already requested the bytes that this waits for.
      await this.#file.atLeast(start + shiftBytes - MAX_AHEAD_BYTES);
      await this.#fetchRange(start, Math.min(last, start + this.#rangeBytes - 1));
    }
  }

  async #fetchRange(start: number, end: number): Promise<void> {
    let position = start;
    await retry(
      async (onProgress) => {
        using response = await this.#requestPart(position, end);
        const range: RangeUnderWay = { begunMs: performance.now(), bytes: end - position + 1, receivedBytes: 0 };
        using cleanUp = new DisposableStack();
        cleanUp.defer(() => this.#underWay.delete(range));
        this.#underWay.add(range);
        await this.#receiveIntoFile(response, position, range.bytes, (bytes) => {
          position += bytes;
          range.receivedBytes += bytes;
          onProgress(bytes);
        });
      },
      this.#client.pauses,
      this.#signal,
    );
  }

  #request(start: number, end: number): Promise<MediaResponse> {
    return this.#client.get(this.#url, { ...this.#media.headers, range: `bytes=${start}-${end}` }, this.#signal);
  }

  /** @throws ConversionError "network" when the remote file is no longer the one of the first range */
  async #requestPart(start: number, end: number): Promise<MediaResponse> {
    using resources = new DisposableStack();
    const response = resources.use(await this.#request(start, end));
    const info = readRangeInfo(response, start);
    if (!info.isPart || info.totalBytes !== this.#totalBytes || info.validator !== this.#validator) throw hasChanged();
    resources.move();
    return response;
  }

  async #receiveIntoFile(
    response: MediaResponse,
    start: number,
    expectedBytes: number | undefined,
    onWritten?: (bytes: number) => void,
  ): Promise<void> {
    let position = start;
    await this.#receive(response, expectedBytes, async (chunk) => {
      await this.#write(chunk, position);
      const bytes = freeChunk(chunk);
      position += bytes;
      onWritten?.(bytes);
      this.#reportBytes();
    });
  }

  /** @throws ConversionError "network" when the connection breaks or the body is shorter than `expectedBytes` */
  async #receive(
    response: MediaResponse,
    expectedBytes: number | undefined,
    onChunk: (chunk: Buffer) => Promise<void> | void,
  ): Promise<void> {
    let bytes = 0;
    try {
      for await (const chunk of limitBytes(response.body, expectedBytes ?? Infinity)) {
        // Before `onChunk`, which may free the chunk.
        bytes += chunk.length;
        await onChunk(chunk);
      }
    } catch (error) {
      throw this.#client.translateError(error, this.#signal);
    }
    if (expectedBytes !== undefined && bytes < expectedBytes)
      throw new ConversionError("network", { detail: `${bytes} of ${expectedBytes} bytes were received` });
  }

  /** @param position in the remote file; the media moves back by what is inserted before it */
  async #write(bytes: Buffer, position: number): Promise<void> {
    if (!this.#inserted) return this.#file.write(bytes, position);
    const { span, bytes: inserted } = this.#inserted;
    const mediaStart = Math.max(0, span.start - position);
    const mediaEnd = Math.max(0, span.end - position);
    const head = bytes.subarray(0, mediaStart);
    const media = bytes.subarray(mediaStart, mediaEnd);
    if (head.length > 0) await this.#file.write(head, position);
    if (media.length > 0) await this.#file.write(media, Math.max(position, span.start) + inserted.length);
  }

  #reportBytes(): void {
    this.#media.onBytes(this.#file.receivedBytes, this.#totalBytes);
  }
}

function hasChanged(): ConversionError {
  return new ConversionError("network", { detail: "the file has changed while it was fetched" });
}
