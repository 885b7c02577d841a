/** Compares the MP3 of several encoders with the one that a single ffmpeg makes. */
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ffmpeg, lavfi, probedLines, words } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { FinalBytes } from "../../../common/final-bytes.ts";
import { id3Tag } from "../encode/id3-tag.ts";
import { inspectSound } from "../probe/media-file.ts";
import { readMp3 } from "../verify/read-mp3.ts";
import { NotPlainAac } from "../aac/aac-frames.ts";
import { GRID_FRAMES } from "./joined-frames.ts";
import { readFrameHeader, SAMPLES_PER_FRAME } from "./mp3-frame.ts";
import { encodeMp3, MIN_PIECE_SECONDS, type Mp3Encode } from "./parallel-encode.ts";

const { pipeline, folder } = await ofFile(openTestPipeline());

const SOURCE_SECONDS = 30.432;
/** So that the source has four pieces, three of the minimum length, and the last one is shorter. */
const EXPECTED_SECONDS = 28;

/** A gliding tone over pauses, noise and hard attacks. */
async function makeSource(rate: number, channels: number, isDense = false): Promise<string> {
  const path = join(folder, `source-${rate}-${channels}${isDense ? "-dense" : ""}.wav`);
  // Several tests read it, and making it takes longer than encoding it.
  if (existsSync(path)) return path;
  // Sound without a pause: the bit reservoir of each encoder stays at its own level, so bridges are needed.
  const dense =
    "0.25*sin(2*PI*220*t+3*sin(0.7*t))+0.2*sin(2*PI*331*t)+0.1*(random(0)-0.5)" +
    "|0.25*sin(2*PI*277*t)+0.1*(random(1)-0.5)";
  const left = "0.3*sin(2*PI*t*(300+60*sin(t/3)))*gt(mod(t\\,11)\\,2)+0.2*(random(0)-0.5)*gt(mod(t\\,5)\\,3)";
  const right = "0.3*sin(2*PI*t*440)*lt(mod(t\\,1)\\,0.1)";
  await ffmpeg(
    "-f",
    "lavfi",
    "-i",
    `aevalsrc='${isDense ? dense : channels === 1 ? left : `${left}|${right}`}':s=${rate}:d=${SOURCE_SECONDS}`,
    "-c:a",
    "pcm_s16le",
    path,
  );
  return path;
}

async function encode(
  source: string,
  output: string,
  about: {
    rate: 44_100 | 48_000;
    channels: 1 | 2;
    kbps: number;
    encoders: number | ((encodedSeconds: number) => number);
    tag?: Buffer;
    aacPrimingSamples?: number;
    sampleCount?: number;
    expectedSeconds?: number;
  },
) {
  const outputPath = join(folder, output);
  const { encoders } = about;
  let encodedSeconds = 0;
  const made = await encodeMp3(
    { pipeline, signal: new AbortController().signal },
    {
      inputArgs: ["-i", source, "-map", "0:0"],
      sampleRateHz: about.rate,
      channelCount: about.channels,
      bitrateKbps: about.kbps,
      encoderCount: () => (typeof encoders === "number" ? encoders : encoders(encodedSeconds)),
      tag: Promise.resolve(about.tag ?? Buffer.alloc(0)),
      outputPath,
      onSeconds: (seconds) => (encodedSeconds = seconds),
      aacPrimingSamples: about.aacPrimingSamples,
      expectedSeconds: about.expectedSeconds,
      sampleCount: about.sampleCount,
    },
  );
  return { outputPath, ...made };
}

async function decode(path: string, channels: number): Promise<Float32Array> {
  const output = `${path}.f32`;
  await ffmpeg("-i", path, "-f", "f32le", "-ac", String(channels), output);
  const bytes = await readFile(output);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function energy(samples: Float32Array, from: number, to: number, minus?: Float32Array): number {
  let sum = 0;
  for (let index = from; index < to; index += 1) sum += ((samples[index] ?? 0) - (minus?.[index] ?? 0)) ** 2;
  return sum / (to - from);
}

function correlation(a: Float32Array, b: Float32Array): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let index = 0; index < a.length; index += 1) {
    const x = a[index] ?? 0;
    const y = b[index] ?? 0;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}

