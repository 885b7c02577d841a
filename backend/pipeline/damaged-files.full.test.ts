/**
 * Converts files that do not have what they state: cut off while they were recorded or uploaded, joined of several, or
 * with a hole where nothing was received.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ConversionError } from "../../common/errors.ts";
import type { Part } from "../../common/choices.ts";
import type { MediaFormat } from "../../common/tiers.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { folderPipeline, type FileConversion } from "../dev/testing/folder-pipeline.ts";
import { H264, lavfi } from "../dev/testing/ffmpeg.ts";

const site = await ofFile(folderPipeline());
const { ffmpeg } = site;

const picture = (seconds: number): string => `testsrc2=s=160x90:r=25:d=${seconds}`;
const tone = (seconds: number): string => `sine=f=400:d=${seconds}:r=44100`;
/** With a key frame each second. */
const KEYED = [...H264, "-g", "25"];
const AAC = ["-c:a", "aac"];
const WHOLE_SECONDS = 4;
const PICTURE_AND_TONE = lavfi(picture(WHOLE_SECONDS), tone(WHOLE_SECONDS));
const VIDEO = [...PICTURE_AND_TONE, ...KEYED];
const SOUND = lavfi(tone(WHOLE_SECONDS));

const at = (name: string): string => join(site.folder, name);

async function makeCutOff(name: string, args: readonly string[], share = 0.5): Promise<void> {
  await ffmpeg(...args, `whole-${name}`);
  const bytes = await readFile(at(`whole-${name}`));
  await writeFile(at(name), bytes.subarray(0, Math.floor(bytes.length * share)));
}

const ALL = ["mp3", "mp4", "original"] as const;
const near = (seconds: number): unknown => expect.closeTo(seconds, 0) as unknown;

/** @returns the length of each result by its format, where all streams end within a second of it; or the failure */
async function lengthsOf(file: string, formats: readonly MediaFormat[], part?: Part): Promise<Record<string, unknown>> {
  const made: Record<string, unknown> = {};
  for (const format of formats) made[format] = await lengthOf({ file, format, choices: part && { part } });
  return made;
}

/** What players need: that a result decodes to the length that it states. */
async function decodedSeconds(path: string): Promise<number> {
  const sound = await ffmpeg("-i", path, "-map", "0:a:0", "-ac", "1", "-ar", "8000", "-f", "s16le", "-");
  return sound.length / 16_000;
}

async function lengthOf(conversion: FileConversion): Promise<unknown> {
  let heardSeconds = NaN;
  const check = async ({ path }: { readonly path: string }): Promise<void> => {
    heardSeconds = await decodedSeconds(path);
  };
  const { durationSeconds } = await site.convert({ ...conversion, check });
  return Math.abs(heardSeconds - durationSeconds) < 0.6 ? durationSeconds : { durationSeconds, heardSeconds };
}

const failureOf = (conversion: FileConversion) =>
  site.convert(conversion).then(
    () => undefined,
    (error: ConversionError) => ({ code: error.code, reason: error.reason?.name, isTransient: error.isTransient }),
  );

const DAMAGED = { code: "unavailable", reason: "file_damaged", isTransient: false };

/** By name: what ffmpeg makes the whole of. All state a length of four seconds, and have about two. */
const CUT_OFF: Readonly<Record<string, readonly string[]>> = {
  "screen.mkv": [...VIDEO, ...AAC],
  "stream.flv": [...VIDEO, ...AAC],
  "page.webm": [...PICTURE_AND_TONE, ..."-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus".split(" ")],
  "index-in-front.mp4": [...VIDEO, ...AAC, "-movflags", "+faststart"],
  "song.mp3": [...SOUND, "-c:a", "libmp3lame", "-b:a", "128k"],
  "song.flac": [...SOUND, "-c:a", "flac"],
  "song.m4a": [...SOUND, ...AAC, "-movflags", "+faststart"],
};

