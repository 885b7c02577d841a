/** The pictures of a video, from what its site sends. Other shapes are in picture.full.test.ts. */
import { expect, it } from "vitest";
import { sentPictures } from "../../dev/testing/sent-pictures.ts";

const picturesFrom = sentPictures();

it.each([{ size: "1280x720", thumbnail: [320, 180], cover: [720, 404] }])(
  "makes pictures of bounded size from one of $size",
  async ({ size, thumbnail, cover }) => {
    const made = await picturesFrom(size);
    expect([made.thumbnail, made.cover]).toEqual([thumbnail, cover]);
    expect(made.thumbnailBytes).toBeLessThan(100_000);
  },
);

it("cuts the cover of a song out of the middle of its wide picture", async () => {
  const made = await picturesFrom("color=red:size=720x720,pad=1280:720:280:0:teal", "certain");
  expect(made).toMatchObject({ thumbnail: [320, 180], cover: [720, 720], isRed: true });
});
