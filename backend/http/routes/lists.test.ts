/** The pages of a list and what the route does around them; lists.full.test.ts has what yt-dlp reads. */
import { beforeEach, expect, it } from "vitest";
import { ConversionError, ErrorBody } from "../../../common/errors.ts";
import { LIST_PAGE_SIZE, ListPage, MAX_LIST_ENTRIES, MAX_PICTURED_ENTRIES } from "../../../common/lists.ts";
import type { FoundList } from "../../domain/jobs/lists.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { FakePipeline } from "../../dev/testing/fake-pipeline.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const LIST = "https://www.youtube.com/playlist?list=PL0123456789abcdef";

const fake = new FakePipeline();
const server = await ofFile(startTestServer({ hasExtractor: false, lookups: fake.lookups }));
const device = await server.newDevice();
beforeEach(() => fake.reset());

const linkOf = (index: number) => `https://www.youtube.com/watch?v=${String(index).padStart(11, "0")}`;
const listOf = (count: number): FoundList => ({
  title: "Rain of a year",
  entries: Array.from({ length: count }, (_, index) => ({ link: linkOf(index), title: `Part ${index}` })),
  statedCount: count,
});
const request = (offset?: number) => device.call("POST", "/api/lists", { youtubeUrl: LIST, offset });
const pageAt = async (offset?: number) => ListPage.parse(await (await request(offset)).json());
async function allPages(): Promise<ListPage[]> {
  const pages = [await pageAt()];
  for (let next = pages[0]?.next; next != null; next = pages.at(-1)?.next) pages.push(await pageAt(next));
  return pages;
}

it("answers with a short list whole, and creates no job", async () => {
  fake.lists.set(LIST, listOf(3));
  const page = await pageAt();
  expect(page).toMatchObject({ link: LIST, title: "Rain of a year", total: 3, isCut: false, offset: 0, next: null });
  expect(page.entries.map(({ link }) => link)).toEqual([0, 1, 2].map(linkOf));
  expect(await (await device.call("GET", "/api/conversions")).json()).toEqual([]);
});

it("adds the pictures of a short list where they are asked for", async () => {
  const picturedList = (count: number): FoundList => {
    const { entries, ...list } = listOf(count);
    const files = ["picture.jpg", "gone.jpg"].map((name) => `https://pictures.example/${name}`);
    return { ...list, entries: entries.map((entry, index) => ({ ...entry, ...withUrl(files[index]) })) };
  };
  const withUrl = (thumbnailUrl: string | undefined) => (thumbnailUrl === undefined ? {} : { thumbnailUrl });
  const picturesOf = async (count: number, thumbnails?: boolean) => {
    fake.lists.set(LIST, picturedList(count));
    const answer = await device.call("POST", "/api/lists", { youtubeUrl: LIST, thumbnails });
    return ListPage.parse(await answer.json()).entries.filter(({ thumbnail }) => thumbnail !== undefined).length;
  };
  expect(await Promise.all([picturesOf(3), picturesOf(3, false)])).toEqual([0, 0]);
  expect(await picturesOf(MAX_PICTURED_ENTRIES, true)).toBe(1);
  expect(await picturesOf(MAX_PICTURED_ENTRIES + 1, true)).toBe(0);
});

it("says which album a list is, and how many songs it has once that is known", async () => {
  const album = { title: "Weather", artist: "Rain" };
  fake.lists.set(LIST, { ...listOf(3), album });
  expect((await pageAt()).album).toEqual({ ...album, of: 3 });
  fake.lists.set(LIST, { ...listOf(LIST_PAGE_SIZE + 50), album, statedCount: undefined });
  expect((await allPages()).map((page) => page.album?.of)).toEqual([undefined, LIST_PAGE_SIZE + 50]);
  fake.lists.set(LIST, { ...listOf(0), album });
  expect((await pageAt()).album).toEqual(album);
  fake.lists.set(LIST, listOf(3));
  expect(await pageAt()).not.toHaveProperty("album");
});

it.each([
  [MAX_LIST_ENTRIES, false],
  [MAX_LIST_ENTRIES + 1, true],
])("gives a list of %i entries in few pages, without a gap; it is cut: %s", async (count, isCut) => {
  fake.lists.set(LIST, listOf(count));
  const pages = await allPages();
  expect(pages[0]).toMatchObject({ total: MAX_LIST_ENTRIES, next: LIST_PAGE_SIZE });
  expect(pages.length).toBeLessThanOrEqual(6);
  expect(new Set(pages.map((page) => page.isCut))).toEqual(new Set([isCut]));
  expect(pages.flatMap(({ entries }) => entries.map(({ link }) => link))).toEqual(
    Array.from({ length: MAX_LIST_ENTRIES }, (_, index) => linkOf(index)),
  );
});

it("names entries that cannot be converted", async () => {
  const entries = [linkOf(1), "https://elsewhere.example/a", LIST].map((link) => ({ link, title: "A part" }));
  fake.lists.set(LIST, { title: "Mixed", entries });
  expect((await pageAt()).entries.map(({ problem }) => problem)).toEqual([undefined, "not_accepted", "list"]);
});

it("refuses an offset behind the end, a negative one and one behind the longest list", async () => {
  fake.lists.set(LIST, listOf(60));
  for (const offset of [60, -1, MAX_LIST_ENTRIES + 1]) {
    const answer = await request(offset);
    expect([answer.status, ErrorBody.parse(await answer.json()).code]).toEqual([400, "bad_request"]);
  }
  expect((await pageAt(59)).entries).toHaveLength(1);
});

it("says of a mix what to paste instead, before anything is read", async () => {
  const youtubeUrl = "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=RDMM";
  const answer = await device.call("POST", "/api/lists", { youtubeUrl });
  expect([answer.status, await answer.json()]).toMatchObject([422, { code: "invalid_link", reason: { name: "mix" } }]);
});

it.each(["unavailable", "playlist", "site_blocked", "too_large"] as const)(
  "answers with the reason %s",
  async (code) => {
    fake.lists.set(LIST, new ConversionError(code));
    const answer = await request();
    expect([answer.status, ErrorBody.parse(await answer.json()).code]).toEqual([422, code]);
  },
);
