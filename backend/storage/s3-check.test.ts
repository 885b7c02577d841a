import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestStorage, type TestStorage } from "../dev/testing/test-storage.ts";
import { checkS3, S3RefusedError } from "./s3-check.ts";
import type { S3Settings } from "./s3-client.ts";

let storage: TestStorage;
let settings: S3Settings;
beforeAll(async () => {
  storage = await startTestStorage();
  settings = await storage.settings({ timeoutMs: 1_000 });
});
afterAll(() => storage[Symbol.asyncDispose]());

async function complaint(overrides: Partial<S3Settings>): Promise<string> {
  try {
    await checkS3({ ...settings, ...overrides });
  } catch (error) {
    if (error instanceof S3RefusedError) return error.message;
    throw error;
  }
  return "none";
}

it("storage that does what we need passes, and nothing is left in it", async () => {
  expect(await complaint({})).toBe("none");
  expect((await storage.minio.client.send(new ListObjectsV2Command({ Bucket: settings.bucket }))).KeyCount).toBe(0);
});

it.each<[string, Partial<S3Settings>, RegExp]>([
  [
    "a bucket that is not there",
    { bucket: `none-${randomUUID()}` },
    /^S3_BUCKET must name a bucket that is there, but http:\S+ has none called "none-/,
  ],
  ["no bucket's name", { bucket: "No Name" }, /^S3_BUCKET must /],
  ["a key nobody knows", { accessKeyId: "nobody" }, /^S3_ACCESS_KEY_ID must be a key that http:\S+ knows/],
  [
    "another secret",
    { secretAccessKey: "wrong-secret" },
    /^S3_SECRET_ACCESS_KEY must be the secret that belongs to S3_ACCESS_KEY_ID/,
  ],
  ["another region", { region: "eu-west-9" }, /^S3_REGION must be the region of the bucket/],
  [
    "an address where nobody answers",
    { endpoint: "http://127.0.0.1:1" },
    /^S3_ENDPOINT must be where the storage answers, but http:\/\/127.0.0.1:1 does not \(\w+\); start it/,
  ],
])("refuses %s in a sentence that says what to do", async (_, overrides, expected) => {
  const message = await complaint(overrides);
  expect(message).toMatch(expected);
  expect(message).not.toContain("secret\n");
});

it.each([
  ["a page", 200, "<html>Hello</html>"],
  ["a page that is not there", 404, "<html>Not here</html>"],
  ["nothing", 200, ""],
])("refuses a server that is no such storage and answers with %s", async (_, status, body) => {
  const server = createServer((_request, response) =>
    response.writeHead(status, { "content-type": "text/html" }).end(body),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    expect(await complaint({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })).toMatch(
      /^S3_ENDPOINT must be the address of S3-compatible storage/,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