describe.each([
  { name: "stereo at 128 kbps", rate: 44_100, channels: 2, kbps: 128 },
  { name: "stereo at 320 kbps and 48 kHz", rate: 48_000, channels: 2, kbps: 320 },
  { name: "mono at 128 kbps", rate: 44_100, channels: 1, kbps: 128 },
  // Bridges at 320 kbps are in joined-frames.full.test.ts.
  { name: "dense stereo at 128 kbps", rate: 44_100, channels: 2, kbps: 128, isDense: true },
] as const)("$name", ({ rate, channels, kbps, ...about }) => {
  const isDense = "isDense" in about;
  let source: string;
  let tag: Buffer;
  let madePath: string;
  beforeAll(async () => {
    source = await makeSource(rate, channels, isDense);
    tag = await id3Tag({ title: "Söng", artist: "Somebody" });
    const name = `made-${rate}-${channels}-${kbps}${isDense ? "-dense" : ""}.mp3`;
    ({ outputPath: madePath } = await encode(source, name, {
      rate,
      channels,
      kbps,
      encoders: 3,
      expectedSeconds: EXPECTED_SECONDS,
      tag,
    }));
  });

  it("has the length and the sound of a single encoder's file, without a seam", async () => {
    const reference = join(folder, `reference-${rate}-${channels}-${kbps}.mp3`);
    await ffmpeg("-i", source, "-c:a", "libmp3lame", "-b:a", `${kbps}k`, reference);
    const [original, single, joined] = await Promise.all([
      decode(source, channels),
      decode(reference, channels),
      decode(madePath, channels),
    ]);
    expect(joined.length).toBe(original.length);
    expect(joined.length).toBe(single.length);
    expect(correlation(joined, single)).toBeGreaterThan(0.999);
    // Around each join the error is not much larger than that of a single encoder.
    const pieceFrames = GRID_FRAMES * Math.ceil((MIN_PIECE_SECONDS * rate) / SAMPLES_PER_FRAME / GRID_FRAMES);
    const piece = pieceFrames * SAMPLES_PER_FRAME * channels;
    let seams = 0;
    for (let seam = piece; seam < joined.length; seam += piece) {
      const from = seam - rate * channels * 0.5;
      const to = seam + rate * channels;
      expect(energy(joined, from, to, original)).toBeLessThan(2 * energy(single, from, to, original) + 1e-7);
      seams += 1;
    }
    expect(seams).toBe(3);
  });

  it("has frames of one bit rate, and a header frame with their number and size", async () => {
    const bytes = await readFile(madePath);
    let frames = 0;
    let offset = tag.length;
    for (let header = readFrameHeader(bytes, offset); header; header = readFrameHeader(bytes, offset)) {
      expect([header.bitrateKbps, header.sampleRateHz, header.isMono]).toEqual([kbps, rate, channels === 1]);
      offset += header.sizeBytes;
      frames += 1;
    }
    expect(offset).toBe(bytes.length);
    const info = tag.length + 4 + (channels === 1 ? 17 : 32);
    expect(bytes.toString("latin1", info, info + 4)).toBe("Info");
    expect([bytes.readUInt32BE(info + 8), bytes.readUInt32BE(info + 12)]).toEqual([
      frames - 1,
      bytes.length - tag.length,
    ]);
    expect(await probedLines("-show_entries", "format_tags=title,artist", madePath)).toEqual(["Söng,Somebody"]);
  });
});

it.each([1, 2])("keeps the exact length of a sound of %i pieces and 0.2 s", async (pieces) => {
  const seconds = pieces * 20 + 0.2;
  const path = join(folder, `edge-${pieces}.wav`);
  await ffmpeg("-f", "lavfi", "-i", `sine=frequency=300:sample_rate=44100:duration=${seconds}`, "-ac", "2", path);
  const { outputPath, durationSeconds } = await encode(path, `edge-${pieces}.mp3`, {
    rate: 44_100,
    channels: 2,
    kbps: 128,
    encoders: 2,
  });
  expect(durationSeconds).toBeCloseTo(seconds, 3);
  expect((await decode(outputPath, 2)).length).toBe((await decode(path, 2)).length);
});

