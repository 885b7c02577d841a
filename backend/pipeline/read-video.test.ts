import { expect, it } from "vitest";
import { testInfo } from "../dev/testing/test-info.ts";
import { nameOf, pageOf } from "./read-video.ts";

const LINK = "https://videos.example/7";
const info = { ...testInfo(61.4, {}), videoId: "videos:7" };

it("names a video by its site's id and its length", () => {
  expect(nameOf(info, LINK)).toEqual({ videoId: "videos:7", name: "videos:7 61" });
  expect(nameOf({ ...info, durationSeconds: undefined }, LINK)).toMatchObject({ name: "videos:7 0" });
});

it.each([
  ["whose site gives no id", { ...info, videoId: undefined }, LINK],
  ["that is a part of another one", { ...info, clip: { startSeconds: 1, endSeconds: 2 } }, LINK],
  ["that is one of several in a post", info, `${LINK}#video=2`],
])("does not name a video %s", (_, unsure, link) => {
  expect(nameOf(unsure, link)).toBeUndefined();
});

const PAGE = "https://videos.example/user/7";

it.each([
  ["the video's own page", PAGE, LINK, PAGE],
  ["its page without what tracks the one who asked", `${PAGE}?v=2&utm_source=mail&si=me#top`, LINK, `${PAGE}?v=2`],
  ["the link where the site names no page", undefined, LINK, LINK],
  ["the link where the page is longer than links may be", `${PAGE}?${"x".repeat(2_048)}`, LINK, LINK],
  ["the link where the page is none of the web", "ftp://videos.example/7", LINK, LINK],
  ["the link of one of several in a post, whose page is that of all", PAGE, `${LINK}#video=2`, `${LINK}#video=2`],
])("takes for where a video is %s", (_, pageUrl, link, page) => {
  expect(pageOf({ ...info, pageUrl }, link)).toBe(page);
});

it("takes the link for where a video is whose page was read by the generic extractor", () => {
  expect(pageOf({ ...info, videoId: undefined, pageUrl: PAGE }, LINK)).toBe(LINK);
});
