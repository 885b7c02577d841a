/** The pictures of a video, from those of any shape that its site sends. */
import { expect, it } from "vitest";
import { sentPictures } from "../../dev/testing/sent-pictures.ts";

const picturesFrom = sentPictures();

it.each([
  { size: "720x1280", thumbnail: [320, 568], cover: [720, 1_280] },
  { size: "160x90", thumbnail: [160, 90], cover: [160, 90] },
  { size: "320x65500", thumbnail: [2, 640], cover: [6, 1_440] },
])("makes pictures of bounded size from one of $size", async ({ size, thumbnail, cover }) => {
  const made = await picturesFrom(size);
  expect([made.thumbnail, made.cover]).toEqual([thumbnail, cover]);
  expect(made.thumbnailBytes).toBeLessThan(100_000);
});
