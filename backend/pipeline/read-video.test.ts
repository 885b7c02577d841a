import { expect, it } from "vitest";
import { testInfo } from "../dev/testing/test-info.ts";
import { nameOf } from "./read-video.ts";

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
