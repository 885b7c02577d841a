/** Converts sound as radios, browsers, cameras and phones make it, from a page to the result. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ConversionError } from "../../common/errors.ts";
import { H264, lavfi, probedLines, words } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { folderPipeline, type FileConversion } from "../dev/testing/folder-pipeline.ts";
import type { MadeFile } from "../dev/testing/told-findings.ts";
import type { ConvertedFile } from "./convert.ts";

const site = await ofFile(folderPipeline());
const { ffmpeg } = site;

const sine = (hertz: number, seconds: number, more = ""): string[] => lavfi(`sine=f=${hertz}:d=${seconds}${more}`);
const picture = (seconds: number): string[] => lavfi(`testsrc2=s=320x180:r=25:d=${seconds}`);

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

interface Heard {
  readonly seconds: number;
  readonly hertz: readonly number[];
}

/** @returns length of the result to the tenth, and its tones at some moments to the next hundred hertz */
async function heard(conversion: FileConversion, ...moments: readonly number[]): Promise<Heard> {
  const { seconds, hertz } = await heardFile(conversion, ...moments);
  return { seconds, hertz };
}

/** @returns also the kind of an original */
async function heardFile(
  conversion: FileConversion,
  ...moments: readonly number[]
): Promise<Heard & Pick<MadeFile, "fileKind">> {
  let hertz: readonly number[] = [];
  const check = async ({ path }: ConvertedFile): Promise<void> => {
    hertz = (await tonesAt(path, moments)).map((tone) => 100 * Math.round(tone / 100));
  };
  const { durationSeconds, fileKind } = await site.convert({ ...conversion, check });
  return { seconds: Math.round(durationSeconds * 10) / 10, hertz, fileKind };
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

  // Whatever a chain holds, formats are made of the same FLAC.
  it.each(["vorbis.ogg", "rates.ogg", "opus.ogg"])("becomes all of its sound: %s", async (file) => {
    expect(await heard({ file, format: "mp3" }, 1.5, 5)).toEqual({ seconds: 7, hertz: [300, 500] });
  });
  it.each(["mp4", "original", "flac", "wav"] as const)("becomes all of its sound as %s", async (format) => {
    expect(await heard({ file: "vorbis.ogg", format }, 1.5, 5)).toEqual({ seconds: 7, hertz: [300, 500] });
  });
  it.each(["mp3", "mp4"] as const)("gives a part over the border of two links as %s", async (format) => {
    expect(await heard({ file: "vorbis.ogg", format, choices: { part } }, 1, 4)).toEqual({
      seconds: 5,
      hertz: [300, 500],
    });
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
      expect(await heard({ file, format }, 1, 3)).toEqual({ seconds: 4, hertz: [300, 500] });
    const choices = { part: { startSeconds: 1, endSeconds: 3 } };
    expect(await heard({ file, format: "mp3", choices }, 0.5, 1.5)).toEqual({ seconds: 2, hertz: [300, 500] });
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
    const second = words("-disposition:a:0 0 -disposition:a:1 default second.mkv");
    await ffmpeg(...sounds, ...H264, "-c:a", "aac", ...second);
    await ffmpeg(...sounds, ...H264, "-c:a", "aac", "first.ts");
  });

  it.each([
    ["described.mp4", 900],
    ["described-front.mp4", 900],
    ["named.mkv", 900],
    ["second.mkv", 900],
    ["first.ts", 300],
  ] as const)("becomes the default one, and the audio description comes last: %s", async (file, hertz) => {
    for (const format of ["mp3", "mp4", "original"] as const)
      expect(await heard({ file, format }, 2)).toEqual({ seconds: 4, hertz: [hertz] });
  });
});

