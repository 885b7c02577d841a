/** Cuts finished files, without a site that could be asked. */
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { beforeAll, expect, inject, it } from "vitest";
import { checkClicks, readClicks } from "../dev/testing/click-track.ts";
import { copyClicksClip } from "../dev/testing/clicks-clip.ts";
import { cutFile } from "../dev/testing/cut-of-file.ts";
import { ffmpegIn } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { openTestPipeline } from "../dev/testing/test-pipeline.ts";

const { ffmpegPath } = inject("toolPaths");
const test = await ofFile(openTestPipeline());
const clip = join(test.folder, "clip.mp4");
beforeAll(() => copyClicksClip(clip));

it("makes an MP3 of a part of an MP3, with the clicks in place and the tags of the file", async () => {
  const tags = ["-metadata", "title=Clicks (0:30–0:40)", "-metadata", "artist=A clock", "-metadata", "track=3/12"];
  const sound = ["-ss", "30", "-t", "10", "-i", "clip.mp4", "-vn", "-c:a", "libmp3lame", "-b:a", "320k"];
  await ffmpegIn(test.folder, ...sound, ...tags, "-id3v2_version", "3", "stored.mp3");
  const part = [33.25, 36.5] as const;
  await cutFile(test, {
    path: join(test.folder, "stored.mp3"),
    format: "mp3",
    part,
    of: [30, 40],
    check: async ({ path, durationSeconds }, found) => {
      checkClicks(await readClicks(ffmpegPath, path), part);
      expect(durationSeconds).toBeCloseTo(3.25, 1);
      expect(found.durationSeconds).toBe(3.25);
      const { title, artist, track } = (await parseFile(path)).common;
      expect({ title, artist, track }).toEqual({
        title: "Clicks (0:33–0:37)",
        artist: "A clock",
        track: { no: 3, of: 12 },
      });
    },
  });
});
