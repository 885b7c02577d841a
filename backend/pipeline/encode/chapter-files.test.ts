/** Files of chapters whose sound is copied, which is quick. */
import { beforeAll, expect, it } from "vitest";
import {
  checkedFilesOf,
  openChapterMaker,
  STEMS,
  type ChapterMaker,
} from "../../dev/testing/chapter-files-of-clicks.ts";

let maker: ChapterMaker;
beforeAll(async () => {
  maker = await openChapterMaker("audio.m4a");
  return () => maker[Symbol.asyncDispose]();
});

it("are in order, with tags, each with its own clicks", async () => {
  const names = await checkedFilesOf(maker, { source: "audio.m4a", format: "original" });
  expect(names).toEqual(STEMS.map((stem) => `${stem}.m4a`));
});

it("are refused with a sentence where the video has none", async () => {
  const made = maker.make({ source: "audio.m4a", format: "mp3", chapters: [] });
  await expect(made).rejects.toMatchObject({ code: "no_chapters", message: expect.stringContaining("no chapters") });
});