describe("sound with channels that no speaker plays", () => {
  /** @returns a source of tones, one for each channel */
  const tones = (...hertz: readonly number[]): string[] =>
    lavfi(`aevalsrc=${hertz.map((tone) => `0.2*sin(${tone}*2*PI*t)`).join("|")}:s=48000:d=3`);

  async function ambisonic(name: string, ...hertz: readonly number[]): Promise<void> {
    await ffmpeg(...tones(...hertz), "-c:a", "libopus", "-mapping_family", "255", "-b:a", "256k", name);
    const path = join(site.folder, name);
    const bytes = await readFile(path);
    // Mapping family 2 (RFC 8486, 3.1); ffmpeg writes no such files.
    bytes.writeUInt8(2, bytes.indexOf("OpusHead") + 18);
    await writeFile(path, bytes);
  }
  beforeAll(async () => {
    await ambisonic("ambisonic.webm", 400, 3_000, 4_000, 5_000);
    await ffmpeg(...tones(...Array<number>(9).fill(3_000).with(0, 400).with(1, 400)), "-c:a", "pcm_s16le", "nine.wav");
  });

  it.each(["ambisonic.webm", "nine.wav"])("is mixed to what is heard from all sides: %s", async (file) => {
    for (const format of ["mp3", "mp4", "flac", "wav"] as const)
      expect(await heard({ file, format }, 1.5)).toEqual({ seconds: 3, hertz: [400] });
  });

  it("keeps the stereo that does not turn with the head", async () => {
    await ambisonic("head-locked.webm", 0, 3_000, 4_000, 5_000, 600, 600);
    expect(await heard({ file: "head-locked.webm", format: "mp3" }, 1.5)).toEqual({ seconds: 3, hertz: [600] });
  });
});

/** Two seconds of silence at 8 kHz as Monkey's Audio 3.99, for which ffmpeg has no encoder: a single frame that says so. */
function silentApe(): Buffer {
  const words = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer);
  const frame = Buffer.concat([words(0x8000_0000, 3), Buffer.alloc(16)]);
  const descriptor = [Buffer.from("MAC "), words(3_990, 52, 24, 4, 0, frame.length, 0, 0), Buffer.alloc(16)];
  // Level and flags, samples of a frame, of the last one, frames, bits and channels, rate; then where the frame begins.
  const header = words(1_000 + 0x20 * 0x1_0000, 73_728, 16_000, 1, 16 + 0x1_0000, 8_000, 80);
  return Buffer.concat([...descriptor, header, frame]);
}

