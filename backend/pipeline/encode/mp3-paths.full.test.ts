/**
 * Tests every way to make an MP3, at its limits. Which way is taken depends on the container, the length, the free
 * cores and on whether the source is still being fetched. The tables cover:
 * - every container with the shortest sound and with 20 s (three pieces), while fetched, and as a complete file;
 * - lengths at which another piece begins (one sample and one frame more and less, of AAC where that is read), for the
 *   five ways to read sound (AAC by an index, AAC from a transport stream, Opus from a WebM, decoded WebM, decoded
 *   MP3);
 * - one core, fewer and more cores than pieces, and cores that other conversions share, for AAC and Opus that lanes
 *   get undecoded and for decoded sound;
 * - mono, silence, sound of a single frame, a source with the wanted bit rate, and sources without sound.
 * Unless stated otherwise, on two cores.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { ffmpeg, lavfi } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { borderSamples, inSamples, Mp3Maker } from "../../dev/testing/sound/mp3-maker.ts";
import { CONTAINERS, type Container } from "../../dev/testing/sound/sound-sources.ts";
import { SAMPLES_PER_AAC_FRAME } from "../aac/aac-frames.ts";
import { SAMPLES_PER_FRAME } from "../mp3/mp3-frame.ts";
import { inspectMedia } from "../probe/media-file.ts";

const never = new AbortController().signal;
const maker = await ofFile(Mp3Maker.open());

/** Less than a frame of either codec. */
const SINGLE_FRAME_SAMPLES = 500;
const WITH_SINGLE_FRAME: ReadonlySet<Container> = new Set(["m4a", "hls", "dash", "webm vorbis", "mp3"]);

it.concurrent.each(CONTAINERS)("an MP3 from %s, while it is fetched and from the complete file", async (container) => {
  const shortest = WITH_SINGLE_FRAME.has(container) ? SINGLE_FRAME_SAMPLES : inSamples(0.1);
  // The length of ADTS is estimated, and the error of the estimate grows with the length.
  const completeSamples = inSamples(container === "adts" ? 30 : 10);
  const faults = await maker.faultsOf(container, [
    { sampleCount: shortest },
    { sampleCount: inSamples(20) },
    { sampleCount: completeSamples, isComplete: true },
  ]);
  expect(faults).toEqual([]);
});

/**
 * Pieces of Opus begin up to five frames later. A plain ffmpeg does not cut off the last 31 samples of a border's own
 * length, so these are a little longer.
 */
const OPUS_AROUND = [0, 2, 4, 5].map((frames) => frames * SAMPLES_PER_FRAME + 300);

describe.concurrent("an MP3 of a length at which another piece begins", () => {
  it.each([
    ["m4a", 1, [-SAMPLES_PER_AAC_FRAME, -1, 0, SAMPLES_PER_FRAME]],
    ["webm opus", 1, OPUS_AROUND],
    ["webm vorbis", 1, [-1, 0, SAMPLES_PER_FRAME]],
    ["hls", 1, [-SAMPLES_PER_AAC_FRAME, 0]],
    ["mp3", 1, [0, SAMPLES_PER_FRAME]],
    ["m4a", 2, [-1, 0]],
    ["webm opus", 2, OPUS_AROUND.filter((_, index) => index % 3 === 0)],
    ["webm vorbis", 2, [-1, 0]],
  ] as const)("from %s, piece %i", async (container, piece, differences) => {
    const ways = differences.map((difference) => ({ sampleCount: borderSamples(piece) + difference }));
    expect(await maker.faultsOf(container, ways)).toEqual([]);
  });
});

const THREE_FOR_THREE = { coreCount: 3, otherCount: 2 } as const;
const FOUR_FOR_TWO = { coreCount: 4, otherCount: 1 } as const;

it.concurrent.each(["m4a", "webm opus", "webm vorbis"] as const)(
  "an MP3 from %s on one core, with fewer and more cores than pieces, and beside other conversions",
  async (container) => {
    const four = { sampleCount: inSamples(30) };
    const faults = await maker.faultsOf(container, [
      { ...four, coreCount: 1 },
      { ...four, coreCount: 3 },
      { ...four, coreCount: 4 },
      { ...four, coreCount: 8 },
      { sampleCount: inSamples(0.3), coreCount: 8 },
      { sampleCount: borderSamples(1), coreCount: 2, otherCount: 1 },
      { sampleCount: borderSamples(1), coreCount: 8, otherCount: 3 },
      // A conversion with one core gets lanes only for AAC and Opus.
      { ...four, ...(container === "webm vorbis" ? FOUR_FOR_TWO : THREE_FOR_THREE), othersEnd: true },
    ]);
    expect(faults).toEqual([]);
  },
);

