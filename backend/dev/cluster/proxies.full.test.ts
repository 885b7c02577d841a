/** The files for nginx and Caddy in the manual, in front of a server. Visitors are addresses of this machine. */
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import mongoose from "mongoose";
import { beforeAll, afterAll, describe, expect, it } from "vitest";
import { openBlockModels } from "../../domain/blocks/block-model.ts";
import { addBlock } from "../../domain/blocks/change-blocks.ts";
import { createInProcessBus } from "../../domain/bus.ts";
import { ownPort } from "../own-port.ts";
import { ServerProcess } from "../product/server-process.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { prepareCaddy, prepareNginx } from "../setup/debian-programs.ts";
import { isOffered } from "../testing/early-downloads.ts";
import { leadConversions } from "../testing/led-conversion.ts";
import { LiveView } from "../testing/live-view.ts";
import { openDevice, type TestDevice } from "../testing/test-device.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { testFolder } from "../testing/test-folder.ts";

const SIZE_BYTES = 400_000;
const manual = await readFile(join(REPOSITORY_ROOT, "docker/one/PROXIES.md"), "utf8");
const report = () => undefined;
/** Linux has all of 127.0.0.0/8; each /24 is a network of its own. */
const BLOCKED_NETWORK = "127.9.9.0/24";
const BLOCKED_VISITOR = "127.9.9.9";

/** @returns the manual's file, with a server's port for 3000 */
function fileFor(language: string, serverPort: number): string {
  const [, file = ""] = new RegExp(`\n\`\`\`${language}\n([^\`]+)\`\`\``).exec(manual) ?? [];
  expect(file).toContain("127.0.0.1:3000");
  return file.replace("127.0.0.1:3000", `127.0.0.1:${serverPort}`);
}

interface Setting {
  /** Where the proxy keeps its files. */
  readonly folder: string;
  readonly port: number;
  readonly serverPort: number;
}

async function nginx({ folder, port, serverPort }: Setting): Promise<readonly [string, ...string[]]> {
  const config = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`);
  const server = `server { listen 127.0.0.1:${port}; ${fileFor("nginx", serverPort)} }`;
  await writeFile(
    config,
    `pid ${folder}/pid; error_log stderr; daemon off; master_process off; events {}\n` +
      `http { access_log off; ${temporary.join(" ")} ${server} }\n`,
  );
  return [await prepareNginx({ report }), "-e", "stderr", "-p", folder, "-c", config];
}

async function caddy({ folder, port, serverPort }: Setting): Promise<readonly [string, ...string[]]> {
  const config = join(folder, "Caddyfile");
  const file = fileFor("caddy", serverPort).replace("tapedeck.example", `http://localhost:${port}`);
  await writeFile(config, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${file}`);
  return [await prepareCaddy({ report }), "run", "--config", config];
}

describe.each([
  ["nginx", nginx],
  ["Caddy", caddy],
])("%s", (name, commandFor) => {
  const started = new AsyncDisposableStack();
  const conversions = leadConversions(SIZE_BYTES);
  let server: TestServer;
  let device: TestDevice;
  let origin: string;
  let port: number;

  beforeAll(async () => {
    const folder = await testFolder();
    port = await ownPort();
    origin = `http://localhost:${port}`;
    const options = { PUBLIC_URL: origin, TRUST_PROXY: "1", hasExtractor: false };
    server = started.use(await startTestServer(options, undefined, conversions.convert));
    const command = await commandFor({ folder, port, serverPort: Number(new URL(server.origin).port) });
    const proxy = new ServerProcess({
      name,
      command,
      env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      ready: async () => (await fetch(`${origin}/healthz`)).ok,
      stopTimeoutMs: 5_000,
    });
    started.defer(() => proxy.stop());
    await proxy.start();
    device = await openDevice(origin);
    started.defer(() => device.close());
  });
  afterAll(() => started.disposeAsync());

  it("carries a conversion, its pushes, its file while it is made, and a range of it", async () => {
    const url = server.site.urlOf("rain");
    const live = await device.live();
    expect(live.socket.io.engine.transport.name).toBe("websocket");
    const { id } = await device.convert(url);
    const led = await conversions.next(url);
    await led.writeTo(SIZE_BYTES / 2);
    await live.until(id, isOffered);
    const path = `/api/conversions/${id}/file`;
    const early = (await device.call("GET", path)).body;
    if (!early) throw new Error("the answer has no body");
    const parts: Uint8Array[] = [];
    for await (const part of early) {
      // The first bytes arrive before the file is complete.
      if (parts.push(part) === 1) await led.finish();
    }
    expect(Buffer.concat(parts).equals(led.earlyBytes)).toBe(true);
    await live.untilStatus(id, "completed");
    const part = await device.call("GET", path, undefined, { range: "bytes=100-299" });
    expect({ status: part.status, range: part.headers.get("content-range") }).toEqual({
      status: 206,
      range: `bytes 100-299/${SIZE_BYTES}`,
    });
    expect(led.bytes.subarray(100, 300).equals(Buffer.from(await part.arrayBuffer()))).toBe(true);
  });

  it("carries pushes by long polling", async () => {
    const live = await LiveView.connect(origin, () => device.cookie, { transports: ["polling"] });
    expect(live.socket.io.engine.transport.name).toBe("polling");
    live.close();
  });

  it("refuses a body that is too large", async () => {
    for (const sizeBytes of [200_000, 2_000_000]) {
      const answer = await device.call("POST", "/api/conversions", { youtubeUrl: "x".repeat(sizeBytes) });
      expect(answer.status).toBe(413);
      await answer.body?.cancel();
    }
  });

  it("tells the visitor's own address, whatever the visitor says", async () => {
    await using connection = await connect(server);
    const [bus, blockRecords] = [createInProcessBus(), await openBlockModels(connection.to)];
    await addBlock({ blockRecords, bus }, { kind: "network", value: BLOCKED_NETWORK, reason: "a test", by: "a test" });
    await bus.close();
    await expect.poll(() => statusFor(port, BLOCKED_VISITOR)).toBe(403);
    expect(await statusFor(port, "127.0.0.1", { "x-forwarded-for": BLOCKED_VISITOR })).toBe(200);
    expect(await statusFor(port, BLOCKED_VISITOR, { "x-forwarded-for": "127.0.0.1" })).toBe(403);
  });
});

async function connect({ mongodbUri }: TestServer) {
  const to = await mongoose.createConnection(mongodbUri).asPromise();
  return { to, [Symbol.asyncDispose]: () => to.close() };
}

/** @returns the status of a call from an address */
async function statusFor(port: number, localAddress: string, headers = {}): Promise<number | undefined> {
  const options = { host: "127.0.0.1", port, path: "/api/config", localAddress };
  const asked = request({ ...options, headers: { host: `localhost:${port}`, ...headers } }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
