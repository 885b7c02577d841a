/** One large file over several connections, by ranges where its server has them. */
import { ConversionError } from "../../../common/errors.ts";
import type { GrowingFile } from "./growing-file.ts";
import { CONNECTIONS_PER_HOST, persist, type MediaClient } from "./http-pieces.ts";

/** Small enough that the beginning is soon whole, large enough that asking costs nothing beside it. */
const RANGE_BYTES = 4_000_000;

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

interface Answer {
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly totalBytes: number | undefined;
  readonly isPart: boolean;
  /** Of the address after redirects: asked for directly from then on. */
  readonly url: string;
  readonly validator: string;
}

function readContentRange(value: string | null, start: number): number | undefined {
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(value ?? "");
  return found && Number(found[1]) === start ? Number(found[3]) : undefined;
}

async function ask(client: MediaClient, media: RemoteMedia, url: string, start: number, end: number, signal: AbortSignal): Promise<Answer> {
  const response = await client.get(url, { ...media.headers, range: `bytes=${start}-${end}` }, signal);
  const validator = response.headers.get("etag") ?? response.headers.get("last-modified") ?? "";
  const body = response.body as AsyncIterable<Uint8Array> | null;
  if (response.status === 206) {
    const totalBytes = readContentRange(response.headers.get("content-range"), start);
    if (totalBytes === undefined) throw new ConversionError("network", { detail: `an answer for another range: ${response.headers.get("content-range")}` });
    return { body, totalBytes, isPart: true, url: response.url, validator };
  }
  if (response.status === 416) throw new ConversionError("unavailable", { detail: "an empty file" });
  const length = Number(response.headers.get("content-length") ?? NaN);
  return { body, totalBytes: Number.isSafeInteger(length) ? length : undefined, isPart: false, url: response.url, validator };
}

/**
 * Fetches all of it into the file. Throws ConversionError and `signal.reason`.
 */
export async function fetchRanges(client: MediaClient, media: RemoteMedia, file: GrowingFile, signal: AbortSignal): Promise<void> {
  let url = media.url;
  let totalBytes: number | undefined;
  let validator: string | undefined;

  const store = async (answer: Answer, start: number, expectedBytes: number | undefined, made: (bytes: number) => void): Promise<void> => {
    if (!answer.body) return;
    let position = start;
    try {
      for await (const chunk of answer.body) {
        await file.write(chunk, position);
        position += chunk.length;
        made(chunk.length);
        media.onBytes(file.writtenBytes, totalBytes);
      }
    } catch (error) {
      throw client.asFailure(error, signal);
    }
    if (expectedBytes !== undefined && position - start < expectedBytes)
      throw new ConversionError("network", { detail: `${position - start} of ${expectedBytes} bytes came` });
  };

  /** False: the server sends everything at once, and has done so. */
  const first = async (): Promise<boolean> =>
    // Begins anew each time, so what an attempt got is no progress.
    persist(async () => {
      const answer = await ask(client, media, url, 0, RANGE_BYTES - 1, signal);
      ({ url, totalBytes, validator } = answer);
      if (totalBytes !== undefined && totalBytes > media.maxBytes) throw media.tooLarge(totalBytes);
      await store(answer, 0, answer.isPart ? Math.min(RANGE_BYTES, answer.totalBytes ?? 0) : answer.totalBytes, () => undefined);
      return answer.isPart;
    }, signal);

  const range = async (start: number, end: number): Promise<void> => {
    let position = start;
    await persist(async (made) => {
      const answer = await ask(client, media, url, position, end, signal);
      if (!answer.isPart || answer.totalBytes !== totalBytes || answer.validator !== validator)
        throw new ConversionError("network", { detail: "the file has changed while it was fetched" });
      await store(answer, position, end - position + 1, (bytes) => {
        position += bytes;
        made(bytes);
      });
    }, signal);
  };

  if (!(await first()) || totalBytes === undefined) return;
  const last = totalBytes - 1;
  let next = RANGE_BYTES;
  const work = async (): Promise<void> => {
    while (next <= last) {
      const start = next;
      next += RANGE_BYTES;
      // oxlint-disable-next-line no-await-in-loop -- one connection's ranges come one after the other
      await range(start, Math.min(last, start + RANGE_BYTES - 1));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS_PER_HOST }, work));
}
