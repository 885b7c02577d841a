/** Limits of what one network may have queued or open at the same time: jobs, downloads, sockets, connections. */
import { once } from "node:events";
import { truncate, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { WebSocket } from "undici";
import { ErrorBody, SENTENCES } from "../../../common/errors.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";
import { identified, openUnidentified } from "../../dev/testing/unidentified-socket.ts";

/** More than the kernel keeps for a reader that does not read. */
const FILE_BYTES = 40_000_000;
let server: TestServer;
let device: TestDevice;
let fileUrl: string;
/** Later conversions wait for it. */
const released = Promise.withResolvers<void>();

beforeAll(async () => {
  let isFirst = true;
  server = await startTestServer(
    {
      hasExtractor: false,
      TRUST_PROXY: "1",
      VIDEO_HOSTS: "video.example",
      settings: {
        domain: { activeJobsPerNetwork: 2 },
        realtime: { socketsPerNetwork: 3 },
        // One connection of the proxy carries the requests of everybody: the number of its connections is not bounded.
        site: { downloadsPerNetwork: 2, connectionsPerNetwork: 1 },
      },
    },
    undefined,
    async ({ folder }, listener) => {
      if (!isFirst) await released.promise;
      isFirst = false;
      listener.progress({ stage: "store", percent: 99 });
      const path = join(folder, "result.mp3");
      await writeFile(path, "");
      await truncate(path, FILE_BYTES);
      return { path, sizeBytes: FILE_BYTES, durationSeconds: 1 };
    },
  );
  device = await server.newDevice();
  const { id } = await device.convert("https://video.example/first");
  await (await device.live()).untilStatus(id, "completed");
  device.close();
  fileUrl = `${server.origin}/api/conversions/${id}/file`;
});
afterAll(async () => {
  released.resolve();
  await server[Symbol.asyncDispose]();
});

const convertFrom = async (address: string, n: number) => {
  const visitor = await server.newDevice();
  const input = { youtubeUrl: `https://video.example/${n}`, format: "mp3" };
  return visitor.call("POST", "/api/conversions", input, { "x-forwarded-for": address });
};

it("refuses jobs of new cookies from a network that has enough, also by way of another proxy", async () => {
  for (const address of ["198.51.100.1", "198.51.100.2"]) expect((await convertFrom(address, 1)).status).toBe(201);
  const refused = await convertFrom("198.51.100.3", 2);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  expect(ErrorBody.parse(await refused.json())).toEqual({ code: "network_busy", message: SENTENCES.network_busy });
  // Only the last entry was written by our own proxy.
  expect((await convertFrom("203.0.113.1, 198.51.100.4", 3)).status).toBe(429);
  expect((await convertFrom("203.0.113.1", 4)).status).toBe(201);
});

/** Begins a download, and reads none of its body. */
async function beginDownload(address: string): Promise<IncomingMessage> {
  const headers = { cookie: device.cookie, "x-forwarded-for": address };
  const sent = request(fileUrl, { headers, agent: false });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

it("refuses downloads from a network that has enough open, until one of them ends", async () => {
  const slow = [await beginDownload("198.51.100.1"), await beginDownload("198.51.100.2")];
  expect(slow.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const refused = await beginDownload("198.51.100.3");
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "10"]);
  const elsewhere = await beginDownload("203.0.113.1");
  expect(elsewhere.statusCode).toBe(200);
  slow[0]?.destroy();
  // The server learns of it a moment later.
  let after = await beginDownload("198.51.100.3");
  while (after.statusCode === 429) after = await beginDownload("198.51.100.3");
  expect(after.statusCode).toBe(200);
  for (const response of [...slow, refused, elsewhere, after]) response.destroy();
});

/** Opens a connection below the sockets, which has not said yet whose it is. */
const openConnection = (address: string): WebSocket => openUnidentified(server, device.cookie, address);

it("refuses sockets from a network that has enough open", async () => {
  const sockets = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) => openConnection(address));
  expect(await Promise.all(sockets.map(identified))).toEqual(["open", "open", "open"]);
  expect(await identified(openConnection("192.0.2.4"))).toBe("refused");
  const elsewhere = openConnection("203.0.113.1");
  expect(await identified(elsewhere)).toBe("open");
  for (const socket of [...sockets, elsewhere]) socket.close();
});
