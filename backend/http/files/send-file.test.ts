import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TANGLED_TITLE } from "../../dev/stand-ins/sample-site/pages.ts";
import {
  startTestServer,
  type TestDevice,
  type TestServer,
  type TestServerOptions,
} from "../../dev/testing/test-server.ts";
import { IS_S3_TESTED, startTestStorage, type TestStorage } from "../../dev/testing/test-storage.ts";
import type { Runtime } from "../../runtime/runtime.ts";

let storage: TestStorage;
let server: TestServer;
let device: TestDevice;
let path: string;

if (IS_S3_TESTED) {
  beforeAll(async () => {
    storage = await startTestStorage();
  });
  afterAll(() => storage[Symbol.asyncDispose]());
}

/** Needs no tools: a video with a title that no file system takes. */
const convert: NonNullable<Runtime["convert"]> = async ({ folder }, listener) => {
  const thumbnailPath = join(folder, "picture.jpg");
  await writeFile(thumbnailPath, "a picture");
  listener.found({ title: TANGLED_TITLE, durationSeconds: 1, thumbnailPath });
  listener.progress({ stage: "download", percent: 10 });
  const path = join(folder, "result.mp3");
  await writeFile(path, Buffer.concat([Buffer.from("ID3"), randomBytes(20_000)]));
  return { path, sizeBytes: 20_003, durationSeconds: 1 };
};

/** Starts a server and converts one file. */
async function start(env: TestServerOptions): Promise<void> {
  server = await startTestServer({ hasExtractor: false, ...env }, undefined, convert);
  device = await server.newDevice();
  const live = await device.live();
  const { id } = await device.convert(server.site.urlOf("tangled-title"));
  await live.untilStatus(id, "completed", "failed");
  path = `/api/conversions/${id}/file`;
}

function get(headers: Record<string, string>): Promise<Response> {
  return device.call("GET", path, undefined, headers);
}
async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

const KEPT: [where: string, environment: () => Promise<TestServerOptions>][] = [["on disk", () => Promise.resolve({})]];
if (IS_S3_TESTED) KEPT.push(["in S3-compatible storage", () => storage.server.newBucket()]);

