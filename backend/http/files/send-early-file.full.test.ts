/** Downloads that begin while a large file is made, on servers that differ. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bytesOf, earlyDownloadsForTests, isOffered, PartReader } from "../../dev/testing/early-downloads.ts";
import { leadConversions } from "../../dev/testing/led-conversion.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";
import { IS_S3_TESTED, startTestStorage, type TestStorage } from "../../dev/testing/test-storage.ts";

/** More than the buffers of a connection hold. */
const SIZE_BYTES = 4_000_000;
const HALF = SIZE_BYTES / 2;
/** No other time in this process is as long. */
const LED_WAIT_MS = 1_234_567;

const { place, conversions, begin, beginHalf, beginSized, get, untilStatus } = earlyDownloadsForTests(SIZE_BYTES);

/** Lets a test end the waits of a server whose `earlyRangeWaitMs` is LED_WAIT_MS. */
function leadWaits() {
  const begun = Promise.withResolvers<void>();
  const end = new AbortController();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spied = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    if (ms !== LED_WAIT_MS) return timeout(ms);
    begun.resolve();
    return end.signal;
  });
  return {
    begun: begun.promise,
    end: () => end.abort(),
    [Symbol.dispose]: () => spied.mockRestore(),
  };
}

it("gives the rest to a reader who is behind when the job is completed and its folder is gone", async () => {
  const { job, led, path } = await beginHalf();
  const answer = await get(path);
  await led.finish();
  await untilStatus(job, "completed");
  const removed = await place.device.call("DELETE", `/api/conversions/${job.id}`);
  expect(removed.status).toBe(204);
  expect(led.earlyBytes.equals(await bytesOf(answer))).toBe(true);
});

it("answers a range with the whole file when the end is too far off", async () => {
  await using hasty = await startTestServer(
    { hasExtractor: false, settings: { site: { earlyRangeWaitMs: 1 } } },
    undefined,
    conversions.convert,
  );
  const visitor = await hasty.newDevice();
  const { led, path } = await beginHalf({ server: hasty, device: visitor, conversions });
  const answer = await visitor.call("GET", path, undefined, { range: "bytes=1000-" });
  expect(answer.status).toBe(200);
  await led.finish();
  expect(led.earlyBytes.equals(await bytesOf(answer))).toBe(true);
});

it("ends the wait of a canceled job with 404, though another job goes on with the same conversion", async () => {
  using waits = leadWaits();
  await using patient = await startTestServer(
    { hasExtractor: false, WORKER_CONCURRENCY: "32", settings: { site: { earlyRangeWaitMs: LED_WAIT_MS } } },
    undefined,
    conversions.convert,
  );
  const visitor = await patient.newDevice();
  const { job, url, led, path } = await beginHalf({ server: patient, device: visitor, conversions });
  const other = await visitor.convert(url);
  await (await visitor.live()).until(other.id, isOffered);
  const waiting = visitor.call("GET", path, undefined, { range: "bytes=1000-" });
  await waits.begun;
  await visitor.call("DELETE", `/api/conversions/${job.id}?while=active`);
  waits.end();
  expect((await waiting).status).toBe(404);
  const answer = await visitor.call("GET", `/api/conversions/${other.id}/file`);
  await led.finish();
  expect(led.earlyBytes.equals(await bytesOf(answer))).toBe(true);
});

describe("a file of which the size is sure beforehand", () => {
  it.each([
    ["fewer bytes", SIZE_BYTES + 1],
    ["more bytes", SIZE_BYTES - 1],
  ])("is cut when the file has %s in the end", async (_, statedBytes) => {
    const { job, led, path } = await beginSized(statedBytes);
    const reader = new PartReader(await get(path));
    await led.finish();
    await expect(reader.readTo(Infinity)).rejects.toThrow("terminated");
    await untilStatus(job, "completed");
    expect(led.bytes.equals(await bytesOf(await get(path)))).toBe(true);
  });
});

describe.runIf(IS_S3_TESTED)("when browsers download from a storage", () => {
  let storage: TestStorage;
  beforeAll(async () => {
    storage = await startTestStorage();
  });
  afterAll(() => storage[Symbol.asyncDispose]());

  it("a copy that was cut off does not go on in the kept file", async () => {
    await using linked = await startTestServer(
      { hasExtractor: false, ...(await storage.server.newBucket()), S3_DOWNLOADS: "presigned" },
      undefined,
      conversions.convert,
    );
    const visitor = await linked.newDevice();
    const live = await visitor.live();
    const { job, led, path } = await begin({ server: linked, device: visitor, conversions });
    const copy = led.offerCopy();
    await live.until(job.id, isOffered);
    const answering = visitor.call("GET", path);
    // The answer begins with the first byte.
    await copy.writeTo(HALF);
    const answer = await answering;
    const tag = answer.headers.get("etag") ?? "";
    await answer.body?.cancel();
    await led.finish();
    await live.untilStatus(job.id, "completed");

    const again = await visitor.call("GET", path, undefined, { range: `bytes=${HALF}-`, "if-range": tag });
    expect([again.status, again.redirected]).toEqual([200, false]);
    expect(led.bytes.equals(await bytesOf(again))).toBe(true);
  });
});

describe("the connection is cut, and the answer does not look complete,", () => {
  it("when the file is written anew; it can be downloaded again after that", async () => {
    const { job, led, path } = await beginHalf();
    const reader = new PartReader(await get(path));
    await reader.readTo(HALF);
    await led.writeAnew();
    await expect(reader.readTo(Infinity)).rejects.toThrow("terminated");
    const live = await place.device.live();
    await expect.poll(() => live.jobs().find(({ id }) => id === job.id)).not.toHaveProperty("downloadUrl");
    await led.writeTo(HALF);
    await expect.poll(() => live.jobs().find(({ id }) => id === job.id)).toHaveProperty("downloadUrl");
    const answer = await get(path);
    await led.finish();
    expect(led.earlyBytes.equals(await bytesOf(answer))).toBe(true);
  });

  it("when its job is canceled, though another job goes on with the same conversion", async () => {
    const { job, url, led, path } = await beginHalf();
    const other = await place.device.convert(url);
    await (await place.device.live()).until(other.id, isOffered);
    const [canceled, kept] = [await get(path), await get(`/api/conversions/${other.id}/file`)];
    const reader = new PartReader(canceled);
    await reader.readTo(HALF);
    await place.device.call("DELETE", `/api/conversions/${job.id}?while=active`);
    await expect(reader.readTo(Infinity)).rejects.toThrow("terminated");
    await led.finish();
    expect(led.earlyBytes.equals(await bytesOf(kept))).toBe(true);
  });

  it("when the server stops", async () => {
    const own = leadConversions(SIZE_BYTES);
    await using stopping = await startTestServer({ hasExtractor: false }, undefined, own.convert);
    const visitor = await stopping.newDevice();
    const { path } = await beginHalf({ server: stopping, device: visitor, conversions: own });
    const reader = new PartReader(await visitor.call("GET", path));
    await reader.readTo(HALF);
    const rest = reader.readTo(Infinity);
    await Promise.all([stopping.stop(), expect(rest).rejects.toThrow("terminated")]);
  });
});
