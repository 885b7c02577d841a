/** Converts files as cameras, receivers, phones and editors write them, and measures the results. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { H264, ffmpegIn, lavfi, probed, words } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { folderPipeline } from "../dev/testing/folder-pipeline.ts";
import type { ConvertedFile } from "./convert.ts";

const site = await ofFile(folderPipeline());
const { ffmpeg } = site;

const picture = (seconds: number, size = "320x180", rate = "25"): string => `testsrc2=s=${size}:r=${rate}:d=${seconds}`;
const tone = (seconds: number): string => `sine=f=400:d=${seconds}:r=48000`;
const AAC = ["-c:a", "aac"];

/** What a result has, decoded as a whole. */
interface Measured {
  /** Ends of picture and sound, to the tenth of a second. */
  readonly pictureSeconds: number | undefined;
  readonly soundSeconds: number | undefined;
  readonly size: string | undefined;
}

/** What ffprobe says of a file. */
interface Probed {
  readonly packets: readonly {
    readonly stream_index: number;
    readonly pts_time?: string;
    readonly duration_time?: string;
  }[];
  readonly streams: readonly {
    readonly index: number;
    readonly codec_type: string;
    readonly width?: number;
    readonly height?: number;
    readonly disposition: { readonly attached_pic: number };
  }[];
}

/** @returns the end of the last packet of a stream whose times are known; undefined without one */
function endOf({ packets }: Probed, stream: Probed["streams"][number] | undefined): number | undefined {
  const ends = packets
    .filter(({ stream_index: index, pts_time: from }) => index === stream?.index && from !== undefined)
    .map(({ pts_time: from, duration_time: length = 0 }) => Number(from) + Number(length));
  return ends.length === 0 ? undefined : Math.max(...ends);
}

async function measure(path: string): Promise<Measured> {
  // Each frame keeps its time.
  const problems = await ffmpegIn(
    undefined,
    "-i",
    path,
    ..."-vsync passthrough -enc_time_base -1 -f null -".split(" "),
  );
  expect(problems.stderr).toBe("");
  const entries = [
    "packet=stream_index,pts_time,duration_time",
    "stream=index,codec_type,width,height",
    "stream_disposition=attached_pic",
  ].join(":");
  const found = await probed<Probed>("-show_entries", entries, path);
  const sound = found.streams.find(({ codec_type: type }) => type === "audio");
  const picture = found.streams.find(
    ({ codec_type: type, disposition }) => type === "video" && disposition.attached_pic === 0,
  );
  return {
    pictureSeconds: endOf(found, picture),
    soundSeconds: endOf(found, sound),
    size: picture && `${picture.width},${picture.height}`,
  };
}

const TWO_SECONDS = lavfi(picture(2), tone(2));
const STILL = words("-c:v mjpeg -pix_fmt yuvj420p -frames:v 1 -disposition:v attached_pic");
const COVER = [...words("-map 0 -map 1"), ...AAC, ...STILL];

