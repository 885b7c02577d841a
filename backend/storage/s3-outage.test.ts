/** Tests jobs and downloads while the storage is unavailable, slow, or loses connections. */
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { startTestServer } from "../dev/testing/test-server.ts";
import { startTestStorage } from "../dev/testing/test-storage.ts";
import { mergeSettings, type SettingsOverrides } from "../config/settings.ts";
import { StoreUnavailableError, type FileStore } from "./file-store.ts";
import type { S3Settings } from "./s3-client.ts";
import { openS3Store } from "./s3-store.ts";
import { PART_BYTES } from "./s3-upload.ts";

const storage = await ofFile(startTestStorage());

const UNAVAILABLE_MESSAGE = "The place where files are kept does not answer at the moment. Retry in a few minutes.";
const newKey = () => `${randomUUID()}.1.mp4`;
async function listed(store: FileStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys;
}
async function unfinished({ bucket, prefix }: S3Settings, key: string): Promise<number> {
  return (
    (await storage.server.client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: `${prefix}${key}` })))
      .Uploads?.length ?? 0
  );
}

describe("an outage of the storage", () => {
  it("during an upload is a transient failure, keeps the file, and the upload is cleared later", async () => {
    const settings = await storage.settings();
    await using link = await storage.link();
    using store = openS3Store({ ...settings, endpoint: link.endpoint });
    const bytes = randomBytes(6 * PART_BYTES);
    const path = await storage.localFile(bytes);
    const key = newKey();
    const halfWay = link.passed("up", 3 * PART_BYTES);
    const failure = store.put(key, path).then(
      () => null,
      (error: unknown) => error,
    );
    await halfWay;
    link.setUp(false);
    await storage.server.kill();
    expect(await failure).toMatchObject({ code: "storage", isTransient: true });
    expect(bytes.equals(await readFile(path))).toBe(true);

    await storage.server.start();
    link.setUp(true);
    expect([await unfinished(settings, key), await listed(store)]).toEqual([1, []]);
    // An own upload that is known to be interrupted is cleared at any age.
    expect(await store.clearUnfinished(60_000)).toBe(1);
    expect(await unfinished(settings, key)).toBe(0);
    await store.put(key, path);
    expect(await listed(store)).toEqual([key]);
  });

  it("during an early upload does no harm if it ends before the upload does", async () => {
    const settings = await storage.settings();
    await using link = await storage.link();
    using store = openS3Store({ ...settings, endpoint: link.endpoint });
    const bytes = randomBytes(5 * PART_BYTES);
    const path = await storage.localFile(bytes);
    const key = newKey();
    await using upload = store.beginUpload(key, path);
    const begun = link.passed("up", PART_BYTES);
    upload.reportFinalBytes({ from: 100, to: 3 * PART_BYTES });
    await begun;
    const closed = link.closed();
    link.setUp(false);
    upload.reportFinalBytes({ from: 100, to: 5 * PART_BYTES });
    await closed;
    link.setUp(true);
    await upload.finish();
    expect(bytes.equals(await buffer(await store.read(key)))).toBe(true);
    expect(await unfinished(settings, key)).toBe(0);
  });

  it("of one request is hidden by a retry", async () => {
    await using link = await storage.link();
    using store = openS3Store({ ...(await storage.settings()), endpoint: link.endpoint });
    const bytes = randomBytes(4 * PART_BYTES);
    const halfWay = link.passed("up", 2 * PART_BYTES);
    const key = newKey();
    const putting = store.put(key, await storage.localFile(bytes));
    await halfWay;
    link.cut();
    await putting;
    expect(bytes.equals(await buffer(await store.read(key)))).toBe(true);
  });

  it("makes every method throw StoreUnavailableError", async () => {
    await using link = await storage.link();
    using store = openS3Store({ ...(await storage.settings()), endpoint: link.endpoint });
    const key = newKey();
    const path = await storage.localFile(randomBytes(10));
    await store.put(key, path);
    const more = await storage.localFile(randomBytes(10));
    link.setUp(false);
    const calls = [
      () => store.stat(key),
      () => store.read(key),
      () => store.remove(key),
      () => store.clearUnfinished(0),
      () => listed(store),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError);
    await expect(store.put(newKey(), more)).rejects.toMatchObject({ code: "storage", isTransient: true });
  });
});