// Stereo is in mp3-paths.full.test.ts.
it.each([
  ["in three lanes", 3],
  ["in a second lane from 2 s on", (encodedSeconds: number) => (encodedSeconds < 2 ? 1 : 2)],
] as const)("encodes undecoded AAC of one channel without a seam %s", async (name, encoders) => {
  const channels = 1;
  const wav = await makeSource(44_100, channels);
  const source = join(folder, `aac-${name}.m4a`);
  // Without PNS, whose noise is random in each decoder.
  await ffmpeg("-i", wav, "-c:a", "aac", "-aac_pns", "0", "-b:a", "160k", source);
  const { primingSamples: priming = 0 } =
    (await inspectSound({ pipeline, signal: new AbortController().signal }, source)).audio ?? {};
  expect(priming).toBe(1_024);
  const about = { rate: 44_100, channels, kbps: 128 } as const;
  const { outputPath, durationSeconds } = await encode(source, `aac-${name}.mp3`, {
    ...about,
    encoders,
    aacPrimingSamples: priming,
    sampleCount: Math.round(SOURCE_SECONDS * 44_100),
    expectedSeconds: EXPECTED_SECONDS,
  });
  // One lane would have made the frames of a single encoder.
  const alone = await encode(source, `aac-${name}-alone.mp3`, { ...about, encoders: 1, aacPrimingSamples: priming });
  expect((await readFile(outputPath)).subarray(5_000).equals((await readFile(alone.outputPath)).subarray(5_000))).toBe(
    false,
  );
  const reference = join(folder, `aac-${name}-reference.mp3`);
  await ffmpeg("-i", source, "-c:a", "libmp3lame", "-b:a", "128k", reference);
  const [original, single, joined] = await Promise.all([
    decode(source, channels),
    decode(reference, channels),
    decode(outputPath, channels),
  ]);
  expect(durationSeconds).toBeCloseTo(SOURCE_SECONDS, 3);
  // The file of a single encoder also contains the rest of the last AAC frame.
  expect(joined.length).toBe(Math.round(SOURCE_SECONDS * 44_100) * channels);
  expect(correlation(joined, single)).toBeGreaterThan(0.999);
  for (let from = 0; from + 44_100 * channels <= joined.length; from += 22_050 * channels)
    expect(energy(joined, from, from + 44_100 * channels, original)).toBeLessThan(
      2 * energy(single, from, from + 44_100 * channels, original) + 1e-7,
    );
});

it("encodes a sound shorter than a frame", async () => {
  const path = join(folder, "short.wav");
  await ffmpeg("-f", "lavfi", "-i", "sine=frequency=300:sample_rate=44100:duration=0.01", "-ac", "2", path);
  const { outputPath } = await encode(path, "short.mp3", { rate: 44_100, channels: 2, kbps: 128, encoders: 2 });
  expect((await decode(outputPath, 2)).length).toBe(2 * 441);
});

// A piece has at least 8 s, so most of these lengths leave an encoder without a piece.
it.each([
  [0.05, 2],
  [8.2, 2],
  [17, 2],
  [0.05, 4],
  [17, 4],
])("encodes all of %d s of undecoded AAC with %i encoders, even if one gets no piece", async (seconds, encoders) => {
  const source = join(folder, `short-${seconds}-${encoders}.m4a`);
  const sound = lavfi(`sine=frequency=300:sample_rate=44100:duration=${seconds}`);
  await ffmpeg(...sound, ...words("-ac 2 -c:a aac"), source);
  const sampleCount = Math.round(seconds * 44_100);
  const about = {
    rate: 44_100,
    channels: 2,
    kbps: 320,
    aacPrimingSamples: 1_024,
    sampleCount,
    expectedSeconds: seconds,
    encoders,
  } as const;
  const { outputPath, durationSeconds } = await encode(source, `short-${seconds}-${encoders}.mp3`, about);
  expect(durationSeconds).toBeCloseTo(seconds, 3);
  expect((await decode(outputPath, 2)).length).toBe(2 * sampleCount);
});

it.each([1, 2])("rejects a source without frames of sound with unavailable, with %i encoders", async (encoders) => {
  // oxlint-disable-next-line require-yield -- the source is empty
  const readAac = async function* (): AsyncGenerator<Buffer> {
    await Promise.resolve();
  };
  const about = {
    sampleRateHz: 44_100,
    channelCount: 2,
    bitrateKbps: 128,
    encoderCount: () => encoders,
    outputPath: join(folder, "empty.mp3"),
    onSeconds: () => undefined,
  } as const;
  // The error must not wait for the tag.
  const tag = Promise.withResolvers<Buffer>().promise;
  const made = encodeMp3(
    { pipeline, signal: new AbortController().signal },
    { ...about, inputArgs: [], tag, aacPrimingSamples: 1_024, readAac },
  );
  await expect(made).rejects.toThrow(
    expect.objectContaining({ code: "unavailable", message: "This video has no sound to make an MP3 from." }),
  );
});

it("leaves no encoder process running when the source cannot be decoded", async () => {
  await expect(
    encode(join(folder, "nothing.wav"), "none.mp3", { rate: 44_100, channels: 2, kbps: 128, encoders: 2 }),
  ).rejects.toThrow(ConversionError);
  const places = async (): Promise<string[]> =>
    Promise.all(
      (await readdir("/proc"))
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")),
    );
  // They have ended by now, but the kernel may still list one.
  await expect.poll(places).not.toContain(folder);
});

it("rejects at once when the source fails while the tag is pending", async () => {
  const never = Promise.withResolvers<Buffer>().promise;
  const encode = {
    sampleRateHz: 44_100,
    channelCount: 2,
    bitrateKbps: 128,
    encoderCount: () => 2,
    tag: never,
    outputPath: join(folder, "untagged.mp3"),
    onSeconds: () => undefined,
  } as const;
  const { signal } = new AbortController();
  await expect(
    encodeMp3({ pipeline, signal }, { ...encode, inputArgs: ["-i", join(folder, "nothing.wav"), "-map", "0:0"] }),
  ).rejects.toThrow(ConversionError);
  // oxlint-disable-next-line require-yield -- it throws before the first yield
  const readAac = async function* (): AsyncGenerator<Buffer> {
    throw new NotPlainAac("not at all");
  };
  await expect(
    encodeMp3({ pipeline, signal }, { ...encode, inputArgs: [], aacPrimingSamples: 0, readAac }),
  ).rejects.toThrow(NotPlainAac);
});