/** By name: what ffmpeg makes it of, its length, and the size of its picture unless that is 320 by 180. */
const FILES: Readonly<Record<string, readonly [args: readonly string[], seconds: number, size?: string]>> = {
  "changing-rate.mkv": [
    [...lavfi(picture(4), tone(4)), "-vf", "select='lt(n,25)+not(mod(n,7))'", "-vsync", "vfr", ...H264, ...AAC],
    4,
  ],
  "odd-size.mp4": [[...lavfi(picture(2, "853x479"), tone(2)), ...H264, "-pix_fmt", "yuv444p", ...AAC], 2, "852,478"],
  "ten-bits.mp4": [[...TWO_SECONDS, ...H264, "-pix_fmt", "yuv422p10le", ...AAC], 2],
  "prores-with-time-code.mov": [
    [...TWO_SECONDS, "-c:v", "prores_ks", "-c:a", "pcm_s24le", "-timecode", "01:00:00:00"],
    2,
  ],
  "mp3-inside.mp4": [[...TWO_SECONDS, ...H264, "-c:a", "libmp3lame"], 2],
  "two-sounds.mp4": [
    [...TWO_SECONDS, ...lavfi(tone(2)), ..."-map 0 -map 1 -map 2 -ac:a:0 1 -ac:a:1 2".split(" "), ...H264, ...AAC],
    2,
  ],
  "six-channels.mp4": [[...TWO_SECONDS, ...H264, ...AAC, "-ac", "6"], 2],
  "flac-inside.mp4": [[...TWO_SECONDS, ...H264, "-c:a", "flac", "-strict", "-2"], 2],
  "brief.mp4": [[...lavfi(picture(0.2), tone(0.2)), ...H264, ...AAC], 0.2],
  "brief.webm": [[...lavfi(picture(0.2), tone(0.2)), "-c:v", "libvpx", "-c:a", "libopus"], 0.2],
  "with-font.mkv": [[...TWO_SECONDS, ...H264, ...AAC, "-attach", "font.ttf", "-metadata:s:t", "mimetype=font/ttf"], 2],
  "disc.mpg": [
    [...lavfi(picture(2, "352x288"), tone(2)), "-c:v", "mpeg2video", "-c:a", "mp2", "-f", "vob"],
    2,
    "352,288",
  ],
  "old.wmv": [[...TWO_SECONDS, "-c:v", "wmv2", "-c:a", "wmav2"], 2],
  "old.avi": [[...TWO_SECONDS, "-c:v", "mpeg4", "-c:a", "libmp3lame", "-q:a", "4"], 2],
  "broadcast.mxf": [[...TWO_SECONDS, "-c:v", "mpeg2video", "-c:a", "pcm_s16le"], 2],
  "studio.gxf": [[...lavfi(picture(2, "720x576"), tone(2)), "-c:v", "mpeg2video", "-c:a", "pcm_s16le"], 2, "600,480"],
  "tape.dv": [[...lavfi(picture(2, "720x576"), tone(2)), "-target", "pal-dv"], 2, "640,480"],
  "receiver.wtv": [[...TWO_SECONDS, "-c:v", "mpeg2video", "-c:a", "mp2"], 2],
  "old.rm": [[...TWO_SECONDS, "-c:v", "rv20", "-c:a", "ac3"], 2],
  "camcorder.mts": [
    [
      ...lavfi(picture(2, "1440x1080", "50"), tone(2)),
      ...words("-vf interlace=scan=tff,format=yuv420p,setsar=4/3 -c:v libx264 -preset ultrafast"),
      ...words("-flags +ilme+ildct -x264opts tff=1 -c:a ac3 -f mpegts -mpegts_m2ts_mode 1"),
    ],
    2,
    "854,480",
  ],
  "phone.mov": [[...TWO_SECONDS, ...words("-c:v libx265 -x265-params log-level=error -tag:v hvc1 -c:a alac")], 2],
  "old-phone.3gp": [[...lavfi(picture(2, "352x288"), tone(2)), "-c:v", "h263", ...AAC], 2, "352,288"],
  "old-camera.avi": [[...TWO_SECONDS, ...words("-c:v mjpeg -pix_fmt yuvj422p -c:a pcm_u8 -ar 11025")], 2],
  "new.mp4": [[...TWO_SECONDS, ...words("-c:v libsvtav1 -preset 12 -c:a libopus")], 2],
  "free.ogv": [[...TWO_SECONDS, ...words("-c:v libtheora -c:a libvorbis")], 2],
  "transparent.webm": [
    [...TWO_SECONDS, ...words("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuva420p -c:a libopus")],
    2,
  ],
  "animation.mov": [[...TWO_SECONDS, ...words("-c:v qtrle -pix_fmt argb -c:a pcm_s16be")], 2],
  "slow-motion.mp4": [[...lavfi(picture(2, "320x180", "240"), tone(2)), ...H264, ...AAC], 2],
  "editor.mov": [[...TWO_SECONDS, ...words("-c:v dnxhd -profile:v dnxhr_hq -pix_fmt yuv422p -c:a pcm_s24le")], 2],
  "archive.mkv": [[...TWO_SECONDS, ...words("-c:v ffv1 -level 3 -c:a pcm_s24le")], 2],
  // Shown with black, as sound without a picture is.
  "cover-alone.m4a": [[...lavfi(tone(2), picture(0.04)), ...COVER], 2, "640,360"],
};

