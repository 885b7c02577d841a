/** Some storages refuse the checksums that newer clients of S3 send by themselves. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import type { S3Settings } from "./s3-client.ts";
import { checkS3 } from "./s3-check.ts";
import { openS3Store } from "./s3-store.ts";
import { PART_BYTES } from "./s3-upload.ts";

/** Objects by their path, such as `/bucket/files/a.mp3`. */
const objects = new Map<string, Buffer>();
/** Requests that were refused. */
const refused: string[] = [];

const isChecksum = (header: string): boolean => /^x-amz-(?:checksum-|sdk-checksum-|trailer)/.test(header);

const xml = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`;

function list(): string {
  const entry = (path: string) =>
    `<Contents><Key>${path.replace("/bucket/", "")}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`;
  return xml("ListBucketResult", `<IsTruncated>false</IsTruncated>${[...objects.keys()].map(entry).join("")}`);
}

const UNFINISHED = xml(
  "ListMultipartUploadsResult",
  "<IsTruncated>false</IsTruncated><Upload><Key>files/left.1.mp4</Key><UploadId>left</UploadId>" +
    "<Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>",
);

/** Answers as little as the store needs. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const { pathname, searchParams } = new URL(request.url ?? "", "http://storage");
  const { method } = request;
  const object = objects.get(pathname);
  response.setHeader("ETag", '"tag"');
  if (Object.keys(request.headers).some(isChecksum) || searchParams.has("delete")) {
    refused.push(`${method} ${request.url}`);
    response.writeHead(501).end(xml("Error", "<Code>NotImplemented</Code><Message>no checksums</Message>"));
  } else if (searchParams.has("uploadId") || searchParams.has("uploads")) {
    if (method === "GET") response.end(UNFINISHED);
    else if (method === "DELETE") response.writeHead(204).end();
    else if (method === "PUT") {
      objects.set(pathname, Buffer.concat([object ?? Buffer.alloc(0), body]));
      response.end();
    } else if (searchParams.has("uploads"))
      response.end(xml("InitiateMultipartUploadResult", "<UploadId>one</UploadId>"));
    else response.end(xml("CompleteMultipartUploadResult", "<ETag>tag</ETag>"));
  } else if (method === "PUT") {
    objects.set(pathname, body);
    response.end();
  } else if (method === "DELETE") {
    objects.delete(pathname);
    response.writeHead(204).end();
  } else if (searchParams.has("list-type")) response.end(list());
  else if (object === undefined) response.writeHead(404).end(xml("Error", "<Code>NoSuchKey</Code>"));
  else response.writeHead(200, { "content-length": object.length }).end(method === "HEAD" ? undefined : object);
}

const server = createServer((request, response) => void answer(request, response));
const folder = await testFolder();
let settings: S3Settings;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  settings = {
    endpoint,
    publicEndpoint: endpoint,
    region: "us-east-1",
    bucket: "bucket",
    prefix: "files/",
    accessKeyId: "key",
    secretAccessKey: "secret",
    forcePathStyle: true,
    downloads: "proxy",
    timeoutMs: 5_000,
  };
});
afterAll(() => server.close());

it("checks, stores, lists, reads and removes files in a storage that refuses checksums", async () => {
  await checkS3(settings);
  using store = openS3Store(settings);
  const sizes = [5, PART_BYTES + 5];
  for (const sizeBytes of sizes) {
    const key = `${randomUUID()}.1.mp4`;
    const path = join(folder, key);
    await writeFile(path, Buffer.alloc(sizeBytes, "x"));
    await store.put(key, path);
    const listed: string[] = [];
    for await (const file of store.list()) listed.push(file.key);
    expect(listed).toEqual([key]);
    expect(await buffer(await store.read(key))).toHaveLength(sizeBytes);
    await store.remove(key);
  }
  expect(await store.clearUnfinished(0)).toBe(1);
  expect(objects.size).toBe(0);
  expect(refused).toEqual([]);
});