describe("sound files of cameras, phones and recorders", () => {
  beforeAll(async () => {
    const simple = ["a.aiff", "a.caf", "a.au", "a.wv", "a.w64", "a.tta", "a.voc"];
    const coded = words("-c:a alac memo.caf -c:a pcm_f64le fractions.wav -c:a aac -f adts radio.aac");
    // Each is an output of one ffmpeg.
    await ffmpeg(...sine(400, 2), ...simple, ...coded);
    await ffmpeg(...sine(400, 2, ":r=48000"), "-c:a", "libopus", "message.caf");
    await ffmpeg(...sine(400, 2, ":r=192000"), "-c:a", "flac", "-sample_fmt", "s32", "studio.flac");
    // A pipe takes no length that is known at the end.
    await writeFile(join(site.folder, "piped.wav"), await ffmpeg(...sine(400, 2), "-f", "wav", "pipe:1"));
    await writeFile(join(site.folder, "piped.flac"), await ffmpeg(...sine(400, 2), "-f", "flac", "pipe:1"));
    const experimental = words("-c:a truehd -strict -2 a.thd -c:a dca -strict -2 a.dts");
    await ffmpeg(...sine(400, 2, ":r=48000"), ...experimental);
    // 100 frames of silence of 20 ms at 12.2 kbit/s; ffmpeg has no encoder for AMR.
    const frame = Buffer.from([0x3c, ...Array<number>(31).fill(0)]);
    const amr = Buffer.concat([Buffer.from("#!AMR\n"), ...Array<Buffer>(100).fill(frame)]);
    await writeFile(join(site.folder, "a.amr"), amr);
    // And of its wide-band form, at 6.6 kbit/s (RFC 4867, section 5.3).
    const wideFrame = Buffer.from([0x04, ...Array<number>(17).fill(0)]);
    const wide = Buffer.concat([Buffer.from("#!AMR-WB\n"), ...Array<Buffer>(100).fill(wideFrame)]);
    await writeFile(join(site.folder, "wide.amr"), wide);
    await writeFile(join(site.folder, "wide.awb"), wide);
    await writeFile(join(site.folder, "a.ape"), silentApe());
  });

  // FLAC is decoded like the MP3: here of one file of 16-bit samples, and of each with others.
  const AS_FLAC = new Set("a.aiff a.thd message.caf studio.flac fractions.wav piped.wav radio.aac".split(" "));

  it.each<readonly [file: string, kind: unknown]>([
    ["a.aiff", "aiff"],
    ["a.caf", "aiff"],
    ["a.au", "aiff"],
    ["a.wv", "wv"],
    ["a.w64", "wav"],
    ["a.tta", "mka"],
    ["message.caf", "flac"],
    ..."a.voc a.thd memo.caf studio.flac fractions.wav piped.wav piped.flac radio.aac"
      .split(" ")
      .map((file) => [file, expect.any(String)] as const),
  ])("are read, and keep their kind as the original or get one that takes their samples: %s", async (file, kind) => {
    for (const format of AS_FLAC.has(file) ? (["mp3", "flac"] as const) : (["mp3"] as const))
      expect([format, await heard({ file, format }, 1)]).toEqual([format, { seconds: 2, hertz: [400] }]);
    expect(await heardFile({ file, format: "original" }, 1)).toEqual({ seconds: 2, hertz: [400], fileKind: kind });
  });
  it.each<readonly [file: string, kind: unknown]>([
    ["a.amr", "amr"],
    ["wide.amr", "amr"],
    ["wide.awb", "amr"],
    ["a.ape", "flac"],
    ["a.dts", expect.any(String)],
  ])("are read, and keep their kind: %s", async (file, kind) => {
    expect((await heard({ file, format: "mp3" })).seconds).toBeCloseTo(2, 0);
    const { seconds, fileKind } = await heardFile({ file, format: "original" });
    expect([seconds, fileKind]).toEqual([expect.closeTo(2, 0), kind]);
  });
});

it.each(["flash.flv", "phone.flv"])("writes the sound of %s as FLAC, because no container takes it", async (file) => {
  const codec = { "flash.flv": "adpcm_swf", "phone.flv": "nellymoser" }[file] ?? "";
  await ffmpeg(...picture(3), ...sine(300, 3, ":r=22050"), "-c:v", "flv1", "-c:a", codec, file);
  const { fileKind, seconds, hertz } = await heardFile({ file, format: "original" }, 1);
  expect([fileKind, Math.round(seconds), hertz]).toEqual(["flac", 3, [300]]);
});

it.each(["part.tta", "part.spx"])("gives a part of %s its length and loudness as the original", async (file) => {
  await ffmpeg(...sine(400, 6, ":r=16000"), file);
  const peakOf = async (path: string): Promise<number> => {
    const pcm = await ffmpeg("-i", path, "-ac", "1", "-f", "s16le", "-");
    return new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length >> 1).reduce((peak, one) => Math.max(peak, one), 0);
  };
  let peak = 0;
  const check = async ({ path }: MadeFile): Promise<void> => {
    peak = await peakOf(path);
  };
  const choices = { part: { startSeconds: 1.3, endSeconds: 3.8 } };
  const { durationSeconds, fileKind } = await site.convert({ file, format: "original", choices, check });
  expect([fileKind, durationSeconds]).toEqual(["flac", 2.5]);
  expect(peak / (await peakOf(join(site.folder, file)))).toBeLessThan(1.2);
});

