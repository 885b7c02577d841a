/** Servers that send more than requested, or send ranges late. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { ConversionError } from "../../../common/errors.ts";
import { startEgressGuard, type EgressGuard } from "../guard/egress-guard.ts";
import { fetchRanges, MAX_AHEAD_BYTES, RANGE_BYTES, type RemoteMedia } from "./fetch-ranges.ts";
import { GrowingFile } from "./growing-file.ts";
import { MediaClient } from "./media-client.ts";
import { RequestPauses } from "./request-pauses.ts";
import { spareBytesFor } from "./spare-space.ts";

const never = new AbortController().signal;
const folder = await testFolder();
let server: Server;
let port: number;
let guard: EgressGuard;
let whole: Buffer;
/** Start of each request's range. */
let requestedStarts: number[] = [];
/** Answers these requests with 429. */
let isRefused: (start: number) => boolean = () => false;
let answer: (response: ServerResponse, start: number, end: number) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [start = 0, end = 0] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []).slice(1).map(Number);
    requestedStarts.push(start);
    if (isRefused(start)) return void response.writeHead(429, { "retry-after": "0" }).end("later");
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
});
beforeEach(() => {
  requestedStarts = [];
  isRefused = () => false;
});

/** Fetches `whole` from the server. @returns the bytes on disk */
async function fetchWhole(
  onBytes: (bytes: number) => void = () => undefined,
  { rangeBytes, wantsSpareSpace }: Pick<RemoteMedia, "rangeBytes" | "wantsSpareSpace"> = {},
): Promise<Buffer> {
  using session = guard.open(1_000_000_000);
  await using client = new MediaClient(session, new RequestPauses({ maxMs: 0 }));
  await using file = await GrowingFile.create(join(folder, "fetched"));
  const tooLarge = (): ConversionError => new ConversionError("too_large");
  await fetchRanges(
    client,
    {
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      maxBytes: Infinity,
      rangeBytes,
      wantsSpareSpace,
      tooLarge,
      onBytes,
    },
    file,
    never,
  );
  await file.complete();
  expect(file.expectedBytes).toBe(file.wholeBytes);
  return await readFile(file.path);
}

/** @returns bytes in which each group of four differs from all others */
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

/** @returns an index (`moov`) with one media position @param fill bytes of a further box in it */
function indexOf(position: number, fill?: number): Buffer {
  const table = Buffer.alloc(12);
  table.writeUInt32BE(1, 4);
  table.writeUInt32BE(position, 8);
  const track = ["stbl", "minf", "mdia", "trak"].reduce((inner, type) => box(type, inner), box("stco", table));
  return box("moov", track, ...(fill === undefined ? [] : [box("udta", Buffer.alloc(fill))]));
}

/** Sends the range and 300 kB more, and never ends the body. */
function sendMore(response: ServerResponse, start: number, end: number): void {
  response.write(whole.subarray(start, end));
  response.write(Buffer.alloc(300_000, 0xff));
}

it("stores no more of a response than was requested", async () => {
  whole = distinct(2.5 * RANGE_BYTES);
  answer = sendMore;
  expect((await fetchWhole()).equals(whole)).toBe(true);
  expect(requestedStarts.toSorted((one, other) => one - other)).toEqual([0, RANGE_BYTES, 2 * RANGE_BYTES]);
});

it("buffers no more of a response than was requested when the index of an MP4 is at the end", async () => {
  const type = box("ftyp", Buffer.from("isom\0\0\0\0"));
  const media = box("mdat", distinct(2.5 * RANGE_BYTES));
  const position = type.length + 8;
  whole = Buffer.concat([type, media, indexOf(position)]);
  answer = sendMore;
  const index = indexOf(position + indexOf(0).length);
  expect((await fetchWhole()).equals(Buffer.concat([type, index, media]))).toBe(true);
  expect(requestedStarts.toSorted((one, other) => one - other)).toEqual([
    0,
    RANGE_BYTES,
    2 * RANGE_BYTES,
    type.length + media.length,
  ]);
});