describe.each(KEPT)("a file %s", (_, environment) => {
  let whole: Buffer;
  let answer: Response;

  beforeAll(async () => {
    await start(await environment());
    answer = await device.call("GET", path);
    whole = Buffer.from(await answer.arrayBuffer());
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("is sent whole with its type, an entity tag and a private cache rule", () => {
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "audio/mpeg",
      "content-length": String(whole.length),
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(Date.parse(answer.headers.get("last-modified") ?? "")).toBeLessThanOrEqual(Date.now());
    expect(whole.subarray(0, 3).toString()).toBe("ID3");
  });

  it("is saved under its title in any script, cut to the length that file systems allow", () => {
    const disposition = answer.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; /);
    const [, encoded = ""] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
    const name = decodeURIComponent(encoded).replace(/\.mp3$/, "");
    expect(TANGLED_TITLE.replace(/[<>:"/\\|?*]/g, "_").startsWith(name)).toBe(true);
    const sizeBytes = Buffer.byteLength(`${name}.mp3`);
    expect(sizeBytes > 200 && sizeBytes <= 255).toBe(true);
    // The fallback for old clients has ASCII characters only and cannot end the quoted text.
    expect(disposition).toMatch(/filename="[\u0020-\u007e]+\.mp3"/);
  });

  it.each<[string, string, (length: number) => [number, number]]>([
    ["its first byte", "bytes=0-0", () => [0, 0]],
    ["its beginning", "bytes=0-499", () => [0, 499]],
    ["its middle", "bytes=500-999", () => [500, 999]],
    ["its last bytes", "bytes=-500", (length) => [length - 500, length - 1]],
    ["all from an offset", "bytes=1000-", (length) => [1_000, length - 1]],
    ["a range that ends after the file", "bytes=10-999999999", (length) => [10, length - 1]],
    ["a suffix longer than the file", "bytes=-999999999", (length) => [0, length - 1]],
  ])("is sent in part: %s", async (_, range, expected) => {
    const [start, end] = expected(whole.length);
    const part = await get({ range });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes ${start}-${end}/${whole.length}`);
    expect(part.headers.get("content-length")).toBe(String(end - start + 1));
    expect(whole.subarray(start, end + 1).equals(await bytesOf(part))).toBe(true);
  });

  it("can be joined from its ranges", async () => {
    const middle = Math.floor(whole.length / 2);
    const parts = await Promise.all([get({ range: `bytes=0-${middle - 1}` }), get({ range: `bytes=${middle}-` })]);
    expect(whole.equals(Buffer.concat(await Promise.all(parts.map(bytesOf))))).toBe(true);
  });

  it.each(["bytes=999999999-", "bytes=-0"])("answers 416 with the size of the file for %s", async (range) => {
    const refused = await get({ range });
    expect([refused.status, refused.headers.get("content-range"), await refused.text()]).toEqual([
      416,
      `bytes */${whole.length}`,
      "",
    ]);
    expect(refused.headers.get("content-disposition")).toBeNull();
  });

  it.each(["bytes=0-1,5-6", "bytes=abc", "seconds=0-1", "bytes"])("is sent whole for Range %s", async (range) => {
    const answer = await get({ range });
    expect(answer.status).toBe(200);
    expect(whole.equals(await bytesOf(answer))).toBe(true);
  });

  it("is sent in part only if If-Range names this version", async () => {
    const tag = answer.headers.get("etag") ?? "";
    const modified = answer.headers.get("last-modified") ?? "";
    const statusWith = async (ifRange: string) => {
      const part = await get({ range: "bytes=0-0", "if-range": ifRange });
      await part.body?.cancel();
      return part.status;
    };
    expect(await statusWith(tag)).toBe(206);
    expect(await statusWith(modified)).toBe(206);
    expect(await statusWith('"another"')).toBe(200);
    expect(await statusWith(`W/${tag}`)).toBe(200);
    expect(await statusWith(new Date(0).toUTCString())).toBe(200);
  });

  it("is sent only if If-Match names this version or any", async () => {
    const tag = answer.headers.get("etag") ?? "";
    const statusWith = async (ifMatch: string) => {
      const part = await get({ range: "bytes=0-0", "if-match": ifMatch });
      return [part.status, (await bytesOf(part)).length];
    };
    expect(await statusWith(tag)).toEqual([206, 1]);
    expect(await statusWith(`"another", ${tag}`)).toEqual([206, 1]);
    expect(await statusWith("*")).toEqual([206, 1]);
    expect(await statusWith('"another"')).toEqual([412, 0]);
    expect(await statusWith(`W/${tag}`)).toEqual([412, 0]);
  });

  it("answers 304 to a browser that has the file", async () => {
    const tag = answer.headers.get("etag") ?? "";
    const statusWith = async (headers: Record<string, string>) => {
      const again = await get({ ...headers, "cache-control": "max-age=0" });
      return [again.status, (await bytesOf(again)).length];
    };
    expect(await statusWith({ "if-none-match": tag })).toEqual([304, 0]);
    expect(await statusWith({ "if-none-match": '"another"' })).toEqual([200, whole.length]);
    expect(await statusWith({ "if-modified-since": answer.headers.get("last-modified") ?? "" })).toEqual([304, 0]);
  });

  it("answers HEAD without a body", async () => {
    const requests: Record<string, string>[] = [{}, { range: "bytes=0-9" }];
    for (const headers of requests) {
      const head = await device.call("HEAD", path, undefined, headers);
      expect([head.status, head.headers.get("content-length"), head.headers.get("etag")]).toEqual([
        200,
        String(whole.length),
        answer.headers.get("etag"),
      ]);
      expect((await bytesOf(head)).length).toBe(0);
    }
  });

  it("is gone with its job, and stays for other jobs that share it", async () => {
    const own = await server.newDevice();
    const live = await own.live();
    // The same video again: both jobs share one file.
    const job = await own.convert(server.site.urlOf("tangled-title"));
    await live.untilStatus(job.id, "completed");
    const mine = `/api/conversions/${job.id}/file`;
    expect(whole.equals(await bytesOf(await own.call("GET", mine)))).toBe(true);
    await own.call("DELETE", `/api/conversions/${job.id}`);
    expect((await own.call("GET", mine)).status).toBe(404);
    expect((await get({})).status).toBe(200);
  });
});

describe.runIf(IS_S3_TESTED)("a file that browsers download from the storage", () => {
  beforeAll(async () => start({ ...(await storage.server.newBucket()), S3_DOWNLOADS: "presigned" }));
  afterAll(() => server[Symbol.asyncDispose]());

  it("is a redirect to the storage, which sends it under its name, whole or in part", async () => {
    const sent = await device.visit(path);
    await sent.body?.cancel();
    const link = sent.headers.get("location") ?? "";
    expect([sent.status, new URL(link).origin, sent.headers.get("cache-control"), sent.headers.get("etag")]).toEqual([
      302,
      storage.server.endpoint,
      "private, no-store",
      null,
    ]);
    const answer = await fetch(link);
    const whole = await bytesOf(answer);
    expect([answer.status, answer.headers.get("content-type"), whole.subarray(0, 3).toString()]).toEqual([
      200,
      "audio/mpeg",
      "ID3",
    ]);
    expect(answer.headers.get("content-disposition")).toContain(
      encodeURIComponent(TANGLED_TITLE.replace(/[/\\]/g, "_").slice(0, 5)),
    );
    // A browser that continues a download asks our server again, with a range.
    const part = await get({ range: "bytes=3-12" });
    expect([part.status, await bytesOf(part)]).toEqual([206, whole.subarray(3, 13)]);
  });

  it("answers HEAD without a redirect", async () => {
    const head = await device.call("HEAD", path);
    expect([head.status, Number(head.headers.get("content-length"))]).toEqual([
      200,
      (await bytesOf(await get({}))).length,
    ]);
  });

  it("is a 404 for another device", async () => {
    const other = await server.newDevice();
    const refused = await other.visit(path);
    await refused.body?.cancel();
    expect([refused.status, refused.headers.get("location")]).toEqual([404, null]);
  });

  it("sends pictures without a redirect", async () => {
    const picture = await device.call("GET", path.replace(/file$/, "thumbnail"));
    expect([picture.status, picture.redirected, picture.headers.get("content-type")]).toEqual([
      200,
      false,
      "image/jpeg",
    ]);
    await picture.body?.cancel();
  });
});