it("reports only byte ranges that no longer change, up to the end of the file", async () => {
  const source = await makeSource(44_100, 1);
  const outputPath = join(folder, "written.mp3");
  const reported: { from: number; to: number; bytes: Buffer }[] = [];
  let beginnings = 0;
  await encodeMp3(
    { pipeline, signal: new AbortController().signal },
    {
      // Twice, for four pieces.
      inputArgs: ["-stream_loop", "1", "-i", source, "-map", "0:0"],
      sampleRateHz: 44_100,
      channelCount: 1,
      bitrateKbps: 128,
      encoderCount: () => 2,
      tag: Promise.resolve(Buffer.alloc(500)),
      outputPath,
      onSeconds: () => undefined,
      onWritten(final) {
        if (final) reported.push({ ...final, bytes: readFileSync(outputPath).subarray(final.from, final.to) });
        else beginnings += 1;
      },
    },
  );
  const whole = await readFile(outputPath);
  expect(beginnings).toBe(1);
  expect(reported.length).toBeGreaterThan(2);
  expect(reported.filter(({ from, to, bytes }) => !whole.subarray(from, to).equals(bytes))).toEqual([]);
  // All but the tag and the header frame, which is written last.
  expect([reported.at(-1)?.to, (reported[0]?.from ?? 0) > 500, (reported[0]?.from ?? 0) < 2_500]).toEqual([
    whole.length,
    true,
    true,
  ]);
});

type EarlySettings = Pick<Mp3Encode, "sampleRateHz" | "channelCount" | "sampleCount" | "expectedSeconds">;

describe("a file that is read while it is made", () => {
  /** Encodes a source, and joins what a reader gets who begins with the first report. */
  async function readEarly(name: string, source: string, settings: EarlySettings) {
    const outputPath = join(folder, `${name}.mp3`);
    const tag = await id3Tag({ title: "Early" });
    const reports: FinalBytes[] = [];
    let before: Buffer | undefined;
    const about = { ...settings, bitrateKbps: 128, encoderCount: () => 2, tag: Promise.resolve(tag), outputPath };
    await encodeMp3(
      { pipeline, signal: new AbortController().signal },
      {
        ...about,
        inputArgs: ["-i", source, "-map", "0:0"],
        onSeconds: () => undefined,
        onWritten(final) {
          if (!final) return;
          before ??= readFileSync(outputPath).subarray(0, tag.length);
          reports.push(final);
        },
      },
    );
    const [first] = reports;
    const standIn = first?.standIn ?? Buffer.alloc(0);
    expect([before?.equals(tag), first?.from]).toEqual([true, tag.length + standIn.length]);
    const earlyPath = join(folder, `${name}-early.mp3`);
    await writeFile(earlyPath, Buffer.concat([tag, standIn, (await readFile(outputPath)).subarray(first?.from)]));
    return { outputPath, earlyPath, firstBytes: (first?.to ?? 0) - (first?.from ?? 0) };
  }

  it("begins before much is written, and its header states what the final one states where the length is exact", async () => {
    const settings = { sampleRateHz: 48_000, channelCount: 2, sampleCount: SOURCE_SECONDS * 48_000 } as const;
    const { outputPath, earlyPath, firstBytes } = await readEarly("exact", await makeSource(48_000, 2), settings);
    // Usually four times as much is written at once.
    expect(firstBytes).toBeLessThan(100_000);
    expect(await readMp3(earlyPath)).toEqual({ ...(await readMp3(outputPath)), path: earlyPath });
  });

  it.each([
    ["too short", -3],
    ["too long", 3],
  ])("has all of the sound when its expected length is %s", async (name, secondsOff) => {
    const expectedSeconds = SOURCE_SECONDS + secondsOff;
    const settings = { sampleRateHz: 44_100, channelCount: 1, expectedSeconds } as const;
    const { outputPath, earlyPath } = await readEarly(name, await makeSource(44_100, 1), settings);
    const [kept, early] = await Promise.all([decode(outputPath, 1), decode(earlyPath, 1)]);
    // At most the silence after the end is more.
    expect([early.length >= kept.length, early.length < kept.length + 3 * SAMPLES_PER_FRAME]).toEqual([true, true]);
    expect(energy(early, 0, kept.length, kept)).toBe(0);
  });
});
