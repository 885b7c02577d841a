/** Downloads that begin while the file is made. Those of more than one server or of a large file are in the full tests. */
import { describe, expect, it } from "vitest";
import { ConversionError, ErrorBody } from "../../../common/errors.ts";
import { bytesOf, earlyDownloadsForTests, isOffered, PartReader } from "../../dev/testing/early-downloads.ts";
import { SAME_FROM, STAND_IN } from "../../dev/testing/led-conversion.ts";
import { sendRaw } from "../../dev/testing/raw-request.ts";

const SIZE_BYTES = 4_000_000;
const HALF = SIZE_BYTES / 2;

const { place, conversions, begin, beginHalf, beginSized, get, untilStatus } = earlyDownloadsForTests(SIZE_BYTES);

/** Begins a download and breaks it off. @returns its header */
async function breakOff(path: string): Promise<Headers> {
  const answer = await get(path);
  await answer.body?.cancel();
  return answer.headers;
}

it("begins with the first final bytes and ends with the complete file, of which the beginning alone is another", async () => {
  const { job, led, path } = await beginHalf();
  const answer = await get(path);
  const { status, headers } = answer;
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "audio/mpeg",
    "content-disposition": 'attachment; filename="A led video.mp3"',
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "transfer-encoding": "chunked",
  });
  expect(headers.has("content-length")).toBe(false);
  const reader = new PartReader(answer);
  expect(led.earlyBytes.subarray(0, HALF).equals(await reader.readTo(HALF))).toBe(true);
  expect((await place.device.live()).jobs().find(({ id }) => id === job.id)?.status).toBe("processing");
  await led.finish();
  expect(led.earlyBytes.equals(await reader.readTo(Infinity))).toBe(true);

  await untilStatus(job, "completed");
  const kept = await get(path);
  expect(kept.headers.get("content-length")).toBe(String(SIZE_BYTES));
  expect(kept.headers.get("etag")).not.toBe(headers.get("etag"));
  expect(led.bytes.equals(await bytesOf(kept))).toBe(true);
});

it("is not there before the first final bytes, nor for another visitor", async () => {
  const { job, led, path } = await begin();
  const early = await get(path);
  expect([early.status, ErrorBody.parse(await early.json()).message]).toEqual([
    404,
    "This file is not ready yet. It can be downloaded once the conversion is far enough.",
  ]);
  // Bytes that nobody can stand in for are final, but no file.
  await led.writeTo(HALF, {});
  expect((await get(path)).status).toBe(404);
  await led.writeTo(HALF + 1);
  await (await place.device.live()).until(job.id, isOffered);
  const stranger = await place.server.newDevice();
  expect((await stranger.call("GET", path)).status).toBe(404);
  const own = await get(path);
  expect(own.status).toBe(200);
  await own.body?.cancel();
  await led.finish();
});

it("answers HEAD without a body, and 304 to who has this form", async () => {
  const { led, path } = await beginHalf();
  const head = await place.device.call("HEAD", path);
  expect([head.status, head.headers.get("accept-ranges"), head.headers.get("content-length")]).toEqual([
    200,
    "bytes",
    null,
  ]);
  const tag = head.headers.get("etag") ?? "";
  // Otherwise fetch adds "no-cache".
  expect((await get(path, { "if-none-match": tag, "cache-control": "max-age=0" })).status).toBe(304);
  await led.finish();
});

describe("a range", () => {
  it.each([
    ["before and behind the stand-in", 10, 2_000],
    ["of one byte", 600, 600],
  ])("is sent at once when it is final: %s", async (_, start, end) => {
    const { led, path } = await beginHalf();
    const part = await get(path, { range: `bytes=${start}-${end}` });
    expect([part.status, part.headers.get("content-range"), part.headers.get("content-length")]).toEqual([
      206,
      `bytes ${start}-${end}/*`,
      String(end - start + 1),
    ]);
    expect(led.earlyBytes.subarray(start, end + 1).equals(await bytesOf(part))).toBe(true);
    await led.finish();
  });

  it.each([
    ["an open end", `bytes=${HALF}-`, HALF],
    ["the last bytes", "bytes=-1000", SIZE_BYTES - 1_000],
    ["an end that is not final yet", `bytes=${HALF}-${SIZE_BYTES - 1}`, HALF],
  ])("that only the end of the file can answer waits for it: %s", async (_, range, start) => {
    const { led, path } = await beginHalf();
    const tag = (await place.device.call("HEAD", path)).headers.get("etag") ?? "";
    const part = get(path, { range, "if-range": tag });
    await led.finish();
    const { status, headers } = await part;
    expect([status, headers.get("etag")]).toEqual([206, tag]);
    expect(led.bytes.subarray(start).equals(await bytesOf(await part))).toBe(true);
  });

  it.each([
    ["from the first byte", { range: "bytes=0-" }],
    ["of another form", { range: "bytes=1000-", "if-range": '"other"' }],
    ["that is none", { range: "bytes=5-1" }],
    ["beside another one", { range: "bytes=0-1,5-6" }],
  ])("%s gets the whole file at once", async (_, headers) => {
    const { led, path } = await beginHalf();
    const answer = await get(path, headers);
    expect(answer.status).toBe(200);
    await led.finish();
    expect(led.earlyBytes.equals(await bytesOf(answer))).toBe(true);
  });

  it("goes on in the same form after the job is completed, and is never mixed with the kept one", async () => {
    const { job, led, path } = await beginHalf();
    const first = await breakOff(path);
    const tag = first.get("etag") ?? "";
    await led.finish();
    await untilStatus(job, "completed");

    const rest = await get(path, { range: `bytes=${HALF}-`, "if-range": tag });
    expect([rest.status, rest.headers.get("etag"), rest.headers.get("content-range")]).toEqual([
      206,
      tag,
      `bytes ${HALF}-${SIZE_BYTES - 1}/${SIZE_BYTES}`,
    ]);
    expect(led.earlyBytes.subarray(HALF).equals(await bytesOf(rest))).toBe(true);

    const fromStandIn = await get(path, { range: `bytes=${SAME_FROM - 1}-`, "if-range": tag });
    expect(fromStandIn.status).toBe(200);
    expect(led.bytes.equals(await bytesOf(fromStandIn))).toBe(true);
  });
});

