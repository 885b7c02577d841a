/** Servers that do not keep to what they are asked for, or not to its order. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { startEgressGuard, type EgressGuard } from "../guard/egress-guard.ts";
import { fetchRanges, MAX_AHEAD_BYTES, RANGE_BYTES } from "./fetch-ranges.ts";
import { GrowingFile } from "./growing-file.ts";
import { MediaClient } from "./media-client.ts";

const never = new AbortController().signal;
let folder: string;
let server: Server;
let port: number;
let guard: EgressGuard;
let whole: Buffer;
/** Where each request's range began. */
let asked: number[] = [];
let answer: (response: ServerResponse, start: number, end: number) => void;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ranges-"));
  server = createServer((request, response) => {
    const [start = 0, end = 0] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []).slice(1).map(Number);
    asked.push(start);
    response.writeHead(206, { "content-range": `bytes ${start}-${Math.min(end, whole.length - 1)}/${whole.length}` });
    answer(response, start, Math.min(end + 1, whole.length));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  ({ port } = server.address() as AddressInfo);
  guard = await startEgressGuard({ allow: [{ host: "127.0.0.1", port }] });
});
afterAll(async () => {
  await guard.stop();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
});

/** What is on disk afterwards. */
async function fetched(onBytes: (bytes: number) => void = () => undefined): Promise<Buffer> {
  using session = guard.open(1_000_000_000);
  await using client = new MediaClient(session);
  await using file = await GrowingFile.create(join(folder, "fetched"));
  const tooLarge = (): ConversionError => new ConversionError("too_large");
  await fetchRanges(client, { url: `http://127.0.0.1:${port}/`, headers: {}, maxBytes: Infinity, tooLarge, onBytes }, file, never);
  await file.complete();
  return await readFile(file.path);
}

/** Bytes of which no two stretches are alike. */
function distinct(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at + 4 <= count; at += 4) bytes.writeUInt32BE(at, at);
  return bytes;
}

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  header.write(type, 4, "latin1");
  return Buffer.concat([header, ...content]);
}

/** An index that names one position. */
function indexOf(position: number): Buffer {
  const table = Buffer.alloc(12);
  table.writeUInt32BE(1, 4);
  table.writeUInt32BE(position, 8);
  return ["stbl", "minf", "mdia", "trak", "moov"].reduce((inner, type) => box(type, inner), box("stco", table));
}

/** Never ends by itself: who goes on reading waits for ever. */
function answerMore(response: ServerResponse, start: number, end: number): void {
  response.write(whole.subarray(start, end));
  response.write(Buffer.alloc(300_000, 0xff));
}

it("takes no more of an answer than was asked for", async () => {
  whole = distinct(2.5 * RANGE_BYTES);
  answer = answerMore;
  expect((await fetched()).equals(whole)).toBe(true);
  expect(asked.toSorted((one, other) => one - other)).toEqual([0, RANGE_BYTES, 2 * RANGE_BYTES]);
});

it("holds no more of it in memory, where an MP4 has its index at the end", async () => {
  const type = box("ftyp", Buffer.from("isom\0\0\0\0"));
  const media = box("mdat", distinct(2.5 * RANGE_BYTES));
  const position = type.length + 8;
  whole = Buffer.concat([type, media, indexOf(position)]);
  answer = answerMore;
  const index = indexOf(position + indexOf(0).length);
  expect((await fetched()).equals(Buffer.concat([type, index, media]))).toBe(true);
  expect(asked.toSorted((one, other) => one - other)).toEqual([0, RANGE_BYTES, 2 * RANGE_BYTES, type.length + media.length]);
});

it("does not run far ahead of a range that is slow to come", async () => {
  whole = distinct(MAX_AHEAD_BYTES + 5 * RANGE_BYTES);
  const slow = Promise.withResolvers<void>();
  let askedMeanwhile: number[] = [];
  answer = (response, start, end) => {
    const send = (): unknown => response.end(whole.subarray(start, end));
    if (start === RANGE_BYTES) void slow.promise.then(send);
    else send();
  };
  // The first range, and as much as may be ahead of it: nothing more comes before the slow one does.
  const bytes = await fetched((count) => {
    if (count < MAX_AHEAD_BYTES + RANGE_BYTES || askedMeanwhile.length > 0) return;
    askedMeanwhile = [...asked];
    slow.resolve();
  });
  expect(Math.max(...askedMeanwhile)).toBe(MAX_AHEAD_BYTES + RANGE_BYTES);
  expect(bytes.equals(whole)).toBe(true);
});
