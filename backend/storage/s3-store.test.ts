import { randomBytes, randomUUID } from "node:crypto";
import { access } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { startTestStorage } from "../dev/testing/test-storage.ts";
import type { FileStore } from "./file-store.ts";
import { describeFileStore } from "./file-store.contract.ts";
import type { S3Settings } from "./s3-client.ts";
import { openS3Store, type S3Store } from "./s3-store.ts";
import { PART_BYTES, PARTS_AT_A_TIME } from "./s3-upload.ts";

const storage = await ofFile(startTestStorage());

describe("an S3 store", () => {
  let store: S3Store;
  describeFileStore(
    async () => {
      store = openS3Store(await storage.settings());
      return store;
    },
    async () => store[Symbol.dispose](),
  );
});

const newKey = () => `${randomUUID()}.1.mp4`;
async function listed(store: FileStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys;
}
describe("a large file", () => {
  it("is sent in parts and read as one file", async () => {
    const settings = await storage.settings();
    using store = openS3Store(settings);
    const bytes = randomBytes(2 * PART_BYTES + 12_345);
    const key = newKey();
    await store.put(key, await storage.localFile(bytes));
    const first = await storage.server.client.send(
      new HeadObjectCommand({ Bucket: settings.bucket, Key: `${settings.prefix}${key}`, PartNumber: 1 }),
    );
    expect(first).toMatchObject({ PartsCount: 3, ContentLength: PART_BYTES });
    expect(bytes.equals(await buffer(await store.read(key)))).toBe(true);
    const across = { start: PART_BYTES - 10, end: PART_BYTES + 9 };
    expect(await buffer(await store.read(key, across))).toEqual(bytes.subarray(across.start, across.end + 1));
  });

  it("is never completely in memory, neither when stored nor when read", async () => {
    using store = openS3Store(await storage.settings());
    const sizeBytes = 40 * PART_BYTES;
    const path = await storage.localFile(sizeBytes);
    const key = newKey();
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const bytesInUse = (): number => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const before = bytesInUse();
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, bytesInUse() - before);
    }, 20);
    try {
      await store.put(key, path);
      let readBytes = 0;
      for await (const chunk of await store.read(key)) readBytes += (chunk as Buffer).length;
      expect(readBytes).toBe(sizeBytes);
    } finally {
      clearInterval(watch);
    }
    // Parts being sent, and parts being read.
    expect(peak).toBeLessThan(3 * PARTS_AT_A_TIME * PART_BYTES);
  });
});

describe("a file that is still being written", () => {
  /** @returns the numbers of the parts that the storage has */
  async function arrivedParts({ bucket, prefix }: S3Settings, key: string): Promise<(number | undefined)[]> {
    const object = { Bucket: bucket, Key: `${prefix}${key}` };
    const { Uploads: [upload] = [] } = await storage.server.client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: object.Key }),
    );
    if (!upload) return [];
    const { Parts = [] } = await storage.server.client.send(
      new ListPartsCommand({ ...object, UploadId: upload.UploadId }),
    );
    return Parts.map(({ PartNumber }) => PartNumber);
  }

  it("is sent early, except for parts that may still change", async () => {
    const settings = await storage.settings();
    using store = openS3Store(settings);
    const bytes = randomBytes(3 * PART_BYTES + 5);
    const path = await storage.localFile(bytes);
    const key = newKey();
    await using upload = store.beginUpload(key, path);
    upload.reportFinalBytes({ from: 4_000, to: 2 * PART_BYTES - 1 });
    upload.reportFinalBytes({ from: 4_000, to: 3 * PART_BYTES + 1 });
    await expect.poll(() => arrivedParts(settings, key)).toEqual([2, 3]);
    expect(await store.stat(key)).toBeNull();
    await upload.finish();
    expect(bytes.equals(await buffer(await store.read(key)))).toBe(true);
    expect(await arrivedParts(settings, key)).toEqual([]);
  });

  it("that is smaller than a part is sent at the end, in one request", async () => {
    const settings = await storage.settings();
    using store = openS3Store(settings);
    const key = newKey();
    await using upload = store.beginUpload(key, await storage.localFile(randomBytes(1_000)));
    upload.reportFinalBytes({ from: 0, to: 1_000 });
    await upload.finish();
    const { ETag } = await storage.server.client.send(
      new HeadObjectCommand({ Bucket: settings.bucket, Key: `${settings.prefix}${key}` }),
    );
    // The ETag of a multipart upload ends with the number of parts.
    expect(ETag).not.toMatch(/-\d+"$/);
  });

  it("is stored even if another process has cleared its parts", async () => {
    const settings = await storage.settings();
    using store = openS3Store(settings);
    using other = openS3Store(settings);
    const bytes = randomBytes(2 * PART_BYTES + 5);
    const key = newKey();
    await using upload = store.beginUpload(key, await storage.localFile(bytes));
    upload.reportFinalBytes({ from: 0, to: 2 * PART_BYTES });
    await expect.poll(() => arrivedParts(settings, key)).toEqual([1, 2]);
    expect(await other.clearUnfinished(0)).toBe(1);
    await upload.finish();
    expect(bytes.equals(await buffer(await store.read(key)))).toBe(true);
    expect(await store.clearUnfinished(0)).toBe(0);
  });
});