beforeAll(async () => {
  await writeFile(join(site.folder, "font.ttf"), Buffer.alloc(2_000, 7));
  await ffmpeg(...lavfi(picture(3, "640x360"), tone(3)), ...H264, "-g", "25", ...AAC, "plain.mp4");
  const copy = (name: string, before: readonly string[] = [], after: readonly string[] = []) =>
    ffmpeg(...before, "-i", "plain.mp4", "-c", "copy", ...after, name);
  await copy("turned.mp4", [], ["-metadata:s:v", "rotate=90"]);
  // Begins between two key frames: an edit list hides what is before.
  await copy("cut.mov", ["-ss", "0.5"]);
  await copy("clock-begins-anew.ts", [], ["-output_ts_offset", "95441"]);
  await copy("before.ts");
  await copy("after.ts", [], ["-output_ts_offset", "5"]);
  const parts = await Promise.all(["before.ts", "after.ts"].map((name) => readFile(join(site.folder, name))));
  await writeFile(join(site.folder, "lost-reception.ts"), Buffer.concat(parts));
});

/** @returns lengths of the MP3 and the MP4 of a file, each as stated and as measured, and the size of the picture */
async function resultsOf(file: string): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const format of ["mp3", "mp4"] as const) {
    const check = async ({ path, durationSeconds }: ConvertedFile): Promise<void> => {
      const { soundSeconds, pictureSeconds, size } = await measure(path);
      const lengths = [durationSeconds, soundSeconds, ...(format === "mp4" ? [pictureSeconds] : [])];
      Object.assign(results, { [format]: lengths, size });
    };
    await site.convert({ file, format, check });
  }
  return results;
}

function whole(soundSeconds: number, pictureSeconds: number, size: string): Record<string, unknown> {
  const near = (seconds: number): unknown =>
    expect.toSatisfy((found) => Math.abs(Number(found) - seconds) < 0.1, `${seconds} s`);
  return {
    mp3: [soundSeconds, soundSeconds].map(near),
    mp4: [pictureSeconds, pictureSeconds, pictureSeconds].map(near),
    size: expect.stringMatching(new RegExp(`^${size}`)) as unknown,
  };
}

it.each(Object.entries(FILES))("keeps sound and picture of %s", async (file, [args, seconds, size = "320,180"]) => {
  await ffmpeg(...args, file);
  expect(await resultsOf(file)).toEqual(whole(seconds, seconds, size));
});

it.each([
  ["turned.mp4", 3],
  ["cut.mov", 2.5],
  ["clock-begins-anew.ts", 3],
] as const)("keeps sound and picture of %s, which is copied", async (file, seconds) => {
  expect(await resultsOf(file)).toEqual(whole(seconds, seconds, "640,360"));
});

it.each(["mp3", "mp4", "flac", "original"] as const)("keeps the moments of a part over it as %s", async (format) => {
  const choices = { part: { startSeconds: 2, endSeconds: 6 } };
  const { durationSeconds } = await site.convert({ file: "lost-reception.ts", format, choices });
  expect(durationSeconds).toBeCloseTo(4, 0);
});

