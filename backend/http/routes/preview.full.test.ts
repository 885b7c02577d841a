import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { Preview } from "../../../common/api.ts";
import { detailsOf } from "../../../common/preview-details.ts";
import { ErrorBody } from "../../../common/errors.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import type { PageName } from "../../dev/stand-ins/sample-site/sample-site.ts";
import { TIERS } from "../../../common/tiers.ts";
import { tooLong } from "../../pipeline/errors/wording.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";

const server = await ofFile(startTestServer());
beforeEach(() => server.site.reset());

const requestPreview = (device: TestDevice, youtubeUrl: string) => device.call("POST", "/api/preview", { youtubeUrl });
const timesRead = (page: string) =>
  server.site.requests.filter(({ path, method }) => path === `/watch/${page}` && method === "GET").length;

it("answers with title, picture, duration and sizes, creates no job and names no foreign URL", async () => {
  const device = await server.newDevice();
  const answer = await requestPreview(device, server.site.urlOf("rain"));
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

it("names the chapters, within the video and within the bounds of a list", async () => {
  const device = await server.newDevice();
  const detailsAt = async (page: PageName) =>
    detailsOf(Preview.parse(await (await requestPreview(device, server.site.urlOf(page))).json()));
  expect((await detailsAt("chapters")).chapters).toEqual([
    { title: "First drops", startSeconds: 0 },
    { title: "On the tin roof", startSeconds: 6.5 },
    { title: 'The gutter; overflowing = "loud" #3', startSeconds: 15 },
    { title: "Nach dem Regen 🌈", startSeconds: 22 },
  ]);
  const { chapters } = await detailsAt("hostile-chapters");
  expect(chapters).toHaveLength(203);
  expect(chapters.at(-1)?.startSeconds).toBeLessThan(30);
  expect((await detailsAt("rain")).chapters).toEqual([]);
});

it("lists the languages of subtitles, and says beforehand where there are none", async () => {
  const device = await server.newDevice();
  const previewWith = async (language: string) => {
    const choices = { subtitles: { language } };
    const youtubeUrl = server.site.urlOf("subtitles");
    return Preview.parse(await (await device.call("POST", "/api/preview", { youtubeUrl, choices })).json());
  };
  const german = await previewWith("de");
  expect(detailsOf(german).subtitles).toEqual(
    ["en", "de", "tlh"].map((language) => ({ language, isAutomatic: false })),
  );
  expect(german.estimates.mp4.fits).toBe(true);
  const { mp3, mp4 } = (await previewWith("fr")).estimates;
  expect(mp3.fits).toBe(true);
  expect(mp4).toMatchObject({
    fits: false,
    error: {
      code: "no_subtitles",
      message: "This video has no subtitles in that language. Choose another language, or none.",
    },
  });
});

it("leaves out the picture when the browser saves data", async () => {
  const answer = await (
    await server.newDevice()
  ).call("POST", "/api/preview", { youtubeUrl: server.site.urlOf("rain"), thumbnail: false });
  expect(Preview.parse(await answer.json())).toMatchObject({ title: "Rain on a tin roof", thumbnail: null });
});

it("estimates a part without reading the page again, and says where it cannot be", async () => {
  const device = await server.newDevice();
  const youtubeUrl = server.site.urlOf("three-hours");
  const previewOf = async (startSeconds: number, endSeconds: number) => {
    const choices = { part: { startSeconds, endSeconds } };
    return Preview.parse(await (await device.call("POST", "/api/preview", { youtubeUrl, choices })).json());
  };
  const whole = Preview.parse(await (await requestPreview(device, youtubeUrl)).json());
  expect(whole.estimates.mp3).toMatchObject({ fits: false, error: { code: "too_long" } });
  const part = await previewOf(5_400, 5_700);
  expect(part).toMatchObject({
    durationSeconds: whole.durationSeconds,
    estimates: { mp3: { fits: true, sizeBytes: 300 * 16_000 }, mp4: { fits: true, sizeBytes: null } },
  });
  // To the second at the limit of the plan, and a second more.
  expect((await previewOf(0, 20 * 60)).estimates.mp3.fits).toBe(true);
  expect((await previewOf(0, 20 * 60 + 1)).estimates.mp3).toMatchObject({ fits: false, error: { code: "too_long" } });
  // The end is cut to that of the video.
  expect((await previewOf(10_790, 99_999)).estimates.mp3.sizeBytes).toBe(10 * 16_000);
  expect((await previewOf(10_800, 10_810)).estimates.mp3).toMatchObject({
    fits: false,
    sizeBytes: null,
    error: { code: "part_outside", message: "This video ends before that part. Choose an earlier start." },
  });
  expect(timesRead("three-hours")).toBe(1);
});

it("makes a small picture of one that is 320 pixels wide and 65,500 high", async () => {
  const answer = await requestPreview(await server.newDevice(), server.site.urlOf("tall-picture"));
  const { thumbnail } = Preview.parse(await answer.json());
  expect(thumbnail).toMatch(/^data:image\/jpeg;base64,\/9j\//);
  expect(thumbnail?.length).toBeLessThan(5_000);
});

it("reads the page of the video once for two previews and a conversion", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  await requestPreview(device, server.site.urlOf("cello"));
  await requestPreview(device, server.site.urlOf("cello"));
  const job = await device.convert(server.site.urlOf("cello"));
  expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed" });
  expect(timesRead("cello")).toBe(1);
});

it("lets a conversion use a running preview, also when the preview is aborted", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const disconnect = new AbortController();
  const request = fetch(`${server.origin}/api/preview`, {
    method: "POST",
    headers: { cookie: device.cookie, origin: server.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: server.site.urlOf("held-page") }),
    signal: disconnect.signal,
  });
  await server.site.nthRequest("/watch/held-page", 1);
  const job = await device.convert(server.site.urlOf("held-page"));
  await live.untilStatus(job.id, "pending");
  disconnect.abort();
  await expect(request).rejects.toThrow("aborted");
  server.site.release(server.site.urlOf("held-page"));
  expect(await live.untilStatus(job.id, "completed", "failed")).toMatchObject({ status: "completed", attempt: 1 });
});

it.each([
  ["a word", () => "cats", 422, "invalid_link"],
  ["another site", () => "https://evil.example/?youtu.be", 422, "unsupported_host"],
  ["a video that is gone", () => server.site.urlOf("gone"), 422, "unavailable"],
])("refuses %s like a conversion", async (_, link, status, code) => {
  const answer = await requestPreview(await server.newDevice(), link());
  expect([answer.status, ErrorBody.parse(await answer.json()).code]).toEqual([status, code]);
});

it("says which format does not fit the plan", async () => {
  const preview = Preview.parse(
    await (await requestPreview(await server.newDevice(), server.site.urlOf("three-hours"))).json(),
  );
  expect(preview.estimates.mp3).toMatchObject({
    fits: false,
    note: tooLong(TIERS.free).message,
  });
});

it("stops when the caller disconnects, and leaves no folder", async () => {
  const device = await server.newDevice();
  const disconnect = new AbortController();
  const request = fetch(`${server.origin}/api/preview`, {
    method: "POST",
    headers: { cookie: device.cookie, origin: server.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: server.site.urlOf("stalled-page") }),
    signal: disconnect.signal,
  });
  await server.site.nthRequest("/watch/stalled-page", 1);
  disconnect.abort();
  await expect(request).rejects.toThrow("aborted");
  await expect.poll(() => readdir(join(server.config.dataDir, "scratch"))).toEqual([]);
});
