/** Answers with a clip's file: whole, by ranges, in part, slowly or changed on the way. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat, readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { setInterval as ticks } from "node:timers/promises";
import parseRange from "range-parser";
import { boxesIn, shiftIndex } from "../../../pipeline/mp4/boxes.ts";
import { send } from "./answers.ts";
import type { Answer, Exchange } from "./exchange.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".mp4": "video/mp4",
  ".m4a": "audio/mp4",
  ".m4s": "video/iso.segment",
  ".webm": "video/webm",
  ".ts": "video/mp2t",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".mpd": "application/dash+xml",
  ".jpg": "image/jpeg",
};

/** A clip without faults; HEAD and range requests work. */
export function wholeFile(file: string): Answer {
  return async (exchange) => {
    const part = await announceFile(exchange, file);
    if (part) await send(exchange.response, Readable.from(withEnd(createReadStream(pathOf(exchange, file), part))));
  };
}

/**
 * Passes each chunk on when the next one is read, so that the last chunk and the end of the answer go out together. The
 * client knows the length: it starts its next request after the last byte, when this answer must count as over.
 */
async function* withEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let last: Buffer | undefined;
  for await (const chunk of chunks) {
    if (last) yield last;
    last = chunk;
  }
  if (last) yield last;
}

/**
 * A clip of which only the beginning is sent.
 * @param share of the file that is sent, 0 to 1
 * @param then what follows: the connection breaks, or stays open without data
 */
export function partOf(file: string, share: number, then: "break" | "silence"): Answer {
  return async (exchange) => {
    const { response } = exchange;
    const part = await announceFile(exchange, file);
    if (!part) return;
    const { start } = part;
    const end = Math.min(part.end, Math.floor(part.sizeBytes * share));
    response.flushHeaders();
    if (start < end) await send(response, createReadStream(pathOf(exchange, file), { start, end }), false);
    // destroy() could drop data that was written and not yet sent.
    if (then === "break") response.socket?.destroySoon();
    else if (!response.destroyed) await once(response, "close");
  };
}

const TICK_MS = 50;

/**
 * A clip at a steady speed; every answer has the full speed, however many there are.
 * @param arrange changes the whole file before it is sent
 */