it.each([
  ["in front", false, 10],
  ["in front and longer than the bytes that show where it is", false, 100_000],
  ["at the end", true, 10],
])("inserts free space behind an index %s where it is wanted", async (_, isLast, fill) => {
  const type = box("ftyp", Buffer.from("isom\0\0\0\0"));
  const media = box("mdat", distinct(2.5 * RANGE_BYTES));
  const indexBytes = indexOf(0, fill).length;
  const position = type.length + 8 + (isLast ? 0 : indexBytes);
  const index = indexOf(position, fill);
  whole = Buffer.concat([type, ...(isLast ? [media, index] : [index, media])]);
  answer = (response, start, end) => void response.end(whole.subarray(start, end));
  const spareBytes = spareBytesFor(whole.length);
  const moved = indexOf(position + spareBytes + (isLast ? indexBytes : 0), fill);
  const space = box("free", Buffer.alloc(spareBytes - 8));
  const fetched = await fetchWhole(undefined, { wantsSpareSpace: true });
  expect(fetched.equals(Buffer.concat([type, moved, space, media]))).toBe(true);
});

it.each([
  ["longer than the first range", indexOf(RANGE_BYTES + 100, RANGE_BYTES)],
  ["of fragments", box("moov", indexOf(60).subarray(8), box("mvex"))],
  ["without a position", box("moov", box("mvhd"))],
  ["with a position in front of the media", indexOf(8)],
])("inserts no free space behind an index %s", async (_, index) => {
  const type = box("ftyp", Buffer.from("isom\0\0\0\0"));
  whole = Buffer.concat([type, index, box("mdat", distinct(RANGE_BYTES))]);
  answer = (response, start, end) => void response.end(whole.subarray(start, end));
  expect((await fetchWhole(undefined, { wantsSpareSpace: true })).equals(whole)).toBe(true);
});

it.each([
  ["of the size that the site names", 5 * RANGE_BYTES, 5 * RANGE_BYTES],
  ["of ten mebibytes when the site names larger ones", 50 * 1_048_576, 10 * 1_048_576],
])("requests ranges %s", async (_, named, requested) => {
  whole = distinct(requested + 4_000);
  answer = (response, start, end) => void response.end(whole.subarray(start, end));
  expect((await fetchWhole(undefined, { rangeBytes: named })).equals(whole)).toBe(true);
  expect(requestedStarts).toEqual([0, requested]);
});

it("requests at most MAX_AHEAD_BYTES beyond a range that is slow", async () => {
  whole = distinct(MAX_AHEAD_BYTES + 5 * RANGE_BYTES);
  const slow = Promise.withResolvers<void>();
  let startsBeforeSlowRange: number[] = [];
  answer = (response, start, end) => {
    const send = (): unknown => response.end(whole.subarray(start, end));
    if (start === RANGE_BYTES) void slow.promise.then(send);
    else send();
  };
  // The first range and MAX_AHEAD_BYTES arrive; then all connections wait for the slow range.
  const bytes = await fetchWhole((count) => {
    if (count < MAX_AHEAD_BYTES + RANGE_BYTES || startsBeforeSlowRange.length > 0) return;
    startsBeforeSlowRange = [...requestedStarts];
    slow.resolve();
  });
  expect(Math.max(...startsBeforeSlowRange)).toBe(MAX_AHEAD_BYTES + RANGE_BYTES);
  expect(bytes.equals(whole)).toBe(true);
});

it("asks again for no more than the range that was answered with 429", async () => {
  whole = distinct(3 * RANGE_BYTES);
  answer = (response, start, end) => response.end(whole.subarray(start, end));
  isRefused = (start) => start === RANGE_BYTES && requestedStarts.filter((other) => other === start).length === 1;
  expect((await fetchWhole()).equals(whole)).toBe(true);
  expect(requestedStarts.toSorted((one, other) => one - other)).toEqual([0, RANGE_BYTES, RANGE_BYTES, 2 * RANGE_BYTES]);
});