it.each([1.3, 2.1])("shows the picture of a part of sound from its first moment: from %d s", async (startSeconds) => {
  await ffmpeg(...sine(400, 6, ":r=48000"), "-c:a", "libvorbis", "still.ogg");
  let firstTimes: readonly number[] = [];
  const check = async ({ path }: ConvertedFile): Promise<void> => {
    firstTimes = (await probedLines("-show_entries", "stream=start_time", path)).map(Number);
  };
  const choices = { part: { startSeconds, endSeconds: startSeconds + 1.5 } };
  await site.convert({ file: "still.ogg", format: "mp4", choices, check });
  expect(firstTimes).toEqual([0, 0]);
});

it.each<[string, string, number, string, ...string[]]>([
  ["n.flac", "flac", 48_000, "flac", ..."-sample_fmt s32 -bits_per_raw_sample 24".split(" ")],
  ["a-law.wav", "wav", 8_000, "pcm_alaw"],
  ["mu-law.au", "wav", 8_000, "pcm_mulaw"],
  ["deep.wav", "wav", 8_000, "pcm_s24le"],
  ["fractions.wav", "wav", 8_000, "pcm_f32le"],
  ["slow.aiff", "aiff", 8_000, "pcm_s16be"],
  ["slow.wv", "wv", 8_000, "wavpack"],
  ["camera.mov", "wav", 8_000, "pcm_s16le"],
])("keeps each sample of a part of %s", async (file, kind, rate, codec, ...bits) => {
  await ffmpeg(...lavfi(`anoisesrc=duration=4:sample_rate=${rate}:seed=3`), "-c:a", codec, ...bits, file);
  const pcm = async (path: string, ...from: readonly string[]): Promise<Buffer> =>
    ffmpeg(...from, "-i", path, "-f", "s32le", "-");
  const check = async ({ path, durationSeconds, fileKind }: MadeFile): Promise<void> => {
    expect([fileKind, durationSeconds]).toEqual([kind, 1.5]);
    expect((await pcm(path)).equals(await pcm(file, "-ss", "2", "-t", "1.5"))).toBe(true);
  };
  const choices = { part: { startSeconds: 2, endSeconds: 3.5 } };
  await site.convert({ file, format: "original", choices, check });
});

it("keeps E-AC3 as it is in an M4A, which phones play", async () => {
  await ffmpeg(...sine(400, 2, ":r=48000"), "-ac", "6", "-c:a", "eac3", "surround.mp4");
  const { fileKind } = await site.convert({ file: "surround.mp4", format: "original" });
  expect(fileKind).toBe("m4a");
});

