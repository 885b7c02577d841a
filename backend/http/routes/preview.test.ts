/** What the route does around a preview; preview.full.test.ts has what the tools find out. */
import { beforeEach, expect, it } from "vitest";
import { Preview } from "../../../common/api.ts";
import { ConversionError, ErrorBody } from "../../../common/errors.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { FakePipeline } from "../../dev/testing/fake-pipeline.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const VIDEO = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

const fake = new FakePipeline();
const server = await ofFile(startTestServer({ hasExtractor: false, lookups: fake.lookups }));
const device = await server.newDevice();
beforeEach(() => fake.reset());

const request = (youtubeUrl: string, more: object = {}) => device.call("POST", "/api/preview", { youtubeUrl, ...more });
const codeOf = async (answer: Response) => ErrorBody.parse(await answer.json()).code;

it("answers with what was found at the canonical link, and creates no job", async () => {
  fake.videos.set(VIDEO, { title: "Rain", durationSeconds: 100 });
  const answer = await request("youtu.be/dQw4w9WgXcQ?si=x");
  expect(Preview.parse(await answer.json())).toMatchObject({
    title: "Rain",
    durationSeconds: 100,
    thumbnail: "data:image/jpeg;base64,/9j/",
    estimates: { mp3: { quality: "128kbps", fits: true, sizeBytes: 100 * 16_000 } },
  });
  expect(fake.reads).toEqual([VIDEO]);
  expect(await (await device.call("GET", "/api/conversions")).json()).toEqual([]);
});

it("leaves out the picture when the browser saves data", async () => {
  fake.videos.set(VIDEO, { title: "Rain", durationSeconds: 100 });
  const answer = await request(VIDEO, { thumbnail: false });
  expect(Preview.parse(await answer.json())).toMatchObject({ title: "Rain", thumbnail: null });
});

it("estimates for the choices of the visitor", async () => {
  fake.videos.set(VIDEO, { title: "Three hours", durationSeconds: 10_800 });
  const mp3For = async (choices: object) =>
    Preview.parse(await (await request(VIDEO, { choices })).json()).estimates.mp3;
  expect(await mp3For({})).toMatchObject({ fits: false, error: { code: "too_long" } });
  const part = { startSeconds: 5_400, endSeconds: 5_700 };
  expect(await mp3For({ part })).toMatchObject({ fits: true, sizeBytes: 300 * 16_000 });
});

it.each([
  ["a word", "cats", 422, "invalid_link"],
  ["another site", "https://evil.example/?youtu.be", 422, "unsupported_host"],
])("refuses %s before anything is read", async (_, link, status, code) => {
  const answer = await request(link);
  expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
  expect(fake.reads).toEqual([]);
});

it("answers with the reason why a video cannot be converted", async () => {
  fake.videos.set(VIDEO, new ConversionError("private"));
  const answer = await request(VIDEO);
  expect([answer.status, await codeOf(answer)]).toEqual([422, "private"]);
});

it("stops the reading when the caller disconnects", async () => {
  fake.videos.set(VIDEO, "held");
  const disconnect = new AbortController();
  const answer = fetch(`${server.origin}/api/preview`, {
    method: "POST",
    headers: { cookie: device.cookie, origin: server.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: VIDEO }),
    signal: disconnect.signal,
  });
  await expect.poll(() => fake.reads).toEqual([VIDEO]);
  disconnect.abort();
  await expect(answer).rejects.toThrow("aborted");
  await expect.poll(() => fake.aborted).toEqual([VIDEO]);
});

it("has a separate rate limit, which lists share and which does not affect conversions", async () => {
  const rates = { previewPerDevice: 2, previewPerAddress: 3 };
  await using limited = await startTestServer({ hasExtractor: false, lookups: fake.lookups, settings: { rates } });
  const [one, other] = [await limited.newDevice(), await limited.newDevice()];
  const calls = [
    [one, "/api/preview"],
    [one, "/api/lists"],
    [one, "/api/preview"],
    [other, "/api/lists"],
    [other, "/api/lists"],
  ] as const;
  const statuses = [];
  for (const [from, path] of calls) statuses.push((await from.call("POST", path, { youtubeUrl: "cats" })).status);
  expect(statuses).toEqual([422, 422, 429, 422, 429]);
  expect((await one.call("POST", "/api/conversions", { youtubeUrl: "cats" })).status).toBe(422);
});