describe("a file that was cut off", () => {
  beforeAll(async () => {
    for (const [name, args] of Object.entries(CUT_OFF)) await makeCutOff(name, args);
    // Of the second of two fragments the picture is there, and the sound behind it is not.
    const fragments = ["-g", "50", "-movflags", "+frag_keyframe+empty_moov"];
    await makeCutOff("fragments.mp4", [...VIDEO, ...AAC, ...fragments], 0.75);
    await makeCutOff("index-last.mp4", [...VIDEO, ...AAC]);
    await writeFile(at("unstated-screen.mkv"), await readFile(at("screen.mkv")));
  });

  it.each(Object.keys(CUT_OFF))("becomes what there is of it: %s", async (file) => {
    expect(await lengthsOf(file, ALL)).toEqual({ mp3: near(2), mp4: near(2), original: near(2) });
  });

  it("keeps the frames of a song that lacks only its last ones", async () => {
    await makeCutOff("nearly.mp3", [...SOUND, "-c:a", "libmp3lame", "-b:a", "128k"], 0.9);
    const bytes = await readFile(at("nearly.mp3"));
    const check = async ({ path }: { readonly path: string }): Promise<void> =>
      expect((await readFile(path)).includes(bytes.subarray(10_000, 50_000))).toBe(true);
    await site.convert({ file: "nearly.mp3", format: "mp3", check });
  });

  it("becomes the sound that there is, where the picture goes on a little", async () => {
    expect(await lengthsOf("fragments.mp4", ["mp3", "original"])).toEqual({ mp3: near(2), original: near(2) });
  });

  it.each(ALL)("gives a part up to its end, and says that nothing is behind it, as %s", async (format) => {
    const part = { startSeconds: 1, endSeconds: 4 };
    expect(await lengthsOf("screen.mkv", [format], part)).toEqual({ [format]: near(1) });
    const choices = { part: { startSeconds: 2.6, endSeconds: 3.9 } };
    const reason = format === "mp4" ? "nothing_in_part" : "no_sound_in_part";
    expect(await failureOf({ file: "screen.mkv", format, choices })).toMatchObject({ code: "part_outside", reason });
  });

  it.each([true, false])(
    "is said to be damaged without its index (a link to the file itself: %j)",
    async (isDirect) => {
      for (const format of ALL) expect(await failureOf({ file: "index-last.mp4", isDirect, format })).toEqual(DAMAGED);
    },
  );

  it("is taken for one whose connection broke, where the server does not say how many bytes it has", async () => {
    const broken = { code: "network", isTransient: true };
    for (const format of ALL) expect(await failureOf({ file: "unstated-screen.mkv", format })).toMatchObject(broken);
  });
});

describe("a file that is joined of two", () => {
  async function join2(name: string, args: readonly string[]): Promise<void> {
    await ffmpeg(...args, `one-${name}`);
    const bytes = await readFile(at(`one-${name}`));
    await writeFile(at(name), Buffer.concat([bytes, bytes]));
  }
  beforeAll(async () => {
    const two = lavfi(picture(2), tone(2));
    await join2("disc.vob", [...two, "-c:v", "mpeg2video", "-c:a", "mp2", "-f", "vob"]);
    await join2("camera.ts", [...two, ...KEYED, ...AAC]);
    await join2("screen.flv", [...two, ...KEYED, ...AAC]);
    await join2("screen.mkv", [...two, ...KEYED, ...AAC]);
    const webm = "-c:v libvpx -deadline realtime -cpu-used 8 -g 25 -c:a libopus".split(" ");
    await join2("browser.webm", [...two, ...webm]);
    await join2("live.webm", [...two, ...webm, "-live", "1", "-f", "webm"]);
    await join2("sound.webm", [...lavfi(tone(2)), "-c:a", "libopus"]);
  });

  it.each([
    ["disc.vob", ALL],
    ["camera.ts", ALL],
    ["screen.flv", ALL],
    ["browser.webm", ALL],
    ["sound.webm", ALL],
    // The original is made of what is joined, which has no other streams than that of the files above.
    ["screen.mkv", ["mp3", "mp4"]],
    ["live.webm", ["mp3", "mp4"]],
  ] as const)("becomes all of it: %s", async (file, formats) => {
    expect(await lengthsOf(file, formats)).toEqual(Object.fromEntries(formats.map((format) => [format, near(4)])));
  });

  it.each(["screen.flv", "browser.webm"])("gives a part across the seam: %s", async (file) => {
    const part = { startSeconds: 1, endSeconds: 3 };
    expect(await lengthsOf(file, ["mp3", "mp4"], part)).toEqual({ mp3: near(2), mp4: near(2) });
  });

  it("is refused where the two differ", async () => {
    await ffmpeg(...lavfi("testsrc2=s=320x180:r=25:d=2", tone(2)), ...KEYED, ...AAC, "larger.flv");
    const both = await Promise.all(["one-screen.flv", "larger.flv"].map((name) => readFile(at(name))));
    await writeFile(at("two-sizes.flv"), Buffer.concat(both));
    expect(await failureOf({ file: "two-sizes.flv", format: "mp4" })).toMatchObject({ reason: "not_readable" });
  });
});

