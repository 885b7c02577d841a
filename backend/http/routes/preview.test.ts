import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Preview } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.site.reset());

const look = (device: TestDevice, youtubeUrl: string) => device.call("POST", "/api/preview", { youtubeUrl });
const timesRead = (page: string) =>
  server.site.requests.filter(({ path, method }) => path === `/watch/${page}` && method === "GET").length;

it("shows title, picture, length and sizes, makes no job and sends the browser nowhere else", async () => {
  const device = await server.newDevice();
  const answer = await look(device, server.site.urlOf("rain"));
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.any(String)]);
  const preview = Preview.parse(JSON.parse(text));
  expect(preview).toMatchObject({
    title: "Rain on a tin roof",
    estimates: { mp3: { quality: "128kbps", fits: true, note: null }, mp4: { quality: "480p", fits: true } },
  });
  expect(preview.durationSeconds).toBeGreaterThan(1);
  expect(preview.estimates.mp3.sizeBytes).toBe(Math.round((preview.durationSeconds ?? 0) * 16_000));
  expect(preview.thumbnail).toMatch(/^data:image\/jpeg;base64,\/9j\//);
  expect(text).not.toContain(server.site.host);
  expect(await (await device.call("GET", "/api/conversions")).json()).toEqual([]);
  expect(await readdir(join(server.config.dataDir, "scratch"))).toEqual([]);
});

it("spares the picture for whoever saves data", async () => {
  const answer = await (
    await server.newDevice()
  ).call("POST", "/api/preview", { youtubeUrl: server.site.urlOf("rain"), thumbnail: false });
  expect(Preview.parse(await answer.json())).toMatchObject({ title: "Rain on a tin roof", thumbnail: null });
});

it("lets the conversion that follows read nothing again, nor another look", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  await look(device, server.site.urlOf("cello"));
  await look(device, server.site.urlOf("cello"));
  const job = await device.convert(server.site.urlOf("cello"));
  expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed" });
  expect(timesRead("cello")).toBe(1);
});

it("a conversion joins a look that is under way, also when the one who looked leaves", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const leaving = new AbortController();
  const looking = fetch(`${server.origin}/api/preview`, {
    method: "POST",
    headers: { cookie: device.cookie, origin: server.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: server.site.urlOf("held-page") }),
    signal: leaving.signal,
  });
  await server.site.nthRequest("/watch/held-page", 1);
  const job = await device.convert(server.site.urlOf("held-page"));
  await live.untilStatus(job.id, "pending");
  leaving.abort();
  await expect(looking).rejects.toThrow("aborted");
  server.site.release(server.site.urlOf("held-page"));
  expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 1 });
});

it.each([
  ["a word", () => "cats", 422, "invalid_link"],
  ["another site", () => "https://evil.example/?youtu.be", 422, "unsupported_host"],
  ["a video that is gone", () => server.site.urlOf("gone"), 422, "unavailable"],
])("refuses %s as a conversion would", async (_, link, status, code) => {
  const answer = await look(await server.newDevice(), link());
  expect([answer.status, ErrorBody.parse(await answer.json()).code]).toEqual([status, code]);
});

it("says what does not fit before anything is converted", async () => {
  const preview = Preview.parse(await (await look(await server.newDevice(), server.site.urlOf("three-hours"))).json());
  expect(preview.estimates.mp3).toMatchObject({
    fits: false,
    note: "Longer than 20 minutes. Pro takes up to 2 hours.",
  });
});

it("ends with whoever asked: no process and no folder is left", async () => {
  const device = await server.newDevice();
  const leaving = new AbortController();
  const looking = fetch(`${server.origin}/api/preview`, {
    method: "POST",
    headers: { cookie: device.cookie, origin: server.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: server.site.urlOf("stalled-page") }),
    signal: leaving.signal,
  });
  await server.site.nthRequest("/watch/stalled-page", 1);
  leaving.abort();
  await expect(looking).rejects.toThrow("aborted");
  await expect.poll(() => readdir(join(server.config.dataDir, "scratch"))).toEqual([]);
});

it("is limited by itself: whoever may look no more may still convert", async () => {
  await using limited = await startTestServer({ settings: { rates: { previewPerDevice: 2, previewPerAddress: 3 } } });
  const [device, other] = [await limited.newDevice(), await limited.newDevice()];
  const statuses = [];
  for (const one of [device, device, device, other, other]) statuses.push((await look(one, "cats")).status);
  expect(statuses).toEqual([422, 422, 429, 422, 429]);
  expect((await device.call("POST", "/api/conversions", { youtubeUrl: "cats" })).status).toBe(422);
});
