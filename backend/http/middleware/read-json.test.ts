import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import Koa from "koa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UserError } from "../../../common/errors.ts";
import { readJson } from "./read-json.ts";

let server: Server;
beforeAll(async () => {
  const app = new Koa();
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      ctx.body = error.code;
    }
  });
  app.use(readJson());
  app.use((ctx) => {
    ctx.body = JSON.stringify(ctx.request.body);
  });
  const handle = app.callback();
  server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

async function send(body: string | Buffer, headers: Record<string, string> = {}): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    body: new Uint8Array(Buffer.from(body)),
    headers: { "content-type": "application/json", ...headers },
  });
  return answer.text();
}

const JSON_TEXT = '{"a":[1,"é"]}';
const TOO_LARGE = JSON.stringify(["x".repeat(102_400)]);

it.each([
  ["plain JSON", JSON_TEXT, {}],
  ["JSON after a byte order mark", `\uFEFF${JSON_TEXT}`, {}],
  ["JSON with a charset in its type", JSON_TEXT, { "content-type": "application/json; charset=utf-8" }],
  ["gzip", gzipSync(JSON_TEXT), { "content-encoding": "gzip" }],
  ["deflate", deflateSync(JSON_TEXT), { "content-encoding": "deflate" }],
  ["brotli", brotliCompressSync(JSON_TEXT), { "content-encoding": "br" }],
  ["encoding identity", JSON_TEXT, { "content-encoding": "identity" }],
])("parses %s", async (_, body, headers: Record<string, string>) => {
  expect(await send(body, headers)).toBe(JSON_TEXT);
});

it.each([
  ["an empty body", "", {}],
  ["a body of another type", JSON_TEXT, { "content-type": "text/plain" }],
])("reads %s as an empty object", async (_, body, headers: Record<string, string>) => {
  expect(await send(body, headers)).toBe("{}");
});

it.each([
  ["a string", '"x"', {}],
  ["half an object", '{"a":', {}],
  ["a __proto__ key in an inner object", '{"a":[{"__proto__":{}}]}', {}],
  ["an unknown encoding", JSON_TEXT, { "content-encoding": "zstd" }],
  ["an empty body that claims to be gzip", "", { "content-encoding": "gzip" }],
  ["plain JSON that claims to be gzip", JSON_TEXT, { "content-encoding": "gzip" }],
])("refuses %s as a bad request", async (_, body, headers: Record<string, string>) => {
  expect(await send(body, headers)).toBe("bad_request");
});

it.each([
  ["a body", TOO_LARGE, {}],
  ["a gzip body that decompresses to", gzipSync(TOO_LARGE), { "content-encoding": "gzip" }],
])("refuses %s more than 100 KiB as too large", async (_, body, headers: Record<string, string>) => {
  expect(await send(body, headers)).toBe("payload_too_large");
});
