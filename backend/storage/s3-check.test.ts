import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { startTestStorage } from "../dev/testing/test-storage.ts";
import { checkS3, S3CheckError } from "./s3-check.ts";
import type { S3Settings } from "./s3-client.ts";

const storage = await ofFile(startTestStorage());
const settings = await storage.settings();

async function checkMessage(overrides: Partial<S3Settings>): Promise<string> {
  try {
    await checkS3({ ...settings, ...overrides });
  } catch (error) {
    if (error instanceof S3CheckError) return error.message;
    throw error;
  }
  return "none";
}

it("accepts working storage and leaves no object in it", async () => {
  expect(await checkMessage({})).toBe("none");
  expect((await storage.server.client.send(new ListObjectsV2Command({ Bucket: settings.bucket }))).KeyCount).toBe(0);
});

it.each<[string, Partial<S3Settings>, RegExp]>([
  [
    "a missing bucket",
    { bucket: `none-${randomUUID()}` },
    /^S3_BUCKET must name a bucket that is there, but http:\S+ has none called "none-/,
  ],
  ["an invalid bucket name", { bucket: "No Name" }, /^S3_BUCKET must /],
  ["an unknown key", { accessKeyId: "nobody" }, /^S3_ACCESS_KEY_ID must be a key that http:\S+ knows/],
  [
    "a wrong secret",
    { secretAccessKey: "wrong-secret" },
    /^S3_SECRET_ACCESS_KEY must be the secret that belongs to S3_ACCESS_KEY_ID/,
  ],
  ["a wrong region", { region: "eu-west-9" }, /^S3_REGION must be the region of the bucket/],
  [
    "an address without a server",
    { endpoint: "http://127.0.0.1:1" },
    /^S3_ENDPOINT must be where the storage answers, but http:\/\/127.0.0.1:1 does not \(\w+\); start it/,
  ],
])("rejects %s with a message that names the variable", async (_, overrides, expected) => {
  const message = await checkMessage(overrides);
  expect(message).toMatch(expected);
  expect(message).not.toContain("secret\n");
});

it.each([
  ["a page", 200, "<html>Hello</html>"],
  ["an error page", 404, "<html>Not here</html>"],
  ["an empty body", 200, ""],
])("rejects a server that is not S3-compatible and answers with %s", async (_, status, body) => {
  const server = createServer((_request, response) =>
    response.writeHead(status, { "content-type": "text/html" }).end(body),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    expect(await checkMessage({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })).toMatch(
      /^S3_ENDPOINT must be the address of S3-compatible storage/,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
