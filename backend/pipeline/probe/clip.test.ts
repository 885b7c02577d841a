import { describe, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { estimate } from "../plan/estimate.ts";
import { planChoices } from "../plan/fetch-plan.ts";
import { planTranscript } from "../plan/transcript-plan.ts";
import { clipOf } from "./clip.ts";
import { parseInfo } from "./info.ts";

const PICTURE = "https://i.ytimg.com/vi_webp/dQw4w9WgXcQ/maxresdefault.webp";
const SOUND = { url: "https://cdn.example/s", protocol: "https", vcodec: "none", acodec: "mp4a.40.2" };
/** As yt-dlp prints a clip of 15 s of a video of an hour: the length is that of the clip. */
const clipInfo = (more: object = {}) =>
  parseInfo(
    JSON.stringify({
      id: "UgkxAbCdEf",
      extractor_key: "YoutubeClip",
      channel_id: "UC1",
      title: "Rain",
      thumbnail: PICTURE,
      duration: 15,
      section_start: 60,
      section_end: 75,
      chapters: [{ title: "All of it", start_time: 0, end_time: 3_600 }],
      subtitles: { en: [{ ext: "vtt", url: "https://cdn.example/en" }] },
      formats: [
        { ...SOUND, format_id: "140", tbr: 128, filesize: 57_600_000 },
        { ...SOUND, format_id: "251", tbr: 100, filesize_approx: 187_500 },
      ],
      ...more,
    }),
  );

describe("a clip", () => {
  it("is a part of its whole video, whose length follows from sizes and bit rates", () => {
    const { clip, durationSeconds, chapters } = clipInfo();
    expect([clip, durationSeconds]).toEqual([{ startSeconds: 60, endSeconds: 75 }, 3_600]);
    expect(chapters).toEqual([{ title: "All of it", startSeconds: 0, endSeconds: 3_600 }]);
    expect(clipInfo({ formats: [{ ...SOUND, tbr: 128 }] }).durationSeconds).toBeUndefined();
  });

  it("takes no size that yt-dlp has estimated from the length of the clip", () => {
    expect(clipInfo().renditions.map(({ sizeBytes }) => sizeBytes)).toEqual([57_600_000, undefined]);
  });

  it("is blocked with its video and its channel", () => {
    expect(clipInfo()).toMatchObject({ videoId: "youtube:dQw4w9WgXcQ", channelIds: ["youtube:UC1"] });
  });

  it("counts with its own length for the limits of the plan", () => {
    expect(estimate(clipInfo(), "mp3", "free", 4)).toMatchObject({ fits: true, sizeBytes: 15 * 16_000 });
    const plan = planChoices(clipInfo(), "mp3", TIERS.free, 1e9);
    expect(plan).toMatchObject({ part: { startSeconds: 60, endSeconds: 75 }, durationSeconds: 15 });
    expect(planTranscript(clipInfo(), TIERS.free)).toMatchObject({
      part: { startSeconds: 60, endSeconds: 75 },
      durationSeconds: 15,
    });
  });

  it("gives way to a part that is chosen, and to files of chapters", () => {
    const partOf = (choices: object) => planChoices(clipInfo(), "mp3", TIERS.pro, 1e9, choices).part;
    const part = { startSeconds: 0, endSeconds: 10 };
    expect(partOf({ part })).toEqual(part);
    expect(partOf({ part: { startSeconds: 0, endSeconds: 3_600 } })).toBeUndefined();
    expect(partOf({ chapterFiles: true })).toBeUndefined();
  });

  it.each([
    [{}],
    [{ section_start: 60 }],
    [{ section_end: 60 }],
    [{ section_start: 60, section_end: 60 }],
    [{ section_start: 0, section_end: Infinity }],
  ])("is not seen in %j", (fields) => expect(clipOf(fields)).toBeUndefined());
});
