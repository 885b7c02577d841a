/**
 * The ways the sample site answers badly. Each returns an {@link Answer}; none looks at which page it serves.
 * What is sent waits for the reader, so an endless answer costs no memory here.
 */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat, readFile } from "node:fs/promises";
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setInterval as ticks } from "node:timers/promises";
import { constants, deflateRawSync } from "node:zlib";
import parseRange from "range-parser";
import { boxesIn, shiftIndex } from "../../../pipeline/mp4/boxes.ts";
import type { Address, Answer, Exchange, Places } from "./exchange.ts";

/** A status and a word, whoever asks. */
export function status(code: number, headers: OutgoingHttpHeaders = {}): Answer {
  return ({ response }) => {
    response.writeHead(code, { "content-type": "text/plain", ...headers }).end(`${code}\n`);
  };
}

export function redirect(to: Address): Answer {
  return ({ response, places }) => {
    response.writeHead(302, { location: to(places) }).end();
  };
}

/** Answers with `refusal` the first `times` and properly from then on. */
export function afterRefusals(times: number, refusal: Answer, answer: Answer): Answer {
  return (exchange) => (exchange.nth <= times ? refusal(exchange) : answer(exchange));
}

/** A text made for this page, whole and at once. */
export function text(type: string, body: string | ((exchange: Exchange) => string)): Answer {
  return (exchange) => {
    const bytes = Buffer.from(typeof body === "string" ? body : body(exchange));
    exchange.response.writeHead(200, { "content-type": type, "content-length": bytes.length });
    exchange.response.end(exchange.request.method === "HEAD" ? undefined : bytes);
  };
}

/** A manifest whose addresses depend on where the site listens. */
export function manifest(type: string, body: (places: Places) => string): Answer {
  return text(type, ({ places }) => body(places));
}

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

/** A clip as it should be, by HEAD and by ranges as well. */
export function wholeFile(file: string): Answer {
  return async (exchange) => {
    const part = await announceFile(exchange, file);
    if (part) await send(exchange.response, createReadStream(pathOf(exchange, file), part));
  };
}

/** A clip with a bad end: only its first `share` is ever sent, then the connection breaks or falls silent. */
export function partOf(file: string, share: number, then: "break" | "silence"): Answer {
  return async (exchange) => {
    const { response } = exchange;
    const part = await announceFile(exchange, file);
    if (!part) return;
    const { start } = part;
    const end = Math.min(part.end, Math.floor(part.sizeBytes * share));
    response.flushHeaders();
    if (start < end) await send(response, createReadStream(pathOf(exchange, file), { start, end }), false);
    // What was written is still sent; a plain destroy would drop some of it.
    if (then === "break") response.socket?.destroySoon();
    else if (!response.destroyed) await once(response, "close");
  };
}

const TICK_MS = 50;

/** A clip at a steady pace, each answer for itself, its bytes perhaps put in another order before. */
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

/** What a clip that is held back sends with every tick: of the whole at first, of what is left from its middle on. */
const HELD_SHARE = { whole: 1 / 1_000, left: 1 / 500 };

/**
 * A clip that is held back: it comes at 2 % a second, ever more slowly in its second half, and at once when it is let
 * go.
 */
export function held(file: string): Answer {
  return async (exchange) => {
    const part = await announceFile(exchange, file);
    if (!part) return;
    const whole = (await readFile(pathOf(exchange, file))).subarray(part.start, part.end + 1);
    let left = whole;
    let isHeld = true;
    void exchange.letGo.then(() => (isHeld = false));
    await send(
      exchange.response,
      Readable.from(
        (async function* () {
          for await (const _ of ticks(TICK_MS)) {
            const step = isHeld
              ? Math.ceil(Math.min(whole.length * HELD_SHARE.whole, left.length * HELD_SHARE.left))
              : left.length;
            yield left.subarray(0, step);
            left = left.subarray(step);
            if (left.length === 0) return;
          }
        })(),
      ),
    );
  };
}

/** Says nothing before it is let go. */
export function onceLetGo(answer: Answer): Answer {
  return async (exchange) => {
    await exchange.letGo;
    await answer(exchange);
  };
}

/** A clip whose bytes are changed on the way. */
export function altered(file: string, type: string, change: (bytes: Buffer) => Buffer): Answer {
  return async (exchange) => {
    const bytes = change(await readFile(pathOf(exchange, file)));
    exchange.response.writeHead(200, { "content-type": type, "content-length": bytes.length });
    exchange.response.end(exchange.request.method === "HEAD" ? undefined : bytes);
  };
}

