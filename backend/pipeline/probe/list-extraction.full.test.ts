/** Lists of YouTube: their pages, what cannot be converted in them, and that a visitor never sees the operator's own. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import {
  ALBUM_ID,
  CHANNEL_OF_TABS,
  CHANNEL_PATH,
  GUARDED_PLAYLIST_ID,
  LONG_PLAYLIST_ID,
  PLAYLIST_ID,
  PRIVATE_PLAYLIST_ID,
} from "../../dev/stand-ins/youtube-site/video-lists.ts";
import { openTestYouTube, usualAccess } from "../../dev/testing/test-youtube.ts";
import type { Pipeline } from "../pipeline.ts";
import { AccountCookies } from "./account-cookies.ts";
import type { ExtractorSource } from "./extractor-source.ts";
import { readList } from "./list-extraction.ts";

const { site, folder, pipeline: base } = await ofFile(openTestYouTube());
let outcomes: string[];
const cookiesFile = path.join(folder, "operators-cookies.txt");
await writeFile(cookiesFile, site.account.cookiesFile, { mode: 0o400 });
const pipeline: Pipeline = {
  ...base,
  youtube: {
    ...(await usualAccess(site)),
    playerFolder: path.join(folder, "players"),
    account: new AccountCookies(cookiesFile),
    onLink: (_link, outcome) => outcomes.push(outcome),
  },
};
beforeEach(() => {
  site.reset();
  outcomes = [];
});

const read = (address: string, most: number, own = pipeline) =>
  readList(
    { pipeline: own, signal: new AbortController().signal },
    { link: `https://www.youtube.com${address}`, folder, most },
  );
const requestsOf = (kind: string) => site.requests.filter((request) => request.kind === kind).length;

it("reads a playlist without opening its videos", async () => {
  expect(await read(`/playlist?list=${PLAYLIST_ID}`, 201)).toEqual({
    title: "A playlist",
    statedCount: 3,
    entries: [1, 2, 3].map((number) => ({
      title: `Video ${number}`,
      link: `https://www.youtube.com/watch?v=plain-0000${number}`,
      durationSeconds: 12,
    })),
  });
  expect([requestsOf("player"), requestsOf("media")]).toEqual([0, 0]);
});

it("says which album a release of YouTube Music is", async () => {
  const { album, entries } = await read(`/playlist?list=${ALBUM_ID}`, 201);
  expect([album, entries.length]).toEqual([{ title: "Weather", artist: "Rain" }, 3]);
});

it("reads the videos of a channel", async () => {
  const { entries } = await read(CHANNEL_PATH, 201);
  expect(entries.map(({ title }) => title)).toEqual(["Video 1", "Video 2", "Video 3"]);
});

it("reads the videos of all tabs of a channel whose link names none", async () => {
  const { title, entries, statedCount } = await read(CHANNEL_OF_TABS, 201);
  expect([title, statedCount]).toEqual(["Channel of tabs", 7]);
  expect(entries.map((entry) => entry.title)).toEqual([
    "Upload 1",
    "Upload 2",
    "Upload 3",
    "Stream 1",
    "Stream 2",
    "Short 1",
    "Short 2",
  ]);
  expect(entries.at(-1)?.link).toMatch(/^https:\/\/www\.youtube\.com\/shorts\/Short-\w+$/);
  expect((await read(CHANNEL_OF_TABS, 4)).entries.map((entry) => entry.title)).toEqual([
    "Upload 1",
    "Upload 2",
    "Upload 3",
    "Stream 1",
  ]);
  expect((await read(`${CHANNEL_OF_TABS}/streams`, 201)).entries).toHaveLength(2);
});

it("says which videos of a long playlist cannot be converted, and reads no more pages than it needs", async () => {
  const { entries } = await read(`/playlist?list=${LONG_PLAYLIST_ID}`, 5_001);
  expect(entries).toHaveLength(256);
  expect(entries.slice(99, 107).map(({ title, problem }) => [title, problem])).toEqual([
    ["Video 100", undefined],
    ["[Private video]", "private"],
    ["[Deleted video]", "deleted"],
    ["For members", "members_only"],
    ["On air", "live"],
    ["Tomorrow", "upcoming"],
    ["For its owner", "private"],
    ["Video 101", undefined],
  ]);
  const pages = requestsOf("list");
  site.reset();
  expect((await read(`/playlist?list=${LONG_PLAYLIST_ID}`, 100)).entries).toHaveLength(100);
  expect(requestsOf("list")).toBeLessThan(pages);
});

it.each([
  ["is private", PRIVATE_PLAYLIST_ID, "private"],
  ["does not exist", "PLnobodyhasthislistatall", "unavailable"],
])("names the reason where a playlist %s", async (_, id, code) => {
  await expect(read(`/playlist?list=${id}`, 10)).rejects.toMatchObject({ name: "ConversionError", code });
});

it("takes data of a list in an unknown place for a change of the site, and looks for a newer yt-dlp", async () => {
  site.listElement = "moved-data";
  const { tools, extractorHost: host } = pipeline;
  let looks = 0;
  const reports: string[] = [];
  const extractors: ExtractorSource = {
    version: undefined,
    lookForNewer: () => void (looks += 1),
    acquire: () =>
      Promise.resolve({
        extractor: { ytDlpPath: tools.ytDlpPath, host },
        report: (_link, outcome) => reports.push(outcome),
        [Symbol.dispose]: () => undefined,
      }),
  };
  await expect(read(`/playlist?list=${PLAYLIST_ID}`, 10, { ...pipeline, extractors })).rejects.toMatchObject({
    code: "site_changed",
  });
  expect([looks, reports]).toEqual([1, ["failed"]]);
  // The site is not asked again as another client: all of them read the same page.
  expect(requestsOf("page")).toBe(2);
});

it("never asks with the operator's account, and says nothing about whether videos can be read", async () => {
  await expect(read(`/playlist?list=${GUARDED_PLAYLIST_ID}`, 10)).rejects.toMatchObject({ code: "busy" });
  expect(requestsOf("page")).toBeGreaterThan(0);
  expect(site.requests.filter(({ cookie }) => cookie?.includes("SAPISID"))).toEqual([]);
  expect(outcomes).toEqual([]);
});
