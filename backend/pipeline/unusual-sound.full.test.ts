/** Converts sound as radios, browsers, cameras and phones make it, from a page to the result. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ConversionError } from "../../common/errors.ts";
import { folderPipeline, type FileConversion, type FolderPipeline } from "../dev/testing/folder-pipeline.ts";
import type { ConvertedFile } from "./convert.ts";

let site: FolderPipeline;
let ffmpeg: FolderPipeline["ffmpeg"];
beforeAll(async () => {
  site = await folderPipeline();
  ({ ffmpeg } = site);
  return site.close;
});

const sine = (hertz: number, seconds: number, more = ""): string[] => [
  "-f",
  "lavfi",
  "-i",
  `sine=f=${hertz}:d=${seconds}${more}`,
];
const picture = (seconds: number): string[] => ["-f", "lavfi", "-i", `testsrc2=s=320x180:r=25:d=${seconds}`];
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

async function chain(name: string, ...parts: readonly string[]): Promise<void> {
  const bytes = await Promise.all(parts.map((part) => readFile(join(site.folder, part))));
  await writeFile(join(site.folder, name), Buffer.concat(bytes));
}

const RATE_HZ = 44_100;

/** @returns the tones of half a second around some moments, by their zero crossings */
async function tonesAt(path: string, moments: readonly number[]): Promise<readonly number[]> {
  const pcm = await ffmpeg("-i", path, "-vn", "-ac", "1", "-ar", String(RATE_HZ), "-f", "s16le", "-");
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length >> 1);
  return moments.map((seconds) => {
    const from = Math.round((seconds - 0.25) * RATE_HZ);
    const heard = samples.subarray(from, from + RATE_HZ / 2);
    return (
      2 * heard.reduce((count, sample, at) => count + Number(at > 0 && (heard[at - 1] ?? 0) < 0 && sample >= 0), 0)
    );
  });
}

/** @param tones in hertz, by the second at which they are heard */
async function expectSound(
  conversion: FileConversion,
  seconds: number,
  tones: Readonly<Record<number, number>>,
): Promise<void> {
  const check = async (file: ConvertedFile): Promise<void> => {
    expect(Math.abs(file.durationSeconds - seconds)).toBeLessThan(0.1);
    const heard = await tonesAt(file.path, Object.keys(tones).map(Number));
    const differences = Object.values(tones).map((hertz, index) => Math.abs((heard[index] ?? 0) - hertz));
    expect(Math.max(...differences), `heard ${heard.join(", ")} Hz`).toBeLessThan(15);
  };
  await site.convert({ ...conversion, check });
}

const failureOf = (conversion: FileConversion) =>
  site.convert(conversion).then(
    () => expect.unreachable("the conversion did not fail"),
    (error: unknown) => error as ConversionError,
  );

describe("a chained Ogg file", () => {
  const part = { startSeconds: 1, endSeconds: 6 };
  beforeAll(async () => {
    await ffmpeg(...sine(300, 3), "-c:a", "libvorbis", "a.ogg");
    await ffmpeg(...sine(500, 4), "-c:a", "libvorbis", "b.ogg");
    await ffmpeg(...sine(500, 4, ":r=48000"), "-ac", "2", "-c:a", "libvorbis", "c.ogg");
    await ffmpeg(...sine(300, 3), "-c:a", "libopus", "a.opus");
    await ffmpeg(...sine(500, 4), "-ac", "2", "-c:a", "libopus", "b.opus");
    await chain("vorbis.ogg", "a.ogg", "b.ogg");
    await chain("rates.ogg", "a.ogg", "c.ogg");
    await chain("opus.ogg", "a.opus", "b.opus");
  });

  it.each(["vorbis.ogg", "rates.ogg", "opus.ogg"])("becomes all of its sound: %s", async (file) => {
    for (const format of ["mp3", "mp4"] as const) await expectSound({ file, format }, 7, { 1.5: 300, 5: 500 });
  });
  it.each(["original", "flac", "wav"] as const)("becomes all of its sound as %s", async (format) => {
    await expectSound({ file: "vorbis.ogg", format }, 7, { 1.5: 300, 5: 500 });
  });
  it.each(["mp3", "mp4"] as const)("gives a part over the border of two links as %s", async (format) => {
    await expectSound({ file: "vorbis.ogg", format, choices: { part } }, 5, { 1: 300, 4: 500 });
  });
});