describe("objects of other processes", () => {
  it("are cleared if they are unfinished uploads of the given age below our prefix", async () => {
    const settings = await storage.settings();
    using store = openS3Store(settings);
    const key = newKey();
    const object = { Bucket: settings.bucket, Key: `${settings.prefix}${key}` };
    const { client } = storage.server;
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
    await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: randomBytes(100) }));
    // An upload outside our prefix must stay.
    const foreign = { Bucket: settings.bucket, Key: `other/${key}` };
    await client.send(new CreateMultipartUploadCommand(foreign));
    expect(await store.clearUnfinished(60_000)).toBe(0);
    expect(await store.clearUnfinished(0)).toBe(1);
    expect(
      (await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket, Prefix: object.Key }))).Uploads ??
        [],
    ).toEqual([]);
    expect(
      (await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket, Prefix: foreign.Key }))).Uploads,
    ).toHaveLength(1);
  });

  it("are not listed outside our prefix or with a malformed key", async () => {
    const settings = await storage.settings();
    using store = openS3Store(settings);
    for (const Key of [
      "elsewhere.1.mp3",
      `${settings.prefix}deeper/a.1.mp3`,
      `${settings.prefix}no key`,
      "files.1.mp3",
    ])
      await storage.server.client.send(new PutObjectCommand({ Bucket: settings.bucket, Key, Body: "x" }));
    const key = newKey();
    await store.put(key, await storage.localFile(randomBytes(10)));
    expect(await listed(store)).toEqual([key]);
  });

  it("are listed over several pages", async () => {
    const settings = await storage.settings();
    using store = openS3Store(settings);
    // One more than the storage returns in a page.
    const keys = Array.from({ length: 1_001 }, (_, index) => `k${String(index).padStart(4, "0")}.1.mp3`);
    const left = [...keys];
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let key = left.pop(); key !== undefined; key = left.pop())
          await storage.server.client.send(
            new PutObjectCommand({ Bucket: settings.bucket, Key: `${settings.prefix}${key}`, Body: "x" }),
          );
      }),
    );
    expect(await listed(store)).toEqual(keys);
  });
});

describe("a presigned link", () => {
  it("is offered only if configured", async () => {
    using store = openS3Store(await storage.settings());
    expect(store.linkTo).toBeUndefined();
  });

  it("returns the file with name, type and range, and 403 without a valid signature", async () => {
    using store = openS3Store(await storage.settings({ downloads: "presigned" }));
    const bytes = randomBytes(1_000);
    const key = newKey();
    await store.put(key, await storage.localFile(bytes));
    const disposition = "attachment; filename=\"S__.mp3\"; filename*=UTF-8''S%C3%BC%C3%9F%20%F0%9F%8C%A7.mp3";
    const link = (await store.linkTo?.(key, { contentType: "audio/mpeg", disposition })) ?? "";
    const answer = await fetch(link, { headers: { range: "bytes=10-19" } });
    expect([
      answer.status,
      answer.headers.get("content-type"),
      answer.headers.get("content-disposition"),
      answer.headers.get("content-range"),
    ]).toEqual([206, "audio/mpeg", disposition, "bytes 10-19/1000"]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    for (const wrong of [
      link.split("?")[0] ?? "",
      link.replace(/(?<=Signature=)\w/, (digit) => (digit === "0" ? "1" : "0")),
    ]) {
      const refused = await fetch(wrong);
      await refused.body?.cancel();
      expect(refused.status).toBe(403);
    }
  });

  it("uses the public endpoint", async () => {
    using store = openS3Store(
      await storage.settings({ downloads: "presigned", publicEndpoint: "https://files.example" }),
    );
    expect(await store.linkTo?.(newKey(), { contentType: "audio/mpeg", disposition: "attachment" })).toMatch(
      /^https:\/\/files\.example\/test-/,
    );
  });
});

it("keeps the local file when storing fails", async () => {
  using store = openS3Store(await storage.settings({ bucket: "not-there" }));
  const path = await storage.localFile(randomBytes(10));
  await expect(store.put(newKey(), path)).rejects.toMatchObject({ code: "storage" });
  await access(path);
});
