/** A post with several videos, as the picker shows it, and the file that becomes of one without an address of its own. */
import { beforeAll, expect, it } from "vitest";
import { folderPipeline } from "../dev/testing/folder-pipeline.ts";
import { H264, lavfi } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { linkOfShape, writePlugin } from "../dev/testing/shape-site.ts";
import type { ToolPaths } from "../pipeline/pipeline.ts";
import { LinkSlots } from "./link-slots.ts";
import { ListReader } from "./list-reader.ts";

const never = new AbortController().signal;
const site = await ofFile(folderPipeline());
let tools: ToolPaths;
beforeAll(async () => {
  tools = { ...site.pipeline.tools, pluginFolders: [await writePlugin(site.work)] };
  await site.ffmpeg(...lavfi("testsrc2=s=640x360:d=1"), "-frames:v", "1", "picture.jpg");
  await site.ffmpeg(...lavfi("testsrc2=s=320x180:r=25:d=3", "sine=d=3"), ...H264, "-c:a", "aac", "third.mp4");
});

it("shows each video with its link, length and picture, and converts each by its link", async () => {
  const thumbnail = site.mediaOf("picture.jpg");
  const format = { format_id: "1", url: site.mediaOf("third.mp4") };
  const elsewhere = linkOfShape({ id: "elsewhere", title: "Elsewhere", formats: [format] });
  const post = linkOfShape({
    _type: "playlist",
    id: "post",
    title: "A post",
    entries: [
      { id: "1", title: "First", duration: 3, formats: [format], thumbnail },
      { _type: "url", url: elsewhere, title: "Second", thumbnails: [{ url: site.mediaOf("missing.jpg") }] },
      { id: "3", title: "Third", url: site.mediaOf("third.mp4") },
    ],
  });
  const kept = { keepMs: 60_000, maxKept: 10, maxKeptBytes: 1_000_000 };
  const slots = new LinkSlots({ scratchFolder: site.work, concurrency: 2 });
  const lists = new ListReader({ ...site.pipeline, tools }, slots, { pictureMs: 60_000, kept });
  const { entries } = await lists.read(post, 10, never);
  expect(entries.map(({ link, title, durationSeconds }) => [link, title, durationSeconds])).toEqual([
    [`${post}#video=1`, "First", 3],
    [elsewhere, "Second", undefined],
    [`${post}#video=3`, "Third", undefined],
  ]);
  const pictureOf = async (url: string | undefined) => (url === undefined ? null : lists.picture(url, never));
  const pictures = await Promise.all(entries.map(({ thumbnailUrl }) => pictureOf(thumbnailUrl)));
  expect(pictures).toEqual([expect.stringMatching(/^data:image\/jpeg;base64,\/9j\//), null, null]);
  for (const { link } of entries) {
    const made = await site.convert({ file: link, format: "mp3", instead: { tools } });
    expect(made.durationSeconds).toBeCloseTo(3, 0);
  }
  lists.stop();
  await slots.untilIdle();
});
