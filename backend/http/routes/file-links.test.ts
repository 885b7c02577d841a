/** Links to files: what another device, a download manager and the robot of a messenger get. */
import { beforeAll, expect, it } from "vitest";
import { CreatedFileLink, FileLinkState, type LinkLasts } from "../../../common/file-link-calls.ts";
import { LANGUAGE_CODES } from "../../../common/languages.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

/** What {@link convertWithoutTools} makes. */
const FILE = "a file";

const lines: string[] = [];
/** All that is in the addresses and must not be in the log. */
const secrets: string[] = [];
let id: string;

const server = await ofFile(
  startTestServer(
    { hasExtractor: false, LOG_LEVEL: "trace", onLogLine: (line) => void lines.push(line) },
    undefined,
    convertWithoutTools,
  ),
);
const device = await server.newDevice();
beforeAll(async () => {
  const live = await device.live();
  ({ id } = await device.convert(server.site.urlOf("rain")));
  await live.untilStatus(id, "completed", "failed");
});

async function makeLink(lasts: LinkLasts): Promise<string> {
  const answer = await device.call("POST", `/api/conversions/${id}/link`, { lasts });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([201, "private, no-store"]);
  const { url } = CreatedFileLink.parse(await answer.json());
  secrets.push(new URL(url, server.origin).searchParams.get("key") ?? "");
  return url;
}

async function openedTimes(): Promise<number | undefined> {
  const answer = await device.call("GET", `/api/conversions/${id}/link`);
  return FileLinkState.parse(await answer.json()).link?.opened;
}

/** As a device without cookies. */
const ask = (url: string, init: RequestInit = {}) => fetch(server.origin + url, { redirect: "manual", ...init });
const getRange = (url: string, range: string) => ask(url, { headers: { range } });

/** @returns the address behind Download on the page of a link */
async function fileOn(link: string): Promise<string> {
  const [, href = ""] = /href="([^"]+)" download/.exec(await (await ask(link)).text()) ?? [];
  const url = href.replaceAll("&#38;", "&");
  secrets.push(new URL(url, server.origin).searchParams.get("ticket") ?? "");
  return url;
}

/** Of all that a link answers with. */
const PRIVATE = {
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};
const headersOf = ({ headers }: Response) =>
  Object.fromEntries(Object.keys(PRIVATE).map((name) => [name, headers.get(name)]));

it("opens a page in the visitor's language, which loads no script and is kept and indexed nowhere", async () => {
  const link = await makeLink("once");
  const pages = await Promise.all(
    LANGUAGE_CODES.map(async (language) => {
      const answer = await ask(link, { headers: { "accept-language": language } });
      expect([answer.status, headersOf(answer)]).toEqual([200, PRIVATE]);
      const html = await answer.text();
      expect(html).toMatch(new RegExp(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`));
      expect(html).toContain("A video.mp3</h1>");
      expect(html).not.toContain("<script");
      return html.replace(/<html[^>]*>/, "").replaceAll(/ticket=[\w-]+/g, "");
    }),
  );
  expect(new Set(pages).size).toBe(LANGUAGE_CODES.length);
});

it("sends the file to one device, counts it, and then opens nothing", async () => {
  const link = await makeLink("once");
  const [mine, other] = [await fileOn(link), await fileOn(link)];
  const answers = await Promise.all([ask(mine), ask(other)]);
  const [got, late] = answers.toSorted((a, b) => a.status - b.status);
  expect([got?.status, late?.status]).toEqual([200, 404]);
  expect(got?.headers.get("content-disposition")).toContain("A video.mp3");
  expect(got && headersOf(got)).toEqual(PRIVATE);
  expect(await got?.text()).toBe(FILE);
  expect(late?.headers.get("content-disposition")).toBeNull();
  expect(await late?.text()).toContain("This link does not work any more");
  const page = await ask(link);
  expect([page.status, headersOf(page)]).toEqual([404, PRIVATE]);
  expect(await openedTimes()).toBe(1);
});

it("takes the ranges and repeats of a download manager for one opening", async () => {
  const url = await fileOn(await makeLink("once"));
  const parts = await Promise.all(["bytes=0-1", "bytes=2-3", "bytes=4-"].map((range) => getRange(url, range)));
  expect(parts.map(({ status, headers }) => [status, headers.get("content-range")])).toEqual([
    [206, "bytes 0-1/6"],
    [206, "bytes 2-3/6"],
    [206, "bytes 4-5/6"],
  ]);
  expect((await Promise.all(parts.map((part) => part.text()))).join("")).toBe(FILE);
  const tag = parts[0]?.headers.get("etag") ?? "";
  const resumed = await ask(url, { headers: { range: "bytes=3-", "if-range": tag } });
  expect([resumed.status, await resumed.text()]).toEqual([206, FILE.slice(3)]);
  expect((await getRange(url, "bytes=9-")).status).toBe(416);
  const head = await ask(url, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), head.headers.get("accept-ranges")]).toEqual([
    200,
    String(FILE.length),
    "bytes",
  ]);
  expect(await openedTimes()).toBe(1);
});

it("is not used up by the preview of a messenger", async () => {
  const link = await makeLink("once");
  const url = await fileOn(link);
  const robot = { headers: { "user-agent": "WhatsApp/2.23.20.0", accept: "*/*" } };
  for (const [address, method] of [
    [link, "GET"],
    [link, "HEAD"],
    [url, "HEAD"],
  ] as const)
    expect((await ask(address, { ...robot, method })).status).toBe(200);
  expect(await openedTimes()).toBe(0);
  expect(await (await ask(url)).text()).toBe(FILE);
});

it("for ten minutes is opened by several devices, until it is revoked", async () => {
  const link = await makeLink("ten_minutes");
  expect(await (await ask(link)).text()).toContain("This link ends in 10 minutes.");
  for (const _ of [1, 2]) expect(await (await ask(await fileOn(link))).text()).toBe(FILE);
  const url = await fileOn(link);
  expect(await openedTimes()).toBe(2);
  expect((await device.call("DELETE", `/api/conversions/${id}/link`)).status).toBe(204);
  expect([(await ask(link)).status, (await ask(url)).status]).toEqual([404, 404]);
  expect(await openedTimes()).toBeUndefined();
});

it.each(["/get", "/get?key=", "/get?key=a&key=b", "/get?key[$ne]=a", "/get/file?ticket=a", "/get/file?key=a&ticket=a"])(
  "%s opens nothing",
  async (address) => {
    const answer = await ask(address);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  },
);

it("sends no file without a ticket of its page", async () => {
  const link = await makeLink("once");
  expect((await ask(link.replace("/get?", "/get/file?"))).status).toBe(404);
  expect(await openedTimes()).toBe(0);
});

it("takes no other times", async () => {
  for (const body of [{}, { lasts: "forever" }])
    expect((await device.call("POST", `/api/conversions/${id}/link`, body)).status).toBe(400);
});

it("leaves the keys of links out of the log", () => {
  const log = lines.join("");
  expect(log).not.toBe("");
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.filter((secret) => secret === "" || log.includes(secret))).toEqual([]);
});