describe("of which the size is sure beforehand", () => {
  const SIZED = { standIn: STAND_IN, sizeBytes: SIZE_BYTES };

  it("states it, and sends the last byte only when the file is stored", async () => {
    const { job, led, path } = await beginSized();
    const head = await place.device.call("HEAD", path);
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(SIZE_BYTES)]);
    const answer = await get(path);
    expect([answer.status, answer.headers.get("content-length")]).toEqual([200, String(SIZE_BYTES)]);
    const reader = new PartReader(answer);
    await led.writeTo(SIZE_BYTES, SIZED);
    expect(await reader.readTo(SIZE_BYTES - 1)).toHaveLength(SIZE_BYTES - 1);
    expect((await place.device.live()).jobs().find(({ id }) => id === job.id)?.status).toBe("processing");
    const all = reader.readTo(SIZE_BYTES);
    await led.finish();
    expect(led.earlyBytes.equals(await all)).toBe(true);
  });

  it.each([
    ["an open end", `bytes=${HALF - 10}-`, HALF - 10],
    ["the last bytes", "bytes=-1000", SIZE_BYTES - 1_000],
    ["an end beyond the file", `bytes=${HALF}-${SIZE_BYTES + 5}`, HALF],
  ])("begins a range at once: %s", async (_, range, start) => {
    const { led, path } = await beginSized();
    const tag = (await place.device.call("HEAD", path)).headers.get("etag") ?? "";
    const answering = get(path, { range, "if-range": tag });
    // The answer begins with the first byte.
    await led.writeTo(SIZE_BYTES, SIZED);
    const part = await answering;
    expect([part.status, part.headers.get("content-range"), part.headers.get("content-length")]).toEqual([
      206,
      `bytes ${start}-${SIZE_BYTES - 1}/${SIZE_BYTES}`,
      String(SIZE_BYTES - start),
    ]);
    await led.finish();
    expect(led.bytes.subarray(start).equals(await bytesOf(part))).toBe(true);
  });

  it("goes on in the same form after the job is completed for Firefox, which sends If-Match", async () => {
    const { job, led, path } = await beginSized();
    const first = await breakOff(path);
    const tag = first.get("etag") ?? "";
    await led.finish();
    await untilStatus(job, "completed");

    const rest = await get(path, { range: `bytes=${HALF}-`, "if-match": tag });
    // Firefox goes on only if all of these are as before.
    const namesOfVersion = ["etag", "last-modified"];
    expect(namesOfVersion.map((name) => rest.headers.get(name))).toEqual([tag, null]);
    expect(namesOfVersion.map((name) => first.get(name))).toEqual([tag, null]);
    expect([rest.status, rest.headers.get("content-range")]).toEqual([
      206,
      `bytes ${HALF}-${SIZE_BYTES - 1}/${SIZE_BYTES}`,
    ]);
    expect(led.earlyBytes.subarray(HALF).equals(await bytesOf(rest))).toBe(true);

    const fromStandIn = await get(path, { range: `bytes=${SAME_FROM - 1}-`, "if-match": tag });
    expect([fromStandIn.status, await fromStandIn.text()]).toEqual([412, ""]);
  });

  it("rejects a range behind the end with 416", async () => {
    const { led, path } = await beginSized();
    const part = await get(path, { range: `bytes=${SIZE_BYTES}-` });
    expect([part.status, part.headers.get("content-range")]).toEqual([416, `bytes */${SIZE_BYTES}`]);
    await led.finish();
  });
});