describe("a part between two frames of a picture that pauses", () => {
  beforeAll(async () => {
    const coded = [...H264, ...AAC];
    const slides = ["slides.mp4", "slides.mkv", "slides.ts"].flatMap((file) => [...coded, file]);
    await ffmpeg(...lavfi(picture(12, "320x180", "1/4"), tone(12)), ...slides);
    await ffmpeg(...lavfi(picture(60, "320x180", "1/20"), tone(60)), ...coded, "lecture.ts");
    const pauses = [...words("-vf select='lt(t,1)+gt(t,7)' -vsync vfr"), ...coded];
    await ffmpeg(...lavfi(picture(8), tone(8)), ...pauses, "paused.mp4", ...pauses, "paused.mkv");
  });

  it.each([
    ["slides.mp4", 5, 7.5],
    ["slides.mp4", 0, 2.5],
    ["slides.mp4", 4, 9],
    ["slides.mkv", 5, 7.5],
    ["slides.ts", 0, 2.5],
    ["slides.ts", 4, 9],
    ["slides.ts", 5, 7.5],
    ["lecture.ts", 55, 58],
    ["paused.mp4", 3, 5.5],
    ["paused.mkv", 3, 5.5],
  ] as const)("shows the last one before it: %s", async (file, startSeconds, endSeconds) => {
    let measured: unknown;
    const check = async ({ path }: ConvertedFile): Promise<void> => {
      const { pictureSeconds, soundSeconds, size } = await measure(path);
      const shown = await ffmpeg("-i", path, "-frames:v", "1", "-vf", "scale=1:1", "-f", "rawvideo", "-");
      measured = { pictureSeconds, soundSeconds, size, isBlack: (shown[0] ?? 0) < 20 };
    };
    await site.convert({ file, format: "mp4", choices: { part: { startSeconds, endSeconds } }, check });
    const seconds = expect.closeTo(endSeconds - startSeconds, 1) as unknown;
    expect(measured).toEqual({ pictureSeconds: seconds, soundSeconds: seconds, size: "320,180", isBlack: false });
  });
});

describe("slides in a transport stream", () => {
  /** Each is seven steps brighter than the one before it. */
  const slides = (seconds: number): string[] => [
    ...lavfi(`color=s=320x180:r=1/${seconds}:d=60,geq=lum='20+7*N':cb=128:cr=128`, tone(60)),
    ...H264,
    ...AAC,
  ];

  it.each([2, 4, 20])("keep their moments: one each %d s", async (seconds) => {
    await ffmpeg(...slides(seconds), "bright.ts");
    let shown: readonly number[] = [];
    const check = async ({ path }: ConvertedFile): Promise<void> => {
      const pixels = await ffmpeg("-i", path, "-vf", "fps=1,scale=1:1,format=yuv444p", "-f", "rawvideo", "-");
      const brightness = [...pixels].filter((_, at) => at % 3 === 0);
      shown = brightness.map((value) => Math.round((value - 20) / 7));
      expect(await measure(path)).toMatchObject({ size: "320,180", soundSeconds: expect.closeTo(60, 0) as unknown });
    };
    await site.convert({ file: "bright.ts", format: "mp4", check });
    expect(shown.slice(0, 55)).toEqual(Array.from({ length: 55 }, (_, second) => Math.floor(second / seconds)));
  });

  it("leave a part of the sound whole", async () => {
    await ffmpeg(...slides(4), "bright.ts");
    for (const startSeconds of [0, 1, 5]) {
      const choices = { part: { startSeconds, endSeconds: startSeconds + 3 } };
      let soundSeconds: number | undefined;
      const check = async ({ path }: ConvertedFile): Promise<void> => {
        const pcm = await ffmpeg("-i", path, "-ac", "1", "-ar", "8000", "-f", "s16le", "-");
        soundSeconds = pcm.length / 16_000;
      };
      await site.convert({ file: "bright.ts", format: "original", choices, check });
      expect([startSeconds, soundSeconds]).toEqual([startSeconds, expect.closeTo(3, 1)]);
    }
  });
});

it("leaves the time without reception out of the sound, and keeps it in the picture", async () => {
  expect(await resultsOf("lost-reception.ts")).toEqual(whole(6, 8, "640,360"));
});
