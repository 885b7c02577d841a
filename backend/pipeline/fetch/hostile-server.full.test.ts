/** Media servers that break the protocol. A response may fail the job, but never end the process. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { startEgressGuard, type EgressGuard, type GuardSession } from "../guard/egress-guard.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { fetchRemoteFile } from "./remote-file.ts";
import { watchStall } from "../guard/stall-watch.ts";
import { downloadDirectly, type DirectPlan } from "./direct-download.ts";
import { GrowingFile } from "./growing-file.ts";
import { MediaClient } from "./media-client.ts";
import { RequestPauses } from "./request-pauses.ts";

const BUDGET_BYTES = 3_000_000;
/** Where nothing is sent. Elsewhere no pause of a busy machine counts as one of the server. */
const STALL_MS = { silent: 200, sending: 240_000 };

const folder = await testFolder();
let server: Server;
let port: number;
let guard: EgressGuard;
let answer: (socket: Socket) => void;
const open = new Set<Socket>();
/** Called with an error that was thrown outside of any promise, which would end the process. */
let onUncaught: (error: unknown) => void = () => undefined;
const onUncaughtException = (error: unknown): void => onUncaught(error);

beforeAll(async () => {
  process.on("uncaughtException", onUncaughtException);
  server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  ({ port } = server.address() as AddressInfo);
  guard = await startEgressGuard({ allow: [{ host: "127.0.0.1", port }] });
});
afterAll(async () => {
  process.off("uncaughtException", onUncaughtException);
  await guard.stop();
  server.close();
});

/** Writes without end, as fast as the client reads. */
function sendForever(socket: Socket, text: string): void {
  const bytes = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on("drain", more);
  more();
}

const send = (text: string) => (socket: Socket) => void socket.end(text);
const sendAndReset = (text: string) => (socket: Socket) => void socket.write(text, () => socket.resetAndDestroy());
const sendThenForever = (text: string, more: string) => (socket: Socket) => {
  socket.write(text);
  sendForever(socket, more);
};
const sendAndWait = (text: string) => (socket: Socket) => void socket.write(text);

type Fetch = (session: GuardSession, signal: AbortSignal) => Promise<void>;

const download =
  (planFor: (url: string) => DirectPlan): Fetch =>
  async (session, signal) => {
    await using client = new MediaClient(session, new RequestPauses({ maxMs: 0 }));
    await using file = await GrowingFile.create(join(folder, "fetched"));
    const url = `http://127.0.0.1:${port}/`;
    const rendition = testRendition({ url });
    const tooLarge = (): ConversionError => new ConversionError("too_large");
    await downloadDirectly(
      client,
      { plan: planFor(url), rendition, maxBytes: BUDGET_BYTES, tooLarge, onFraction: () => undefined },
      file,
      signal,
    );
  };

const FETCHES = {
  file: download((url) => ({ kind: "file", url })),
  segments: download((url) => ({ kind: "segments", urls: [url, `${url}?second`] })),
  playlist: async (session, signal) => {
    await fetchRemoteFile(
      session,
      { url: `http://127.0.0.1:${port}/`, maxBytes: BUDGET_BYTES, timeoutMs: 60_000 },
      signal,
    );
  },
} satisfies Record<string, Fetch>;