describe("a copy in another form", () => {
  async function beginCopy() {
    const begun = await begin();
    const live = await place.device.live();
    const copy = begun.led.offerCopy();
    await live.until(begun.job.id, isOffered);
    return { ...begun, copy };
  }

  /** Asks for the copy and makes half of it. */
  async function readHalf() {
    const begun = await beginCopy();
    const answering = get(begun.path);
    // The answer begins with the first byte.
    await begun.copy.writeTo(HALF);
    const answer = await answering;
    const reader = new PartReader(answer);
    expect(begun.copy.bytes.subarray(0, HALF).equals(await reader.readTo(HALF))).toBe(true);
    return { ...begun, answer, reader };
  }

  it("is made only when somebody asks for it", async () => {
    const { job, led, path, copy } = await beginCopy();
    expect((await place.device.call("HEAD", path)).status).toBe(200);
    expect(copy.isAsked).toBe(false);
    await led.finish();
    await untilStatus(job, "completed");
    expect(led.bytes.equals(await bytesOf(await get(path)))).toBe(true);
    expect(copy.isAsked).toBe(false);
  });

  it("begins with what is there, ends after the file is stored, and does not go on in the file", async () => {
    const { job, led, path, copy, answer, reader } = await readHalf();
    const other = await get(path);
    await copy.finish();
    await reader.readTo(copy.bytes.length);
    expect((await place.device.live()).jobs().find(({ id }) => id === job.id)?.status).toBe("processing");
    await led.finish();
    expect(copy.bytes.equals(await reader.readTo(Infinity))).toBe(true);
    expect(copy.bytes.equals(await bytesOf(other))).toBe(true);

    await untilStatus(job, "completed");
    const tag = answer.headers.get("etag") ?? "";
    const again = await get(path, { range: `bytes=${HALF}-`, "if-range": tag });
    expect([again.status, again.headers.get("etag") === tag]).toEqual([200, false]);
    expect(led.bytes.equals(await bytesOf(again))).toBe(true);
    const refused = await get(path, { range: `bytes=${HALF}-`, "if-match": tag });
    expect([refused.status, await refused.text()]).toEqual([412, ""]);
  });

  it("is made to its end after the job is completed and deleted", async () => {
    const { job, led, copy, reader } = await readHalf();
    await led.finish();
    await untilStatus(job, "completed");
    expect((await place.device.call("DELETE", `/api/conversions/${job.id}`)).status).toBe(204);
    await copy.finish();
    expect(copy.bytes.equals(await reader.readTo(Infinity))).toBe(true);
  });

  it("sends a final range at once", async () => {
    const { led, path, copy, reader } = await readHalf();
    const part = await get(path, { range: "bytes=10-1999" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 10-1999/*"]);
    expect(copy.bytes.subarray(10, 2_000).equals(await bytesOf(part))).toBe(true);
    await copy.finish();
    await led.finish();
    await reader.readTo(Infinity);
  });

  it("is cut and not offered any more when it cannot be made, and the job is completed", async () => {
    const { job, led, path, copy, reader } = await readHalf();
    copy.ended.reject(new ConversionError("internal"));
    await expect(reader.readTo(Infinity)).rejects.toThrow("terminated");
    const live = await place.device.live();
    await expect.poll(() => live.jobs().find(({ id }) => id === job.id)).not.toHaveProperty("downloadUrl");
    await led.finish();
    await untilStatus(job, "completed");
    expect(led.bytes.equals(await bytesOf(await get(path)))).toBe(true);
  });

  it.each(["fails", "is canceled"])("is cut when the job %s", async (end) => {
    const { job, led, reader } = await readHalf();
    if (end === "fails") led.ended.reject(new ConversionError("unavailable"));
    else await place.device.call("DELETE", `/api/conversions/${job.id}?while=active`);
    await expect(reader.readTo(Infinity)).rejects.toThrow("terminated");
  });
});

describe("the connection is cut, and the answer does not look complete,", () => {
  it("when the job fails; the next attempt has another form", async () => {
    const { job, url, led, path } = await beginHalf();
    const answer = await get(path);
    const tag = answer.headers.get("etag") ?? "";
    const reader = new PartReader(answer);
    await reader.readTo(HALF);
    const waiting = get(path, { range: `bytes=${HALF}-` });
    led.ended.reject(new ConversionError("unavailable"));
    await expect(reader.readTo(Infinity)).rejects.toThrow("terminated");
    expect((await waiting).status).toBe(404);
    await untilStatus(job, "failed");
    expect((await get(path)).status).toBe(404);

    await place.device.call("POST", `/api/conversions/${job.id}/retry`);
    const second = await conversions.next(url);
    await second.writeTo(HALF);
    await (await place.device.live()).until(job.id, (now) => now.attempt === 2 && isOffered(now));
    expect((await get(path, { range: "bytes=1000-1999", "if-match": tag })).status).toBe(412);
    const again = await get(path, { range: "bytes=1000-1999", "if-range": tag });
    expect(again.status).toBe(200);
    await second.finish();
    expect(second.earlyBytes.equals(await bytesOf(again))).toBe(true);
  });
});

it("waits for the complete file in HTTP/1.0, where a cut answer looks like a complete one", async () => {
  const { job, led, path } = await beginHalf();
  const answer = sendRaw(place.server.origin, `GET ${path} HTTP/1.0\r\nCookie: ${place.device.cookie}\r\n\r\n`);
  await led.finish();
  await untilStatus(job, "completed");
  const received = await answer;
  expect([received?.status, received?.headers.get("content-length")]).toEqual([200, String(SIZE_BYTES)]);
});