describe("sound that begins later than the picture", () => {
  const late = ["-itsoffset", "2", ...sine(400, 6)];
  const part = { startSeconds: 1, endSeconds: 7 };
  const subtitles = { language: "en" };
  beforeAll(async () => {
    await ffmpeg(...picture(8), ...late, ...H264, "-c:a", "aac", "late.mp4");
    await ffmpeg(...picture(8), ...late, ...H264, "-c:a", "libopus", "late.mkv");
    await ffmpeg(...picture(8), ...late, ...H264, "-c:a", "libopus", "-live", "1", "late-live.mkv");
    await ffmpeg(...picture(8), ...late, ...H264, "-c:a", "aac", "late.ts");
    await ffmpeg(...picture(8), ...late, ...H264, "-c:a", "libmp3lame", "late-mp3.mkv");
    // The text comes with the sound.
    for (const file of ["late.mp4", "late.mkv", "late.ts"])
      await writeFile(join(site.folder, `${file}.vtt`), "WEBVTT\n\n00:02.000 --> 00:05.000\na tone\n");
  });

  it.each(["late.mp4", "late.mkv", "late-live.mkv", "late.ts"])("is heard at the same moments: %s", async (file) => {
    for (const format of ["mp3", "flac"] as const)
      expect(await heard({ file, format }, 1, 3)).toMatchObject({ hertz: [0, 400] });
    const choices = { part };
    expect(await heard({ file, format: "mp3", choices }, 0.5, 2)).toEqual({ seconds: 6, hertz: [0, 400] });
  });

  it.each(["late.mp4", "late.mkv", "late.ts"])("has its text at the same moments: %s", async (file) => {
    for (const [wanted, shown] of [
      [undefined, /02\.000 --> (?:00:)?00:05\.000/],
      [part, /01\.000 --> (?:00:)?00:04\.000/],
    ] as const) {
      const readText = async ({ path }: ConvertedFile) => expect(await readFile(path, "utf8")).toMatch(shown);
      const choices = { part: wanted, subtitles: { language: "en", as: "vtt" } } as const;
      await site.convert({ file, format: "transcript", choices, check: readText });
      const readTrack = async ({ path }: ConvertedFile) =>
        expect(String(await ffmpeg("-i", path, "-map", "0:s", "-f", "webvtt", "-"))).toMatch(shown);
      await site.convert({ file, format: "mp4", choices: { ...choices, subtitles }, check: readTrack });
    }
  });

  it("keeps its moments as the original, where the file can have them", async () => {
    for (const [file, seconds] of [
      ["late.mp4", 8],
      ["late.ts", 8],
      ["late.mkv", 8],
      ["late-mp3.mkv", 6],
    ] as const)
      expect([file, (await heard({ file, format: "original" })).seconds]).toEqual([file, seconds]);
    expect((await heard({ file: "late-mp3.mkv", format: "original", choices: { part } })).seconds).toBe(5);
    const choices = { part: { startSeconds: 0, endSeconds: 1.5 } };
    for (const file of ["late.mp4", "late-mp3.mkv"])
      expect(await failureOf({ file, format: "original", choices })).toMatchObject({
        code: "part_outside",
        reason: { name: "no_sound_in_part" },
      });
  });

  it.each(["mp3", "flac", "original"] as const)("is not made of a part before it, as %s", async (format) => {
    const choices = { part: { startSeconds: 0, endSeconds: 1.5 } };
    expect(await failureOf({ file: "late.mp4", format, choices })).toMatchObject({ code: "part_outside" });
  });
});

describe("a picture that begins behind its sound", () => {
  /** Tones of 300 Hz for two seconds, and of 500 Hz behind them. */
  const late = (seconds: number, ...args: readonly string[]): string[] => [
    "-itsoffset",
    String(seconds),
    ...lavfi(`testsrc2=s=320x180:r=1/4:d=${24 - seconds}`),
    ...sine(300, 2),
    ...sine(500, 22),
    ...words("-filter_complex [1:a][2:a]concat=n=2:v=0:a=1[a] -map 0 -map [a]"),
    ...H264,
    ...args,
  ];
  beforeAll(async () => {
    await ffmpeg(...late(2, "-c:a", "libopus"), "slides.mkv");
    await ffmpeg(...late(2, "-c:a", "libopus", "-live", "1"), "live-slides.mkv");
    await ffmpeg(...late(20, "-c:a", "libopus"), "late-slides.mkv");
    await ffmpeg(...late(2, "-c:a", "aac"), "slides.mp4");
    await ffmpeg(...late(2, "-c:a", "aac"), "slides.ts");
  });

  it.each([
    ["slides.mkv", 1, [300, 500]],
    ["live-slides.mkv", 1, [300, 500]],
    ["slides.mp4", 1, [300, 500]],
    ["slides.ts", 1, [300, 500]],
    ["late-slides.mkv", 1, [300, 500]],
    // Up to the first picture, and over it.
    ["late-slides.mkv", 17, [500, 500]],
    ["late-slides.mkv", 18, [500, 500]],
  ] as const)("leaves a part of the sound whole: %s from %d s", async (file, startSeconds, hertz) => {
    const choices = { part: { startSeconds, endSeconds: startSeconds + 3 } };
    for (const format of ["original", "mp3", "mp4"] as const)
      expect([format, await heard({ file, format, choices }, 0.5, 2)]).toEqual([format, { seconds: 3, hertz }]);
  });
});