describe.concurrent("an MP3 from a source that", () => {
  const make = async (name: string, ...args: string[]): Promise<string> => {
    const path = join(maker.folder, name);
    await ffmpeg(...args, path);
    return path;
  };
  const TONE = ["-f", "lavfi", "-i", "sine=frequency=300:sample_rate=44100:duration=9"];
  const PICTURE = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=3"];
  const NO_SOUND = { code: "unavailable", message: "This video has no sound to make an MP3 from." };

  it.each(["silence.m4a", "silence.webm", "silence.ts", "silence.mp3"])(
    "is silent keeps its length: %s",
    async (name) => {
      const sourcePath = await make(name, ...lavfi("anullsrc=sample_rate=48000:channel_layout=stereo"), "-t", "9");
      const made = await inspectMedia({ pipeline: maker.pipeline, signal: never }, await maker.make(sourcePath, 9));
      expect(made.audio).toMatchObject({ codec: "mp3", channelCount: 2 });
      expect(Math.abs((made.durationSeconds ?? 0) - 9)).toBeLessThan(0.1);
    },
  );

  it.each([1, 2])("is mono stays mono, at 320 kbps on %i cores", async (coreCount) => {
    const sourcePath = await make(`mono-${coreCount}.m4a`, ...TONE, "-ac", "1");
    const made = await inspectMedia(
      { pipeline: maker.pipeline, signal: never },
      await maker.make(sourcePath, 9, { coreCount, limits: TIERS.pro }),
    );
    expect(made.audio).toMatchObject({ codec: "mp3", channelCount: 1, bitrateKbps: 320 });
    expect(made.durationSeconds).toBeCloseTo(9, 1);
  });

  it("has the wanted bit rate keeps every frame", async () => {
    const sourcePath = await make("same.mp3", ...TONE, "-b:a", "128k", "-id3v2_version", "0");
    const [source, made] = await Promise.all([
      readFile(sourcePath),
      maker.make(sourcePath, 9).then((path) => readFile(path)),
    ]);
    expect(made.subarray(-source.length).equals(source)).toBe(true);
  });

  /** Noise starts at 10 s, so the bit rate is higher from there on. Making it takes longer than encoding it. */
  let noise: Promise<string> | undefined;
  const NOISE = "aevalsrc='0.2*(random(0)-0.5)*gt(t\\,10)+0.1*sin(2*PI*300*t)':s=44100:d=30";
  const makeNoise = async (): Promise<string> => {
    const path = join(maker.folder, "noise.wav");
    await maker.kept.put(NOISE, path, async () => void (await make("noise.wav", "-f", "lavfi", "-i", NOISE)));
    return path;
  };
  const mp3 = async (name: string, from: number, to: number, ...args: string[]) => {
    noise ??= makeNoise();
    return make(name, "-i", await noise, "-af", `atrim=${from}:${to}`, "-ac", "2", "-q:a", "2", ...args);
  };

  it("is an MP3 without a header frame keeps the length of its frames", async () => {
    const sourcePath = await mp3("no-header.mp3", 0, 30, "-write_xing", "0");
    expect(
      (await inspectMedia({ pipeline: maker.pipeline, signal: never }, await maker.make(sourcePath, undefined)))
        .durationSeconds,
    ).toBeCloseTo(30, 0);
  });

  it.each([
    ["quiet.mp3", [0, 10], [10, 30]],
    ["loud.mp3", [10, 30], [0, 10]],
  ] as const)("is two joined MP3s keeps the length of both: %s first", async (name, first, second) => {
    const parts = await Promise.all(
      [mp3(`first-${name}`, first[0], first[1]), mp3(`second-${name}`, second[0], second[1])].map(async (path) =>
        readFile(await path),
      ),
    );
    const sourcePath = join(maker.folder, name);
    await writeFile(sourcePath, Buffer.concat(parts));
    expect(
      (await inspectMedia({ pipeline: maker.pipeline, signal: never }, await maker.make(sourcePath, undefined)))
        .durationSeconds,
    ).toBeCloseTo(30, 0);
  });

  it("is an MP3 that is cut off is rejected with network", async () => {
    const bytes = await readFile(await mp3("whole.mp3", 0, 30));
    const sourcePath = join(maker.folder, "cut-off.mp3");
    await writeFile(sourcePath, bytes.subarray(0, bytes.length / 2));
    await expect(maker.make(sourcePath, undefined)).rejects.toThrow(expect.objectContaining({ code: "network" }));
  });

  it.each([1, 2])("has no sound is rejected with unavailable, on %i cores", async (coreCount) => {
    const sourcePath = await make(`picture-${coreCount}.mp4`, ...PICTURE, "-movflags", "+faststart");
    await expect(maker.make(sourcePath, 3, { coreCount })).rejects.toThrow(expect.objectContaining(NO_SOUND));
  });

  it.each([false, true])("is empty is rejected with unavailable (complete file: %s)", async (isComplete) => {
    const sourcePath = join(maker.folder, `empty-${isComplete}`);
    await writeFile(sourcePath, "");
    await expect(maker.make(sourcePath, 3, { isComplete })).rejects.toThrow(
      expect.objectContaining({ code: "unavailable" }),
    );
  });
});
