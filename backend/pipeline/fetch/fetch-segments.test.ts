/** Servers that send segments late, in parts, without a size, or changed. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { startEgressGuard, type EgressGuard } from "../guard/egress-guard.ts";
import { fetchSegments } from "./fetch-segments.ts";
import { GrowingFile } from "./growing-file.ts";
import { MediaClient } from "./media-client.ts";
import { RequestPauses } from "./request-pauses.ts";

const SEGMENT_BYTES = 300_000;
const SEGMENTS = [1, 2, 3, 4].map((fill) => Buffer.alloc(SEGMENT_BYTES + fill, fill));

type Answer = (response: ServerResponse, bytes: Buffer) => void;
const atOnce: Answer = (response, bytes) => response.setHeader("content-length", bytes.length).end(bytes);

const withoutSize: Answer = (response, bytes) => {
  response.write(bytes);
  response.end();
};

const folder = await testFolder();
let server: Server;
let port: number;
let guard: EgressGuard;
/** For each segment, those of its requests; the last one is repeated. */
let answers: Record<number, readonly Answer[]> = {};
let requestCounts: number[] = [];
/** Which test it is, in each address: a request of an ended fetch may arrive while the next test runs. */
let round = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, ofRound, inAddress] = (request.url ?? "").split("/");
    if (Number(ofRound) !== round) return void response.destroy();
    const position = Number(inAddress);
    const nth = requestCounts[position] ?? 0;
    requestCounts[position] = nth + 1;
    const planned = answers[position] ?? [atOnce];
    const answer = planned[Math.min(nth, planned.length - 1)] ?? atOnce;
    answer(response, SEGMENTS[position] ?? Buffer.alloc(0));
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
  answers = {};
  requestCounts = [];
  round += 1;
});

/** @param watch called with the file before anything is fetched */
async function fetchAll(watch: (file: GrowingFile) => void = () => undefined): Promise<Buffer> {
  using session = guard.open(1_000_000_000);
  await using client = new MediaClient(session, new RequestPauses({ maxMs: 0, retryMs: 0 }));
  await using file = await GrowingFile.create(join(folder, "fetched"));
  watch(file);
  const urls = SEGMENTS.map((_, position) => `http://127.0.0.1:${port}/${round}/${position}`);
  const segments = { urls, headers: {}, onFraction: () => undefined };
  await fetchSegments(client, segments, file, new AbortController().signal);
  await file.complete();
  return await readFile(file.path);
}

const whole = Buffer.concat(SEGMENTS);

it.each([
  ["states sizes", atOnce],
  ["states none", withoutSize],
] as const)("guesses the size of all segments where the server %s", async (_, answer) => {
  answers = Object.fromEntries(SEGMENTS.map((_segment, position) => [position, [answer]]));
  let watched: GrowingFile | undefined;
  await fetchAll((file) => (watched = file));
  expect(watched?.guessedBytes).toBe(whole.length);
});

/** Sends the first bytes, and breaks off when they are in the file. */
const breaksOff =
  (bytesInFile: Promise<unknown>): Answer =>
  (response, bytes) => {
    response.setHeader("content-length", bytes.length).write(bytes.subarray(0, SEGMENT_BYTES / 2));
    void bytesInFile.then(() => response.destroy());
  };

/** Resolves when half of the first segment is in the file. */
function halfOfFirst(): { readonly promise: Promise<unknown>; readonly watch: (file: GrowingFile) => void } {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return { promise, watch: (file) => resolve(file.atLeast(SEGMENT_BYTES / 2)) };
}

it("writes a segment while it arrives", async () => {
  const half = halfOfFirst();
  answers[0] = [
    (response, bytes) => {
      response.setHeader("content-length", bytes.length).write(bytes.subarray(0, SEGMENT_BYTES / 2));
      // A fetch that keeps the segment until it is complete would wait forever.
      void half.promise.then(() => response.end(bytes.subarray(SEGMENT_BYTES / 2)));
    },
  ];
  expect((await fetchAll(half.watch)).equals(whole)).toBe(true);
});

it("puts segments in their order that arrive in another", async () => {
  const lastSent = Promise.withResolvers<void>();
  answers[0] = [(response, bytes) => void lastSent.promise.then(() => atOnce(response, bytes))];
  answers[3] = [
    (response, bytes) => {
      response.on("finish", () => lastSent.resolve());
      atOnce(response, bytes);
    },
  ];
  expect((await fetchAll()).equals(whole)).toBe(true);
});

it.each([0, 1, 3])("takes a segment without a stated size: the one at position %i", async (position) => {
  answers[position] = [
    (response, bytes) => {
      response.write(bytes.subarray(0, 1_000));
      response.end(bytes.subarray(1_000));
    },
  ];
  expect((await fetchAll()).equals(whole)).toBe(true);
});

it("goes on with a segment that broke off after a part was written", async () => {
  const half = halfOfFirst();
  answers[0] = [breaksOff(half.promise), atOnce];
  expect((await fetchAll(half.watch)).equals(whole)).toBe(true);
  expect(requestCounts).toEqual([2, 1, 1, 1]);
});

it.each<[string, Answer]>([
  ["another size", (response) => atOnce(response, Buffer.alloc(SEGMENT_BYTES))],
  ["another version", (response, bytes) => atOnce(response.setHeader("etag", '"second"'), bytes)],
  [
    "more bytes and no size",
    (response, bytes) => {
      response.write(bytes);
      response.end(Buffer.alloc(1_000));
    },
  ],
  [
    "fewer bytes and no size",
    (response, bytes) => {
      response.write(bytes.subarray(0, -10_000));
      response.end();
    },
  ],
])("does not mix a segment with one that has %s", async (_, second) => {
  const half = halfOfFirst();
  answers[0] = [breaksOff(half.promise), second];
  await expect(fetchAll(half.watch)).rejects.toMatchObject({ code: "network" });
});

const EMPTY_ANSWERS: readonly (readonly [string, Answer])[] = [
  ["a stated size of 0", (response) => atOnce(response, Buffer.alloc(0))],
  ["no stated size", (response) => (response.flushHeaders(), response.end())],
  ["no content", (response) => response.writeHead(204).end()],
];

it.each(EMPTY_ANSWERS)("asks again for a segment that was empty: with %s", async (_, empty) => {
  answers[1] = [empty, atOnce];
  expect((await fetchAll()).equals(whole)).toBe(true);
});

it.each(EMPTY_ANSWERS)("leaves no hole where a segment stays empty: with %s", async (_, empty) => {
  answers[1] = [empty];
  await expect(fetchAll()).rejects.toMatchObject({ code: "network", detail: expect.stringContaining("empty segment") });
});

it("passes on the error of the disk, and asks for nothing again", async () => {
  const full = new Error("the disk is full");
  await expect(fetchAll((file) => file.fail(full))).rejects.toBe(full);
  expect(requestCounts.every((count) => count === 1)).toBe(true);
});