describe("a download", () => {
  /** Stores a file that is then read over a fault proxy. */
  async function stored(timeoutMs = 15_000) {
    const settings = await storage.settings();
    using direct = openS3Store(settings);
    const bytes = randomBytes(3 * PART_BYTES);
    const key = newKey();
    await direct.put(key, await storage.localFile(bytes));
    const link = await storage.link();
    const store = openS3Store({ ...settings, endpoint: link.endpoint, timeoutMs });
    return {
      link,
      store,
      bytes,
      key,
      async [Symbol.asyncDispose]() {
        store[Symbol.dispose]();
        await link[Symbol.asyncDispose]();
      },
    };
  }

  it("continues after a broken connection, for the whole file and for a range", async () => {
    await using at = await stored();
    for (const range of [undefined, { start: 1_000, end: 2 * PART_BYTES }]) {
      const halfWay = at.link.passed("down", PART_BYTES);
      const reading = buffer(await at.store.read(at.key, range));
      await halfWay;
      at.link.cut();
      expect((await reading).equals(at.bytes.subarray(range?.start, range && range.end + 1))).toBe(true);
    }
  });

  it("continues over a new connection when the old one stalls", async () => {
    await using at = await stored(1_000);
    const halfWay = at.link.passed("down", PART_BYTES);
    const reading = buffer(await at.store.read(at.key));
    await halfWay;
    at.link.stall();
    expect((await reading).equals(at.bytes)).toBe(true);
  });

  it("that is read slowly releases its connection and is complete in the end", async () => {
    await using at = await stored(1_000);
    const stream = await at.store.read(at.key);
    const closed = at.link.closed();
    // Reading starts only after the connection was closed.
    await closed;
    expect((await buffer(stream)).equals(at.bytes)).toBe(true);
  });

  it("fails when the outage lasts", async () => {
    await using at = await stored(1_000);
    const halfWay = at.link.passed("down", PART_BYTES);
    const reading = buffer(await at.store.read(at.key));
    await halfWay;
    at.link.setUp(false);
    await expect(reading).rejects.toThrow(StoreUnavailableError);
  });

  it("that is stopped closes its connection", async () => {
    await using at = await stored();
    const stream = await at.store.read(at.key);
    await once(stream, "readable");
    const closed = at.link.closed();
    stream.destroy();
    await closed;
    expect((await at.store.stat(at.key))?.sizeBytes).toBe(at.bytes.length);
  });
});

describe("a conversion", () => {
  async function started(settings: SettingsOverrides = {}) {
    const link = await storage.link();
    const server = await startTestServer({
      ...(await storage.server.newBucket()),
      S3_ENDPOINT: link.endpoint,
      settings: mergeSettings({ storage: { s3TimeoutMs: 2_000, patienceMs: 0 } }, settings),
    });
    return {
      link,
      server,
      device: await server.newDevice(),
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await link[Symbol.asyncDispose]();
      },
    };
  }

  it("waits for the end of a short outage with its finished file", async () => {
    await using at = await started({ storage: { patienceMs: 60_000 } });
    const live = await at.device.live();
    at.link.setUp(false);
    const { id } = await at.device.convert(at.server.site.urlOf("tangled-title"));
    await live.until(id, (job) => job.status === "processing" && job.stage === "store");
    at.link.setUp(true);
    expect(await live.untilStatus(id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("starts over after an outage and completes", async () => {
    await using at = await started();
    const live = await at.device.live();
    at.link.setUp(false);
    const { id } = await at.device.convert(at.server.site.urlOf("tangled-title"));
    await live.until(id, (job) => job.attempt === 2);
    at.link.setUp(true);
    expect(await live.untilStatus(id, "completed", "failed")).toMatchObject({ status: "completed" });
    const file = await at.device.call("GET", `/api/conversions/${id}/file`);
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([
      200,
      Number(file.headers.get("content-length")),
    ]);
  });

  it("fails with the code storage when the outage lasts", async () => {
    await using at = await started({ domain: { maxAttempts: 2 } });
    const live = await at.device.live();
    at.link.setUp(false);
    const { id } = await at.device.convert(at.server.site.urlOf("tangled-title"));
    expect(await live.untilStatus(id, "completed", "failed")).toMatchObject({
      status: "failed",
      attempt: 2,
      error: { code: "storage", message: UNAVAILABLE_MESSAGE },
    });
  });

  it("that is completed answers 503 for its file during an outage, and 200 afterwards", async () => {
    await using at = await started();
    const live = await at.device.live();
    const { id } = await at.device.convert(at.server.site.urlOf("tangled-title"));
    await live.untilStatus(id, "completed", "failed");
    at.link.setUp(false);
    const answer = await at.device.call("GET", `/api/conversions/${id}/file`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { code: "unavailable_now", message: UNAVAILABLE_MESSAGE },
    ]);
    at.link.setUp(true);
    const again = await at.device.call("GET", `/api/conversions/${id}/file`);
    await again.body?.cancel();
    expect(again.status).toBe(200);
  });

  it("whose worker died while storing leaves no object after the restart", async () => {
    await using at = await started();
    const { env } = at.server.config;
    const object = { Bucket: env.S3_BUCKET ?? "", Key: `${env.S3_PREFIX}${newKey()}` };
    await storage.server.client.send(new CreateMultipartUploadCommand(object));
    await storage.server.client.send(
      new PutObjectCommand({ ...object, Key: `${env.S3_PREFIX}${newKey()}`, Body: "stored, but without a job" }),
    );
    await at.server.stop();
    await at.server.start();
    expect((await storage.server.client.send(new ListMultipartUploadsCommand(object))).Uploads ?? []).toEqual([]);
    expect((await storage.server.client.send(new ListObjectsV2Command(object))).KeyCount).toBe(0);
  });
});
