/** The podcast feed of an account over HTTP: what apps get. */
import { beforeAll, expect, it } from "vitest";
import { CreatedFeed, FeedState } from "../../../common/feed-calls.ts";
import { LANGUAGE_CODES } from "../../../common/languages.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const EMAIL = "listener@example.com";
/** What {@link convertWithoutTools} makes. */
const FILE = "a file";

const lines: string[] = [];
/** All that is in the addresses and must not be in the log. */
const keys: string[] = [];
let id: string;

const server = await ofFile(
  startTestServer(
    {
      hasExtractor: false,
      LOG_LEVEL: "trace",
      onLogLine: (line) => void lines.push(line),
    },
    undefined,
    convertWithoutTools,
  ),
);
const device = await server.newDevice();
beforeAll(async () => {
  await server.signIn(device, { email: EMAIL });
  ({ id } = await device.convert(server.site.urlOf("rain")));
  await (await device.live()).untilStatus(id, "completed");
});

async function makeFeed(language = "en"): Promise<string> {
  const answer = await device.call("POST", "/api/feed", {}, { "accept-language": language });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([201, "private, no-store"]);
  const { url } = CreatedFeed.parse(await answer.json());
  keys.push(new URL(url, server.origin).searchParams.get("key") ?? "");
  return url;
}

/** As an app, without cookies. */
const ask = (url: string, init: RequestInit = {}) => fetch(new URL(url, server.origin), init);
const read = async (url: string) => (await ask(url)).text();
const state = async () => FeedState.parse(await (await device.call("GET", "/api/feed")).json()).feed;

/** @returns the address in an attribute of the feed */
function addressIn(xml: string, pattern: RegExp): string {
  return (pattern.exec(xml)?.[1] ?? "").replaceAll("&#38;", "&");
}

it("has the tape with its file, size, length and picture, and is kept and indexed nowhere", async () => {
  const url = await makeFeed();
  const answer = await ask(url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/rss+xml; charset=utf-8",
    "cache-control": "private, no-cache",
    "x-robots-tag": "noindex, nofollow",
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
  const xml = await answer.text();
  expect(xml).toContain("<itunes:block>Yes</itunes:block>");
  expect(xml).toContain(`<item><title>A video</title>`);
  expect(xml).toContain(`<guid isPermaLink="false">${id}</guid>`);
  expect(xml).toContain("<itunes:duration>1</itunes:duration>");
  expect(xml).toMatch(/<enclosure url="[^"]+" length="6" type="audio\/mpeg"\/>/);
  const picture = await ask(addressIn(xml, /<item>.*<itunes:image href="([^"]+)"/));
  expect([picture.headers.get("content-type"), await picture.text()]).toEqual(["image/jpeg", "a picture"]);
});

it("sends the file as download managers want it", async () => {
  const file = addressIn(await read(await makeFeed()), /<enclosure url="([^"]+)"/);
  expect(new URL(file).pathname).toBe("/feed/tape.mp3");
  const whole = await ask(file);
  expect([whole.status, whole.headers.get("content-type"), await whole.text()]).toEqual([200, "audio/mpeg", FILE]);
  const head = await ask(file, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), head.headers.get("accept-ranges")]).toEqual([
    200,
    String(FILE.length),
    "bytes",
  ]);
  const part = await ask(file, { headers: { range: "bytes=2-3" } });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 2-3/6", "fi"]);
  expect((await ask(file, { headers: { range: "bytes=9-" } })).status).toBe(416);
});

it("is in the language of the page where it was made", async () => {
  const titles = new Set<string>();
  for (const language of LANGUAGE_CODES) {
    const xml = await read(await makeFeed(language));
    expect(xml).toContain(`<language>${language}</language>`);
    titles.add(/<channel><title>([^<]+)/.exec(xml)?.[1] ?? "");
  }
  expect(titles.size).toBe(LANGUAGE_CODES.length);
});

it("says that nothing has changed to apps that have it", async () => {
  const url = await makeFeed();
  const tag = (await ask(url)).headers.get("etag") ?? "";
  const statusFor = async (tags: string) => (await ask(url, { headers: { "if-none-match": tags } })).status;
  expect(await statusFor(tag)).toBe(304);
  expect(await statusFor(`"other", W/${tag}`)).toBe(304);
  expect(await statusFor('"other"')).toBe(200);
});

it("has another tag, and no tape, once the tape is removed; its file ends too", async () => {
  const url = await makeFeed();
  const first = await ask(url);
  const file = addressIn(await first.text(), /<enclosure url="([^"]+)"/);
  const other = await device.convert(server.site.urlOf("lanterns"), "original");
  await (await device.live()).untilStatus(other.id, "completed");
  const second = await ask(url, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
  expect([second.status, (await second.text()).match(/<item>/g)?.length]).toEqual([200, 2]);
  expect((await device.call("DELETE", `/api/conversions/${id}`)).status).toBe(204);
  expect((await read(url)).match(/<guid isPermaLink="false">[^<]+/g)).toEqual([
    `<guid isPermaLink="false">${other.id}`,
  ]);
  expect((await ask(file)).status).toBe(404);
});

it("ends when it is revoked, with its files and pictures", async () => {
  const url = await makeFeed();
  const xml = await read(url);
  expect(await state()).toMatchObject({ lastReadAt: expect.any(String) });
  expect((await device.call("DELETE", "/api/feed")).status).toBe(204);
  expect(await state()).toBeNull();
  const file = addressIn(xml, /<enclosure url="([^"]+)"/);
  for (const address of [url, file, addressIn(xml, /<item>.*<itunes:image href="([^"]+)"/)])
    expect((await ask(address)).status).toBe(404);
});

it("needs a fresh sign-in for another address, but none to be turned off", async () => {
  await makeFeed();
  await server.ageSessions(EMAIL, 11 * 60_000);
  const refused = await device.call("POST", "/api/feed", {});
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "fresh_sign_in_required" }]);
  expect((await device.call("DELETE", "/api/feed")).status).toBe(204);
});

it("ends when its user signs out everywhere", async () => {
  const other = await server.newDevice();
  await server.signIn(other, { email: "other@example.com" });
  const { url } = CreatedFeed.parse(await (await other.call("POST", "/api/feed", {})).json());
  expect((await ask(url)).status).toBe(200);
  expect((await other.call("POST", "/api/logout-everywhere", {})).status).toBe(200);
  expect((await ask(url)).status).toBe(404);
});

it.each([
  "/feed",
  "/feed?key=",
  "/feed?key=a&key=b",
  "/feed?key[$ne]=a",
  "/feed/tape.mp3?key=a&job=b",
  "/feed/picture.jpg",
])("%s opens nothing", async (address) => {
  const answer = await ask(address);
  expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }]);
});

it("leaves the keys of feeds out of the log", () => {
  const log = lines.join("");
  expect(log).not.toBe("");
  expect(keys.length).toBeGreaterThan(5);
  expect(keys.filter((key) => key === "" || log.includes(key))).toEqual([]);
});
