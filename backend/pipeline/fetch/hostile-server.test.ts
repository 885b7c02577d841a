/** Media servers that break the protocol. Whatever they send may end the job, never the process. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { startEgressGuard, type EgressGuard } from "../egress-guard.ts";
import { fetchRanges } from "./fetch-ranges.ts";
import { GrowingFile } from "./growing-file.ts";
import { MediaClient } from "./http-pieces.ts";

const BUDGET_BYTES = 3_000_000;

let folder: string;
let server: Server;
let port: number;
let guard: EgressGuard;
let answer: (socket: Socket) => void;
/** Rejects with an error that was thrown outside of any promise, which would end the server's process. */
const { promise: uncaught, reject: onUncaught } = Promise.withResolvers<never>();

beforeAll(async () => {
  process.on("uncaughtException", onUncaught);
  folder = await mkdtemp(join(tmpdir(), "hostile-server-"));
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  ({ port } = server.address() as AddressInfo);
  guard = await startEgressGuard({ allow: [{ host: "127.0.0.1", port }] });
});
afterAll(async () => {
  process.off("uncaughtException", onUncaught);
  await guard.stop();
  server.close();
  await rm(folder, { recursive: true });
});

/** Writes as fast as it is read, until the connection ends. */
function pour(socket: Socket, bytes: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on("drain", more);
  more();
}

/** Fetches one file as a conversion does. */
function fetchFile(): Promise<void> {
  return Promise.race([fetchThroughGuard(), uncaught]);
}

async function fetchThroughGuard(): Promise<void> {
  using session = guard.open(BUDGET_BYTES);
  await using client = new MediaClient(session);
  await using file = await GrowingFile.create(join(folder, "fetched"));
  const tooLarge = (): ConversionError => new ConversionError("too_large");
  const media = { url: `http://127.0.0.1:${port}/`, headers: {}, maxBytes: BUDGET_BYTES, tooLarge, onBytes: () => undefined };
  await fetchRanges(client, media, file, session.exceeded);
}

it("ends the job when a body without length exceeds the byte budget", async () => {
  answer = (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    pour(socket, Buffer.alloc(65_536));
  };
  await expect(fetchFile()).rejects.toMatchObject({ code: "too_large" });
});

it("ends the job when a body without length ends with a reset", async () => {
  answer = (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.write(Buffer.alloc(65_536), () => socket.resetAndDestroy());
  };
  await expect(fetchFile()).rejects.toMatchObject({ code: "network" });
});
