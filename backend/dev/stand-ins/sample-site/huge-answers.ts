/** Answers that are very long or endless. They are made while they are sent, so they take no memory or disk here. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, crc32, deflate, deflateRawSync } from "node:zlib";
import { send } from "./answers.ts";
import type { Answer, PageContext } from "./exchange.ts";

const ZEROS = Buffer.alloc(64 * 1_024);

/**
 * A real clip followed by zeros. Players ignore bytes after an MP4's last box, but they count for a download.
 * @param totalBytes Infinity: the answer never ends
 */
export function padded(file: string, type: string, totalBytes: number): Answer {
  return async (exchange) => {
    const clip = await readFile(path.join(exchange.clips, file));
    const isEndless = totalBytes === Infinity;
    exchange.response.writeHead(200, {
      "content-type": type,
      ...(!isEndless && { "content-length": Math.max(totalBytes, clip.length) }),
    });
    if (exchange.request.method === "HEAD") return void exchange.response.end();
    await send(exchange.response, Readable.from(withPadding(clip, ZEROS, totalBytes)));
  };
}

/** Of 320 kbps at 48 kHz in stereo: 960 bytes for 1,152 samples. What follows the header is zero: silence. */
const SILENT_FRAME = Buffer.concat([Buffer.of(0xff, 0xfb, 0xe4, 0x00)], 960);
const FRAMES_PER_SECOND = 48_000 / 1_152;
const SILENCE = Buffer.concat(Array.from({ length: 64 }, () => SILENT_FRAME));

/** An MP3 of silence with 320 kbps; a long one takes no space on the disk. */
export function silentRecording(seconds: number): Answer {
  return async ({ request, response }) => {
    const totalBytes = Math.round(seconds * FRAMES_PER_SECOND) * SILENT_FRAME.length;
    response.writeHead(200, { "content-type": "audio/mpeg", "content-length": totalBytes });
    if (request.method === "HEAD") return void response.end();
    await send(response, Readable.from(withPadding(SILENT_FRAME, SILENCE, totalBytes)));
  };
}

/** A black picture as PNG (https://www.w3.org/TR/png-3/); a large one has few bytes. */
export function blackPicture(widthPixels: number, heightPixels: number): Answer {
  return async ({ response }) => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(widthPixels, 0);
    header.writeUInt32BE(heightPixels, 4);
    // Eight bits of grey for each pixel; each line begins with the number of its filter.
    header.writeUInt8(8, 8);
    const pixels = await promisify(deflate)(Buffer.alloc((widthPixels + 1) * heightPixels));
    const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", pixels), pngChunk("IEND", Buffer.alloc(0))];
    response.writeHead(200, { "content-type": "image/png" });
    response.end(Buffer.concat([PNG_SIGNATURE, ...chunks]));
  };
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}

/** An HTML page whose text never ends. */
export function endlessText(beginning: (context: PageContext) => string): Answer {
  return async ({ request, response, context }) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    if (request.method === "HEAD") return void response.end();
    const filler = Buffer.from(`<p>${"and so on ".repeat(6_000)}</p>\n`);
    await send(response, Readable.from(withPadding(Buffer.from(beginning(context)), filler, Infinity)));
  };
}

const BOMB_BYTES = 10_000_000_000;
const BOMB_STEP_BYTES = 10_000_000;

/** About 10 MB on the wire that unpack to 10 GB of spaces: one gzip member that repeats the same block. */
export function gzipBomb(beginning: (context: PageContext) => string): Answer {
  return async ({ request, response, context }) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" });
    if (request.method === "HEAD") return void response.end();
    // A fully flushed block ends on a whole byte and refers to nothing before it, so it can be repeated.
    const block = (bytes: Buffer): Buffer => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
    const head = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
      block(Buffer.from(beginning(context))),
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
