/** Random requests: each gets an answer below 500, or its connection is closed. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { ODD_HEADERS, ODD_TARGETS } from "../dev/fuzz/odd-requests.ts";
import { faultOf, rawRequest, sendRaw } from "../dev/testing/raw-request.ts";
import { startTestServer } from "../dev/testing/test-server.ts";

const server = await ofFile(startTestServer({ PAYMENT_STAND_IN: "on" }));
beforeAll(async () => {
  await mkdir(server.distFolder, { recursive: true });
  await writeFile(join(server.distFolder, "index.html"), "<!doctype html><title>Tapedeck</title>");
});

const host = (): string => new URL(server.origin).host;

/** @returns an arbitrary of a request: method, path, header lines and body */
function arbitraryRequest() {
  const word = fc.oneof(
    fc.constantFrom(
      "api",
      "conversions",
      "socket.io",
      "login",
      "development-sign-in",
      "..",
      "%",
      "%00",
      "",
      "x.js",
      "\u00ff",
    ),
    fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "")),
  );
  const target = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ODD_TARGETS.filter(({ length }) => length < 1_000)) },
    { weight: 3, arbitrary: fc.array(word, { maxLength: 6 }).map((words) => `/${words.join("/")}`) },
    { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
  );
  const method = fc.constantFrom(
    "GET",
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "M-SEARCH",
    "get",
    "\u00ff",
  );
  const headers = fc.array(
    fc.constantFrom(
      ...ODD_HEADERS.filter(([name]) => !name.startsWith("2,500")).flatMap(([, lines]) => lines),
      "Content-Type: application/json",
      "Content-Encoding: br",
      "Content-Encoding: gzip",
      "Origin: ORIGIN",
      "Cookie: COOKIE",
    ),
    { maxLength: 5 },
  );
  const body = fc.oneof(
    fc.constant(Buffer.alloc(0)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => gzipSync(text)),
  );
  return fc.tuple(method, target, headers, body);
}

it("answers 3,000 random requests below 500, or closes the connection", async () => {
  const { cookie } = await server.newDevice();
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryRequest(), { minLength: 10, maxLength: 10 }), async (requests) => {
      await Promise.all(
        requests.map(async ([method, path, lines, bytes]) => {
          // With a length that is too large, the server would wait for the rest of the body.
          const whole = lines
            .filter((line) => !/^(?:content-length|transfer-encoding|upgrade):/i.test(line))
            .map((line) => line.replace("{host}", host()).replace("ORIGIN", server.origin).replace("COOKIE", cookie));
          const answer = await sendRaw(server.origin, rawRequest(`${method} ${path} HTTP/1.1`, whole, bytes));
          expect(answer === null ? null : faultOf(answer)).toBeNull();
        }),
      );
    }),
    { numRuns: 300, seed: 20_261_122 },
  );
});
