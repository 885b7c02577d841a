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

it.each([
  // With bars above and below, too.
  ["color=red:size=270x270,format=rgb24,pad=480:360:105:45:teal", [320, 240], [270, 270]],
  ["color=red:size=544x544", [320, 320], [544, 544]],
])("cuts the cover of a song that a label has published out of %s", async (picture, thumbnail, cover) => {
  expect(await picturesFrom(picture, "certain")).toMatchObject({ thumbnail, cover, isRed: true });
});

const ART = "testsrc2=size=720x720,";

it.each([
  ["sides of one colour", `${ART}pad=1280:720:280:0:navy`, [720, 720]],
  ["blurred sides", `${ART}split[a][b];[a]scale=1280:720,gblur=sigma=30[wide];[wide][b]overlay=280:0`, [720, 720]],
  ["a picture of its own", "testsrc2=size=1280x720", [720, 404]],
  ["a blurred picture of its own", "testsrc2=size=1280x720,gblur=sigma=30", [720, 404]],
  ["a picture of 4:3 between bars", "testsrc2=size=960x720,pad=1280:720:160:0", [720, 404]],
  ["one colour", "color=teal:size=1280x720", [720, 404]],
])("makes the cover of another song from %s", async (_, picture, cover) => {
  expect((await picturesFrom(picture, "possible")).cover).toEqual(cover);
});