export function throttled(
  file: string,
  bytesPerSecond: number,
  arrange: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Answer {
  return async (exchange) => {
    const part = await announceFile(exchange, file);
    if (!part) return;
    const bytes = arrange(await readFile(pathOf(exchange, file))).subarray(part.start, part.end + 1);
    const step = Math.ceil((bytesPerSecond * TICK_MS) / 1_000);
    await send(
      exchange.response,
      Readable.from(
        (async function* () {
          let sent = 0;
          for await (const _ of ticks(TICK_MS)) {
            yield bytes.subarray(sent, sent + step);
            sent += step;
            if (sent >= bytes.length) return;
          }
        })(),
      ),
    );
  };
}

/**
 * Of a clip that is held back: sent at once, so that no test waits for the first progress; and then with every tick: a
 * share of the whole file, or of the rest if that is less.
 */
const HELD_BACK_SHARE = { atOnce: 1 / 10, ofWhole: 1 / 1_000, ofRest: 1 / 500 };

/**
 * A clip that is sent very slowly until the test releases it, and then at once. Before: a tenth, then 2 % of the file
 * per second, and from its middle on ever more slowly, so that it never ends.
 */
export function heldBack(file: string): Answer {
  return async (exchange) => {
    const part = await announceFile(exchange, file);
    if (!part) return;
    const whole = (await readFile(pathOf(exchange, file))).subarray(part.start, part.end + 1);
    let rest = whole;
    let isReleased = false;
    void exchange.released.then(() => (isReleased = true));
    await send(
      exchange.response,
      Readable.from(
        (async function* () {
          const atOnce = Math.floor(whole.length * HELD_BACK_SHARE.atOnce);
          yield rest.subarray(0, atOnce);
          rest = rest.subarray(atOnce);
          for await (const _ of ticks(TICK_MS)) {
            const slowStep = Math.min(whole.length * HELD_BACK_SHARE.ofWhole, rest.length * HELD_BACK_SHARE.ofRest);
            const step = isReleased ? rest.length : Math.ceil(slowStep);
            yield rest.subarray(0, step);
            rest = rest.subarray(step);
            if (rest.length === 0) return;
          }
        })(),
      ),
    );
  };
}

/** The same without ranges, so that the beginning comes as fast as the whole. */
export function withoutRanges(answer: Answer): Answer {
  return (exchange) => {
    delete exchange.request.headers.range;
    return answer(exchange);
  };
}

/** A clip whose bytes are changed and whose size stays; range requests work. */
export function arranged(file: string, arrange: (bytes: Buffer) => Buffer): Answer {
  return async (exchange) => {
    const part = await announceFile(exchange, file);
    if (!part) return;
    const bytes = arrange(await readFile(pathOf(exchange, file))).subarray(part.start, part.end + 1);
    await send(exchange.response, Readable.from([bytes]));
  };
}

/** A clip whose bytes are changed before they are sent. */
export function altered(file: string, type: string, change: (bytes: Buffer) => Buffer): Answer {
  return async (exchange) => {
    const bytes = change(await readFile(pathOf(exchange, file)));
    exchange.response.writeHead(200, { "content-type": type, "content-length": bytes.length });
    exchange.response.end(exchange.request.method === "HEAD" ? undefined : bytes);
  };
}

/**
 * Moves the index (moov) of an MP4 to the end, where cameras write it.
 * @throws Error when the index is not in front of the media
 */
export function withIndexLast(bytes: Buffer): Buffer {
  const boxes = [...boxesIn(bytes)];
  const index = boxes.find(({ type }) => type === "moov");
  const media = boxes.find(({ type }) => type === "mdat");
  if (!index || !media || index.start > media.start) throw new Error("this clip has no index in front of its media");
  const shifted = shiftIndex(bytes.subarray(index.start, index.end), index.start - index.end, media.start, media.end);
  if (!shifted) throw new Error("this clip's index cannot be moved");
  return Buffer.concat([bytes.subarray(0, index.start), bytes.subarray(index.end), shifted]);
}

interface FilePart {
  readonly start: number;
  /** The last byte, included. */
  readonly end: number;
  readonly sizeBytes: number;
}

/**
 * Writes status and headers for the requested range.
 * @returns the range to send; undefined when the answer is complete without a body
 */
async function announceFile(exchange: Exchange, file: string): Promise<FilePart | undefined> {
  const sizeBytes = await fileSize(path.join(exchange.clips, file));
  if (sizeBytes !== undefined)
    return announce(exchange, sizeBytes, TYPES[path.extname(file)] ?? "application/octet-stream");
  exchange.response.writeHead(404, { "content-type": "text/plain" }).end("404\n");
  return undefined;
}

function announce({ request, response }: Exchange, sizeBytes: number, type: string): FilePart | undefined {
  const ranges = parseRange(sizeBytes, request.headers.range ?? "");
  if (ranges === -1) {
    response.writeHead(416, { "content-range": `bytes */${sizeBytes}` }).end();
    return undefined;
  }
  const range = Array.isArray(ranges) ? ranges[0] : undefined;
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  response.writeHead(range ? 206 : 200, {
    "content-type": type,
    "accept-ranges": "bytes",
    "content-length": end - start + 1,
    ...(range && { "content-range": `bytes ${start}-${end}/${sizeBytes}` }),
  });
  if (request.method !== "HEAD") return { start, end, sizeBytes };
  response.end();
  return undefined;
}

async function fileSize(file: string): Promise<number | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function pathOf({ clips }: Exchange, file: string): string {
  return path.join(clips, file);
}