describe("a list of pieces that each have a clock of their own", () => {
  const TONES = [300, 500, 700];
  const writeList = (name: string, lines: readonly string[]): Promise<void> =>
    writeFile(join(site.folder, name), ["#EXTM3U", "#EXT-X-TARGETDURATION:2", ...lines, "#EXT-X-ENDLIST"].join("\n"));

  /** @returns the lines of a list */
  async function makePieces(kind: "mpegts" | "fmp4", name: string, ...inputs: readonly (readonly string[])[]) {
    const lines: string[] = [];
    for (const [number, input] of inputs.entries()) {
      const piece = `${name}-${number}`;
      const segments = `-hls_time 1 -hls_list_size 0 -hls_segment_type ${kind} -hls_fmp4_init_filename ${piece}.mp4`;
      await ffmpeg(...input, ...H264, "-c:a", "aac", "-f", "hls", ...words(segments), `${piece}.m3u8`);
      const list = await readFile(join(site.folder, `${piece}.m3u8`), "utf8");
      const named = list.split("\n").filter((line) => /^(?:#EXTINF|#EXT-X-MAP|[^#])/.test(line));
      lines.push(...(number > 0 ? ["#EXT-X-DISCONTINUITY"] : []), ...named);
    }
    return lines;
  }

  it.each(["mpegts", "fmp4"] as const)("is played to its end, also a part over several: %s", async (kind) => {
    const inputs = TONES.map((hertz) => [...picture(2), ...sine(hertz, 2)]);
    await writeList(`${kind}.m3u8`, await makePieces(kind, kind, ...inputs));
    const file = `${kind}.m3u8`;
    const choices = { part: { startSeconds: 1, endSeconds: 5 } };
    for (const format of ["mp4", "mp3"] as const) {
      expect((await heard({ file, format }, 1, 3, 5)).hertz).toEqual(TONES);
      expect(await heard({ file, format, choices }, 0.5, 2, 3.4)).toEqual({ seconds: 4, hertz: TONES });
      const last = { part: { startSeconds: 4.5, endSeconds: 5.5 } };
      expect(await heard({ file, format, choices: last }, 0.25)).toEqual({ seconds: 1, hertz: [700] });
    }
  });

  it.each(["pieces", "one"])("has picture and sound in lists of their own: the sound as %s", async (name) => {
    const sounds = TONES.map((hertz) => sine(hertz, 2));
    const inOne = [...sounds.flat(), "-filter_complex", "concat=n=3:v=0:a=1"];
    await writeList("sound.m3u8", await makePieces("fmp4", "sound", ...(name === "one" ? [inOne] : sounds)));
    await writeList("picture.m3u8", await makePieces("fmp4", "picture", ...TONES.map(() => picture(2))));
    const sound = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="sound.m3u8"';
    const stream = '#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.42c00d,mp4a.40.2",RESOLUTION=320x180,AUDIO="a"';
    await writeFile(join(site.folder, "both.m3u8"), ["#EXTM3U", sound, stream, "picture.m3u8", ""].join("\n"));
    expect((await heard({ file: "both.m3u8", format: "mp4" }, 1, 3, 5)).hertz).toEqual(TONES);
    const choices = { part: { startSeconds: 3, endSeconds: 5 } };
    expect((await heard({ file: "both.m3u8", format: "mp4", choices }, 0.25, 1.4)).hertz).toEqual([500, 700]);
  });
});

it("shows one picture for the length of the sound", async () => {
  await ffmpeg(
    ..."-f lavfi -i color=red:s=320x180:r=1:d=1".split(" "),
    ...sine(400, 20),
    ...H264,
    "-c:a",
    "aac",
    "one.mp4",
  );
  for (const format of ["mp3", "mp4"] as const)
    expect(await heard({ file: "one.mp4", format }, 18)).toEqual({ seconds: 20, hertz: [400] });
});

it("takes sound that ends before the picture, where the file states one length for both", async () => {
  await ffmpeg(...picture(8), ...sine(400, 5), ...H264, "-c:a", "libopus", "short.mkv");
  for (const format of ["mp3", "flac"] as const)
    expect(await heard({ file: "short.mkv", format }, 4)).toEqual({ seconds: 5, hertz: [400] });
});