/** An MP4 as cameras write it: the index, which is in front in our clips, behind the media. */
export function withIndexLast(bytes: Buffer): Buffer {
  const boxes = [...boxesIn(bytes)];
  const index = boxes.find(({ type }) => type === "moov");
  const media = boxes.find(({ type }) => type === "mdat");
  if (!index || !media || index.start > media.start) throw new Error("this clip has no index in front of its media");
  const shifted = shiftIndex(bytes.subarray(index.start, index.end), index.start - index.end, media.start, media.end);
  if (!shifted) throw new Error("this clip's index cannot be moved");
  return Buffer.concat([bytes.subarray(0, index.start), bytes.subarray(index.end), shifted]);
}

const ZEROS = Buffer.alloc(64 * 1_024);

/**
 * A real clip with nothing after it, for as long as `totalBytes` says or for ever.
 * Players ignore what follows an MP4's last box; whoever stores it does not.
 */
export function padded(file: string, type: string, totalBytes: number): Answer {
  return async (exchange) => {
    const clip = await readFile(pathOf(exchange, file));
    const isEndless = totalBytes === Infinity;
    exchange.response.writeHead(200, {
      "content-type": type,
      ...(isEndless ? {} : { "content-length": Math.max(totalBytes, clip.length) }),
    });
    if (exchange.request.method === "HEAD") return void exchange.response.end();
    await send(exchange.response, Readable.from(withPadding(clip, ZEROS, totalBytes)));
  };
}

const RECORDING_HZ = 32_000;
/** Of samples of one byte without a sign, this one is silence. */
const SILENCE = Buffer.alloc(64 * 1_024, 128);

/** Sound without a sound, made while it is sent: long recordings that take no room on the disk. */
export function silentRecording(seconds: number): Answer {
  return async ({ request, response }) => {
    const totalBytes = RIFF_HEADER_BYTES + seconds * RECORDING_HZ;
    response.writeHead(200, { "content-type": "audio/wav", "content-length": totalBytes });
    if (request.method === "HEAD") return void response.end();
    await send(response, Readable.from(withPadding(riffHeader(seconds * RECORDING_HZ), SILENCE, totalBytes)));
  };
}

const RIFF_HEADER_BYTES = 44;

/** One channel of 8-bit PCM in a RIFF file. */
function riffHeader(dataBytes: number): Buffer {
  const header = Buffer.alloc(RIFF_HEADER_BYTES);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(RIFF_HEADER_BYTES - 8 + dataBytes, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RECORDING_HZ, 24);
  header.writeUInt32LE(RECORDING_HZ, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/** A page whose text never ends. */
export function endlessText(beginning: (places: Places) => string): Answer {
  return async ({ request, response, places }) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    if (request.method === "HEAD") return void response.end();
    const filler = Buffer.from(`<p>${"and so on ".repeat(6_000)}</p>\n`);
    await send(response, Readable.from(withPadding(Buffer.from(beginning(places)), filler, Infinity)));
  };
}

const BOMB_BYTES = 10_000_000_000;
const BOMB_STEP_BYTES = 10_000_000;

/** About 10 MB on the wire that unpack to 10 GB of spaces: one gzip member, made of the same block over and over. */
export function gzipBomb(beginning: (places: Places) => string): Answer {
  return async ({ request, response, places }) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" });
    if (request.method === "HEAD") return void response.end();
    // A fully flushed block ends on a whole byte and refers to nothing before it, so it can be repeated.
    const block = (bytes: Buffer): Buffer => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
    const head = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
      block(Buffer.from(beginning(places))),
    ]);
    const spaces = block(Buffer.alloc(BOMB_STEP_BYTES, " "));
    const wireBytes = head.length + spaces.length * (BOMB_BYTES / BOMB_STEP_BYTES);
    await send(response, Readable.from(withPadding(head, spaces, wireBytes)));
  };
}

function* withPadding(beginning: Buffer, filler: Buffer, totalBytes: number): Generator<Buffer> {
  yield beginning;
  for (let left = totalBytes - beginning.length; left > 0; left -= filler.length)
    yield left < filler.length ? filler.subarray(0, left) : filler;
}

interface FilePart {
  readonly start: number;
  /** The last byte, included. */
  readonly end: number;
  readonly sizeBytes: number;
}

/** Writes status and headers for the range asked for. Returns nothing when that was the whole answer. */
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
    ...(range ? { "content-range": `bytes ${start}-${end}/${sizeBytes}` } : {}),
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

/** Sends it all; a reader who leaves early is nobody's fault. */
async function send(response: ServerResponse, body: Readable, endResponse = true): Promise<void> {
  try {
    await pipeline(body, response, { end: endResponse });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE" || response.destroyed) return;
    throw error;
  }
}
