import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { ErrorBody } from "../../../common/errors.ts";
import { LIST_PAGE_SIZE, ListPage, MAX_LIST_ENTRIES } from "../../../common/lists.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { CLIP_SECONDS } from "../../dev/stand-ins/sample-site/clip-recipes.ts";
import type { PageName } from "../../dev/stand-ins/sample-site/sample-site.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const server = await ofFile(startTestServer());
const device = await server.newDevice();
beforeEach(() => server.site.reset());

const request = (youtubeUrl: string, offset?: number) => device.call("POST", "/api/lists", { youtubeUrl, offset });

async function pageAt(name: PageName, offset?: number): Promise<ListPage> {
  const answer = await request(server.site.urlOf(name), offset);
  const body: unknown = await answer.json();
  expect([answer.status, body]).toEqual([200, expect.any(Object)]);
  return ListPage.parse(body);
}

/** @returns all pages, in order */
async function pagesOf(name: PageName): Promise<ListPage[]> {
  const pages = [await pageAt(name)];
  for (let next = pages[0]?.next; next != null; next = pages.at(-1)?.next) pages.push(await pageAt(name, next));
  return pages;
}

const timesRead = (page: string) =>
  server.site.requests.filter(({ path, method }) => path === `/watch/${page}` && method === "GET").length;

it("answers with title, links and lengths of a short list, and creates no job", async () => {
  const page = await pageAt("list-60");
  expect(page).toMatchObject({ title: "Sixty times rain", total: 60, isCut: false, offset: 0, next: null });
  expect(page.link).toBe(server.site.urlOf("list-60"));
  expect(page.entries).toHaveLength(60);
  expect(page.entries[16]).toEqual({
    title: "Rain, part 17",
    link: `${server.site.urlOf("rain")}?part=17`,
    durationSeconds: page.entries[0]?.durationSeconds,
  });
  expect(page.entries[0]?.durationSeconds).toBeGreaterThan(1);
  expect(await (await device.call("GET", "/api/conversions")).json()).toEqual([]);
});

it("gives a list of 5,000 entries in few pages, which the site is asked for twice", async () => {
  const pages = await pagesOf("list-5000");
  expect(pages[0]).toMatchObject({ total: MAX_LIST_ENTRIES, isCut: false, next: LIST_PAGE_SIZE });
  expect(pages[0]?.entries).toHaveLength(LIST_PAGE_SIZE);
  expect(pages.length).toBeLessThanOrEqual(6);
  const links = pages.flatMap(({ entries }) => entries.map(({ link }) => link));
  expect(links).toEqual(
    Array.from({ length: MAX_LIST_ENTRIES }, (_, index) => `${server.site.urlOf("rain")}?part=${index + 1}`),
  );
  expect(timesRead("list-5000")).toBe(2);
});

it("says that a list with one entry more is cut", async () => {
  const pages = await pagesOf("list-5001");
  expect(pages.map(({ isCut }) => isCut)).toEqual(pages.map(() => true));
  expect(pages.at(-1)).toMatchObject({ total: MAX_LIST_ENTRIES, next: null });
  expect(pages.flatMap(({ entries }) => entries)).toHaveLength(MAX_LIST_ENTRIES);
});

it("names what cannot be converted, and a link where there is no title", async () => {
  const { entries } = await pageAt("list-mixed");
  expect(entries.map(({ title, durationSeconds, problem }) => [title, durationSeconds, problem])).toEqual([
    ["Rain on a tin roof", expect.any(Number), undefined],
    ["Longer than the free plan takes", 1_800, undefined],
    ["Longer than any plan takes", 10_800, undefined],
    ["On another site", null, "not_accepted"],
    [server.site.urlOf("snow"), null, undefined],
    ["<b>صوت المطر</b> & more", null, undefined],
  ]);
});

it("answers with an empty list", async () => {
  expect(await pageAt("list-empty")).toMatchObject({
    title: "Nothing recorded yet",
    total: 0,
    entries: [],
    next: null,
  });
});