describe("files that are joined of many", () => {
  async function joinMany(name: string, count: number, args: readonly string[]): Promise<void> {
    await ffmpeg(...args, `one-${name}`);
    const bytes = await readFile(at(`one-${name}`));
    await writeFile(at(name), Buffer.concat(Array<Buffer>(count).fill(bytes)));
  }
  const screen = [...lavfi("testsrc2=s=32x32:r=10:d=0.1", tone(0.1)), ...H264, ...AAC];
  const radio = [...lavfi("sine=f=400:d=0.1:r=16000"), "-c:a", "libvorbis"];

  it("become all of it, with sound without frames, which fills each file to its end", async () => {
    await joinMany("samples.mkv", 10, [
      ...lavfi("testsrc2=s=32x32:r=10:d=0.2", tone(0.2)),
      ...H264,
      "-c:a",
      "pcm_s16le",
    ]);
    expect(await lengthOf({ file: "samples.mkv", format: "mp3" })).toBeCloseTo(2, 1);
  });

  it("keep sound and picture together", async () => {
    await joinMany("both.flv", 10, screen);
    for (const [part, seconds] of [
      // Of 0.1 s the encoder makes six frames, and all of them are played.
      [undefined, 1.393],
      [{ startSeconds: 0.3, endSeconds: 1.1 }, 0.8],
    ] as const) {
      const near = expect.closeTo(seconds, 1) as unknown;
      expect(await lengthsOf("both.flv", ["mp3", "mp4"], part)).toEqual({ mp3: near, mp4: near });
    }
  });

  it.each([
    // The last frame ends at 9.892 s, and the file states 9.873 s.
    [9.85, 9.892 + 9.892],
    // It ends at 10.054 s, and the file states 10.033 s.
    [10.01, 10.033 + 10.054],
  ])("follow each other by what is played of short ones, and by what long ones state: %d s", async (each, seconds) => {
    await joinMany("long.flv", 2, [...lavfi(tone(each)), ...AAC]);
    const { durationSeconds } = await site.convert({ file: "long.flv", format: "original" });
    expect(durationSeconds).toBeCloseTo(seconds, 2);
  });

  it.each([
    ["recorders.flv", 101, screen],
    ["radios.ogg", 501, radio],
  ])("are refused where they are more: %s of %d", async (file, count, args) => {
    await joinMany(file, count, args);
    expect(await failureOf({ file, format: "mp3" })).toMatchObject({ code: "too_large" });
  });

  // The disk is asked behind the border for their number: as many as may be.
  it.each([
    ["disk.flv", 100, screen],
    ["disk.ogg", 500, radio],
  ])("are not joined on a disk that has no space for it: %s of %d", async (file, count, args) => {
    await joinMany(file, count, args);
    const limits = { ...site.pipeline.limits };
    let isFetched = false;
    const listener = {
      progress: () => {
        isFetched = true;
        limits.minFreeDiskBytes = Number.MAX_SAFE_INTEGER;
      },
    };
    const failure = await failureOf({ file, format: "mp3", instead: { limits }, listener });
    expect([isFetched, failure?.code]).toEqual([true, "storage"]);
  });
});

describe("a part of a recording with a hole", () => {
  beforeAll(async () => {
    await ffmpeg(...lavfi(picture(2), tone(2)), ...KEYED, ...AAC, "plain.mp4");
    await ffmpeg("-i", "plain.mp4", "-c", "copy", "before.ts");
    await ffmpeg("-i", "plain.mp4", "-c", "copy", "-output_ts_offset", "6", "after.ts");
    const parts = await Promise.all(["before.ts", "after.ts"].map((name) => readFile(at(name))));
    // From 2 to 6 seconds nothing was received.
    await writeFile(at("reception.ts"), Buffer.concat(parts));
  });

  it.each([...ALL, "flac", "wav"] as const)("says that there is nothing within the hole, as %s", async (format) => {
    const reason = format === "mp4" ? "nothing_in_part" : "no_sound_in_part";
    for (const [startSeconds, endSeconds] of [
      [3, 4.5],
      [2.1, 5.9],
    ] as const) {
      const choices = { part: { startSeconds, endSeconds } };
      expect(await failureOf({ file: "reception.ts", format, choices })).toMatchObject({
        code: "part_outside",
        reason,
      });
    }
  });

  it.each([...ALL, "flac"] as const)("has what is on either side of it, as %s", async (format) => {
    for (const [part, seconds] of [
      [{ startSeconds: 1, endSeconds: 5 }, 1],
      [{ startSeconds: 3, endSeconds: 7 }, 4],
      [{ startSeconds: 1, endSeconds: 7 }, 6],
    ] as const) {
      const { durationSeconds } = await site.convert({ file: "reception.ts", format, choices: { part } });
      expect([part, durationSeconds]).toEqual([part, near(seconds)]);
    }
  });
});

describe("a part in which only one of the streams goes on", () => {
  const part = { startSeconds: 1.5, endSeconds: 3 };
  beforeAll(async () => {
    for (const name of ["short-sound.mp4", "short-sound.mkv"])
      await ffmpeg(...lavfi(picture(3), tone(1)), ...KEYED, ...AAC, name);
    await ffmpeg(...lavfi(picture(1), tone(3)), ...KEYED, ...AAC, "short-picture.mp4");
  });

  it.each(["short-sound.mp4", "short-sound.mkv"])("is a silent video where the sound has ended: %s", async (file) => {
    const { durationSeconds } = await site.convert({ file, format: "mp4", choices: { part } });
    expect(durationSeconds).toBeCloseTo(1.5, 0);
    expect(await failureOf({ file, format: "mp3", choices: { part } })).toMatchObject({ code: "part_outside" });
  });

  it("shows one picture where the picture has ended", async () => {
    expect(await lengthsOf("short-picture.mp4", ALL, part)).toEqual({
      mp3: near(1.5),
      mp4: near(1.5),
      original: near(1.5),
    });
  });
});
