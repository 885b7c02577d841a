/** Reads chosen byte ranges of a remote file. */
import type { FileHandle } from "node:fs/promises";
import { ConversionError } from "../../../common/errors.ts";
import type { ByteRange } from "../mp4/byte-ranges.ts";
import { CONNECTIONS_PER_HOST, type MediaClient } from "./media-client.ts";
import { limitBytes, readRangeInfo } from "./range-response.ts";
import { retry } from "./retry.ts";

export interface RemoteRangesOptions {
  readonly client: MediaClient;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Largest range of one request. */
  readonly rangeBytes: number;
  readonly signal: AbortSignal;
}

/** A range of the remote file, and its place in the local one. */
interface Copy extends ByteRange {
  readonly target: number;
}

export class RemoteRanges {
  readonly #options: RemoteRangesOptions;
  /** The first bytes. */
  readonly head: Buffer;
  readonly totalBytes: number;
  /** After redirects. */
  readonly #url: string;
  /** Identifies the version of the remote file. */
  readonly #validator: string;

  private constructor(options: RemoteRangesOptions, head: Buffer, totalBytes: number, url: string, validator: string) {
    this.#options = options;
    this.head = head;
    this.totalBytes = totalBytes;
    this.#url = url;
    this.#validator = validator;
  }

  /**
   * @returns undefined when the server does not send ranges
   * @throws ConversionError
   * @throws `signal.reason` when aborted
   */
  static async open(options: RemoteRangesOptions, headBytes: number): Promise<RemoteRanges | undefined> {
    const { client, url, headers, signal } = options;
    return await retry(
      async () => {
        using response = await client.get(url, { ...headers, range: `bytes=0-${headBytes - 1}` }, signal);
        const info = readRangeInfo(response, 0);
        if (!info.isPart) return undefined;
        const head = await collect(client, response.body, Math.min(headBytes, info.totalBytes), signal);
        return new RemoteRanges(options, head, info.totalBytes, response.url, info.validator);
      },
      client.pauses,
      signal,
    );
  }

  /** @returns the bytes; those of the head are not fetched again */
  async read({ start, end }: ByteRange): Promise<Buffer> {
    const known = this.head.subarray(start, end);
    const from = start + known.length;
    if (from >= end) return known;
    const chunks: Buffer[] = [known];
    await this.#fetch({ start: from, end }, (chunk) => void chunks.push(chunk));
    return Buffer.concat(chunks);
  }

  /**
   * Copies ranges into a file, several at a time.
   * @param onBytes called with the size of each piece that has arrived
   */
  async copy(copies: readonly Copy[], file: FileHandle, onBytes: (bytes: number) => void): Promise<void> {
    const pieces = copies.flatMap((copy) => this.#split(copy)).values();
    const lane = async (): Promise<void> => {
      for (const { target, ...range } of pieces)
        await this.#fetch(range, async (chunk, position) => {
          await file.write(chunk, 0, chunk.length, target + position - range.start);
          onBytes(chunk.length);
        });
    };
    await Promise.all(Array.from({ length: CONNECTIONS_PER_HOST }, lane));
  }

  #split({ start, end, target }: Copy): Copy[] {
    const { rangeBytes } = this.#options;
    return Array.from({ length: Math.ceil((end - start) / rangeBytes) }, (_, index) => {
      const from = start + index * rangeBytes;
      return { start: from, end: Math.min(end, from + rangeBytes), target: target + from - start };
    });
  }

  /** @throws ConversionError "network" also when the remote file is no longer the one of the head */
  async #fetch(
    { start, end }: ByteRange,
    onChunk: (chunk: Buffer, position: number) => Promise<void> | void,
  ): Promise<void> {
    const { client, headers, signal } = this.#options;
    let position = start;
    await retry(
      async (onProgress) => {
        using response = await client.get(this.#url, { ...headers, range: `bytes=${position}-${end - 1}` }, signal);
        const info = readRangeInfo(response, position);
        if (!info.isPart || info.totalBytes !== this.totalBytes || info.validator !== this.#validator)
          throw new ConversionError("network", { detail: "the file has changed while it was fetched" });
        try {
          for await (const chunk of limitBytes(response.body, end - position)) {
            await onChunk(chunk, position);
            position += chunk.length;
            onProgress(chunk.length);
          }
        } catch (error) {
          throw client.translateError(error, signal);
        }
        if (position < end)
          throw new ConversionError("network", { detail: `${position} of ${end} bytes were received` });
      },
      client.pauses,
      signal,
    );
  }
}

async function collect(
  client: MediaClient,
  body: AsyncIterable<Buffer>,
  wantedBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of limitBytes(body, wantedBytes)) chunks.push(chunk);
  } catch (error) {
    throw client.translateError(error, signal);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length < wantedBytes)
    throw new ConversionError("network", { detail: `${bytes.length} of ${wantedBytes} bytes were received` });
  return bytes;
}