it("numbers the videos of a post, of which each is a video by its link", async () => {
  const post = server.site.urlOf("two-videos");
  const { link, total, entries } = await pageAt("two-videos");
  expect([link, total]).toEqual([post, 2]);
  expect(entries.map((entry) => entry.link)).toEqual([`${post}#video=1`, `${post}#video=2`]);
  const preview = async (number: number) => {
    const answer = await device.call("POST", "/api/preview", { youtubeUrl: `${post}#video=${number}` });
    const body = (await answer.json()) as Partial<ErrorBody>;
    return [answer.status, body.code];
  };
  expect(await preview(2)).toEqual([200, undefined]);
  expect(await preview(3)).toEqual([422, "unavailable"]);
  const { id } = await device.convert(`${post}#video=2`, "mp4");
  // The first one has 30 seconds.
  expect(await (await device.live()).untilStatus(id, "completed")).toMatchObject({
    durationSeconds: CLIP_SECONDS.snow,
  });
});

it("takes a page of one video for that video, and for no other number", async () => {
  const page = server.site.urlOf("rain");
  const statuses = await Promise.all(
    [1, 2].map(async (number) => {
      const answer = await device.call("POST", "/api/preview", { youtubeUrl: `${page}#video=${number}` });
      return answer.status;
    }),
  );
  expect(statuses).toEqual([200, 422]);
});

it("refuses an offset behind the end, a negative one and one behind the longest list", async () => {
  for (const offset of [60, -1, MAX_LIST_ENTRIES + 1]) {
    const answer = await request(server.site.urlOf("list-60"), offset);
    expect([answer.status, ErrorBody.parse(await answer.json()).code]).toEqual([400, "bad_request"]);
  }
  expect((await pageAt("list-60", 59)).entries).toHaveLength(1);
});

it.each<[PageName, number, string]>([
  ["rain", 422, "invalid_link"],
  ["gone", 422, "unavailable"],
  ["no-video", 422, "unavailable"],
  ["redirect-private", 422, "unsupported_host"],
  ["endless-page", 422, "too_large"],
])("answers for the page %s, which is no list, with %i %s", async (name, status, code) => {
  const answer = await request(server.site.urlOf(name));
  expect([answer.status, ErrorBody.parse(await answer.json()).code]).toEqual([status, code]);
});

it("reads a list once for two visitors who ask at the same time", async () => {
  const other = await server.newDevice();
  const url = `${server.site.urlOf("list-later")}?together`;
  const answers = [device, other].map((each) => each.call("POST", "/api/lists", { youtubeUrl: url }));
  await server.site.nthRequest("/watch/list-later", 1);
  server.site.release(url);
  for (const answer of await Promise.all(answers)) expect(ListPage.parse(await answer.json()).total).toBe(3);
  expect(timesRead("list-later")).toBe(1);
});

it("stops when the visitor leaves, and leaves no folder", async () => {
  const url = `${server.site.urlOf("list-later")}?alone`;
  const disconnect = new AbortController();
  const answer = fetch(`${server.origin}/api/lists`, {
    method: "POST",
    headers: { cookie: device.cookie, origin: server.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: url }),
    signal: disconnect.signal,
  });
  await server.site.nthRequest("/watch/list-later", 1);
  disconnect.abort();
  await expect(answer).rejects.toThrow("aborted");
  await expect.poll(() => readdir(join(server.config.dataDir, "scratch"))).toEqual([]);
  // The next one begins anew.
  server.site.release(url);
  expect(ListPage.parse(await (await request(url)).json()).total).toBe(3);
  expect(timesRead("list-later")).toBe(2);
});

it("answers for a busy site as a preview does, and can be asked again", async () => {
  const first = await request(server.site.urlOf("list-busy"));
  expect([first.status, ErrorBody.parse(await first.json()).code]).toEqual([422, "site_blocked"]);
  expect((await pageAt("list-busy")).total).toBe(3);
});