/** @returns the code of its failure, or "done" */
async function outcomeOf(fetch: Fetch, stallMs: number): Promise<string> {
  const uncaught = Promise.withResolvers<never>();
  onUncaught = uncaught.reject;
  using session = guard.open(BUDGET_BYTES);
  using watch = watchStall(session, stallMs);
  try {
    await Promise.race([fetch(session, AbortSignal.any([session.exceeded, watch.stalled])), uncaught.promise]);
    return "done";
  } catch (error) {
    if (error instanceof ConversionError) return error.code;
    throw error;
  }
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
interface Row {
  readonly name: string;
  readonly answer: (socket: Socket) => void;
  readonly file: string;
  readonly segments: string;
  readonly playlist: string;
}
/** A row with the same outcome for file, segments and playlist. */
const always = (name: string, hostile: (socket: Socket) => void, code: string): Row => ({
  name,
  answer: hostile,
  file: code,
  segments: code,
  playlist: code,
});

const ROWS: readonly Row[] = [
  always("a body without length that never ends", sendThenForever(`${OK}\r\n`, "x"), "too_large"),
  always("a body without length that is reset", sendAndReset(`${OK}\r\nabc`), "network"),
  always("a chunked body that never ends", sendThenForever(CHUNKED, "1\r\nx\r\n"), "too_large"),
  always("a chunked body that is reset", sendAndReset(`${CHUNKED}3\r\nabc\r\n`), "network"),
  always("a chunked body that is cut off", send(`${CHUNKED}3\r\nabc\r\n`), "network"),
  always("a chunk of no size", send(`${CHUNKED}zz\r\nabc\r\n`), "network"),
  always("more bytes than stated", send(`${OK}content-length: 3\r\n\r\nabcdef`), "done"),
  always("fewer bytes than stated", send(`${OK}content-length: 300\r\n\r\nabc`), "network"),
  always("two different lengths", send(`${OK}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`), "network"),
  always("a length that is no number", send(`${OK}content-length: x\r\n\r\nabcd`), "network"),
  always("a reset in the header", sendAndReset(`${OK}content-`), "network"),
  always("a reset before the header", (socket) => void socket.resetAndDestroy(), "network"),
  always(
    "an upgrade that was not requested",
    sendAndWait("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nabc"),
    "network",
  ),
  always("a status line of garbage", send("garbage\r\n\r\n"), "network"),
  always("control characters in a header", send(`${OK}x\u0001y: a\u0000b\r\n\r\n`), "network"),
  always("a header that never ends", sendThenForever(OK, "a: b\r\n"), "network"),
  always(
    "hints before the header that never end",
    sendThenForever("", "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"),
    "too_large",
  ),
  always("100 Continue that was not requested", sendThenForever("", "HTTP/1.1 100 Continue\r\n\r\n"), "network"),
  always("silence instead of a header", () => undefined, "timeout"),
  always("silence in the header", sendAndWait(`${OK}content-`), "timeout"),
  always("silence in the body", sendAndWait(`${OK}content-length: 300\r\n\r\nabc`), "timeout"),
  always("silence in a body without length", sendAndWait(`${OK}\r\nabc`), "timeout"),
  always("a redirect to itself", send("HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n"), "unavailable"),
  always(
    "a redirect to no address",
    send("HTTP/1.1 302 Found\r\nlocation: http://[\r\ncontent-length: 0\r\n\r\n"),
    "network",
  ),
  {
    ...always("nothing to send", send("HTTP/1.1 204 No Content\r\n\r\n"), "unavailable"),
    // Other segments may have come, so it is asked for again.
    segments: "network",
    playlist: "done",
  },
  {
    ...always(
      "another range than requested",
      send("HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 5-7/8\r\ncontent-length: 3\r\n\r\nabc"),
      "network",
    ),
    playlist: "done",
  },
  always(
    "a range that cannot be satisfied",
    send("HTTP/1.1 416 Range Not Satisfiable\r\ncontent-length: 0\r\n\r\n"),
    "unavailable",
  ),
  {
    ...always(
      "a gzip encoding of bytes that are not gzip",
      send(`${OK}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc`),
      "unavailable",
    ),
    playlist: "network",
  },
  {
    ...always(
      "an unknown encoding",
      send(`${OK}content-encoding: x, br, gzip\r\ncontent-length: 3\r\n\r\nabc`),
      "unavailable",
    ),
    playlist: "done",
  },
];

describe.each(ROWS)("$name", (row) => {
  it.each(["file", "segments", "playlist"] as const)(
    "ends the download of a %s with the expected code and closes all connections",
    async (kind) => {
      ({ answer } = row);
      const stallMs = row[kind] === "timeout" ? STALL_MS.silent : STALL_MS.sending;
      expect(await outcomeOf(FETCHES[kind], stallMs)).toBe(row[kind]);
      await expect.poll(() => open.size).toBe(0);
    },
  );
});
