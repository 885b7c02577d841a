/** One large file over several connections, by ranges where its server has them. */
import { ConversionError } from "../../../common/errors.ts";
import type { GrowingFile } from "./growing-file.ts";
import { CONNECTIONS_PER_HOST, persist, type MediaAnswer, type MediaClient } from "./http-pieces.ts";

/**
 * Small enough that the beginning is soon whole and little has to be kept in memory until what lies before it has
 * come, large enough that asking costs little beside it on a far line.
 */
const RANGE_BYTES = 2_000_000;

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
function readPart(answer: MediaAnswer, start: number): Part {
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

/**
 * Fetches all of it into the file. Throws ConversionError and `signal.reason`.
 */
export async function fetchRanges(client: MediaClient, media: RemoteMedia, file: GrowingFile, signal: AbortSignal): Promise<void> {
  let url = media.url;
  let totalBytes: number | undefined;
  let validator: string | undefined;

  const ask = (start: number, end: number): Promise<MediaAnswer> => client.get(url, { ...media.headers, range: `bytes=${start}-${end}` }, signal);
  const hasChanged = (): ConversionError => new ConversionError("network", { detail: "the file has changed while it was fetched" });

  const store = async (answer: MediaAnswer, start: number, expectedBytes: number | undefined, made: (bytes: number) => void): Promise<void> => {
    let position = start;
    try {
      for await (const chunk of answer.body) {
        await file.write(chunk, position);
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

  /** False: the server sends everything at once, and has done so. */
  const first = async (): Promise<boolean> =>
    // Begins anew each time, so what an attempt got is no progress.
    persist(async () => {
      using answer = await ask(0, RANGE_BYTES - 1);
      const part = readPart(answer, 0);
      if (validator !== undefined && validator !== part.validator) throw hasChanged();
      ({ totalBytes, validator } = part);
      ({ url } = answer);
      if (totalBytes !== undefined && totalBytes > media.maxBytes) throw media.tooLarge(totalBytes);
      await store(answer, 0, part.isPart ? Math.min(RANGE_BYTES, totalBytes ?? 0) : totalBytes, () => undefined);
      return part.isPart;
    }, signal);

  const range = async (start: number, end: number): Promise<void> => {
    let position = start;
    await persist(async (made) => {
      using answer = await ask(position, end);
      const part = readPart(answer, position);
      if (!part.isPart || part.totalBytes !== totalBytes || part.validator !== validator) throw hasChanged();
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