describe("a recording without a stated length", () => {
  beforeAll(async () => {
    const sound = [...sine(300, 2), ...sine(500, 2), "-filter_complex", "[SOUND]concat=n=2:v=0:a=1[a]"];
    const both = (first: number) => sound.map((arg) => arg.replace("[SOUND]", `[${first}:a][${first + 1}:a]`));
    const webm = ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus", "-f", "webm", "-live", "1", "pipe:1"];
    await writeFile(
      join(site.folder, "browser.webm"),
      await ffmpeg(...picture(4), ...both(1), "-map", "0", "-map", "[a]", ...webm),
    );
    const mkv = ["-c:a", "libopus", "-live", "1", "-f", "matroska", "pipe:1"];
    await writeFile(join(site.folder, "live.mkv"), await ffmpeg(...both(0), "-map", "[a]", ...mkv));
  });

  it.each(["browser.webm", "live.mkv"])("is measured: %s", async (file) => {
    for (const format of ["mp3", "mp4", "original"] as const)
      await expectSound({ file, format }, 4, { 1: 300, 3: 500 });
    const choices = { part: { startSeconds: 1, endSeconds: 3 } };
    await expectSound({ file, format: "mp3", choices }, 2, { 0.5: 300, 1.5: 500 });
  });
});

it("says that it cannot read xHE-AAC, and makes no silent video of it", async () => {
  await ffmpeg(...picture(2), ...sine(300, 2), ...H264, "-c:a", "aac", "xhe.mp4");
  const bytes = await readFile(join(site.folder, "xhe.mp4"));
  const settings = bytes.indexOf(Buffer.from([0x05, 0x80, 0x80, 0x80, 0x05]), bytes.indexOf("esds")) + 5;
  // Object type 42, 44.1 kHz, one channel.
  bytes.writeUIntBE(0b11111_001010_0100_0001_000000000000000000000, settings, 5);
  await writeFile(join(site.folder, "xhe.mp4"), bytes);
  for (const format of ["mp3", "mp4", "original"] as const) {
    const { code, message } = await failureOf({ file: "xhe.mp4", format });
    expect([code, message]).toEqual(["unavailable", expect.stringContaining("xHE-AAC")]);
  }
});

describe("a video with several sounds", () => {
  beforeAll(async () => {
    const sounds = [...picture(4), ...sine(300, 4), ...sine(900, 4), "-map", "0", "-map", "1", "-map", "2"];
    const described = ["-disposition:a:0", "visual_impaired", "-disposition:a:1", "default"];
    await ffmpeg(...sounds, ...H264, "-c:a", "aac", ...described, "described.mp4");
    await ffmpeg(...sounds, ...H264, "-c:a", "aac", ...described, "-movflags", "+faststart", "described-front.mp4");
    const named = ["-disposition:a:0", "default", "-metadata:s:a:0", "title=Audio Description"];
    await ffmpeg(...sounds, ...H264, "-c:a", "libopus", ...named, "named.mkv");
    await ffmpeg(
      ...sounds,
      ...H264,
      "-c:a",
      "aac",
      "-disposition:a:0",
      "0",
      "-disposition:a:1",
      "default",
      "second.mkv",
    );
    await ffmpeg(...sounds, ...H264, "-c:a", "aac", "first.ts");
  });

  it.each([
    ["described.mp4", 900],
    ["described-front.mp4", 900],
    ["named.mkv", 900],
    ["second.mkv", 900],
    ["first.ts", 300],
  ] as const)("becomes the default one, and the audio description comes last: %s", async (file, hertz) => {
    for (const format of ["mp3", "mp4", "original"] as const) await expectSound({ file, format }, 4, { 2: hertz });
  });
});
