/** One short tape. The file with "full" in its name has all kinds, and proves that nothing is lost at the joins. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { probedChapters } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { cutSongs, SONG_SAMPLES } from "../../dev/testing/tape-songs.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { joinSongs } from "./join-songs.ts";

const { pipeline, folder } = await ofFile(openTestPipeline());

it("joins two MP3s into one with a chapter for each, as long as both together", async () => {
  const { songs } = await cutSongs(await testFolder(), "mp3", ["-c:a", "libmp3lame"], ["One", "Two"]);
  const request = { format: "mp3", tags: { title: "Side A" }, songs, limits: TIERS.pro, folder } as const;
  const listener = { found: () => undefined, progress: () => undefined };
  const { path, durationSeconds } = await joinSongs({
    pipeline,
    signal: new AbortController().signal,
    listener,
    request,
    log: () => undefined,
  });
  expect(path).toBe(join(folder, "result.mp3"));
  expect(Math.round(durationSeconds * 44_100)).toBe(2 * SONG_SAMPLES);
  expect((await probedChapters(path)).map(([title]) => title)).toEqual(["One", "Two"]);
});
