/** MP3s from sources that are not what their beginning or their site states. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ffmpeg, words } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import { TIERS } from "../../../common/tiers.ts";
import { CoreShare } from "../process/core-share.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { inspectSound } from "../probe/media-file.ts";
import { inspectHead } from "./sound-head.ts";
import { makeMp3, makeMp3WhileFetching, planFromHead } from "./stream-mp3.ts";

const never = new AbortController().signal;
const { pipeline, folder } = await ofFile(openTestPipeline({ cores: new CoreShare(2) }));

/** @returns a stereo stream followed by a mono stream, as from a site that inserts advertisements */
async function joinedSegments(name: string): Promise<string> {
  const parts = await Promise.all(
    [2, 1].map(async (channels) => {
      const part = join(folder, `${channels}-${name}`);
      const sine = words("-f lavfi -i sine=frequency=300:sample_rate=44100:duration=12");
      await ffmpeg(...sine, "-ac", String(channels), "-c:a", "aac", part);
      return readFile(part);
    }),
  );
  const path = join(folder, name);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

it.each(["segments.ts", "segments.aac"])(
  "decodes AAC whose channel count changes after its beginning: %s",
  async (name) => {
    const bytes = await readFile(await joinedSegments(name));
    await using growing = await GrowingFile.create(join(folder, `growing-${name}`));
    await growing.write(bytes, 0);
    await growing.complete();
    const source = await inspectHead({ pipeline, signal: never }, growing);
    const plan = source && planFromHead(source, 24, TIERS.free);
    if (!plan) throw new TypeError("the source cannot be encoded while it is fetched");
    // A transport stream is read without a tool until the channel count changes.
    expect(source.plainAac !== undefined).toBe(name === "segments.ts");
    const outputPath = join(folder, `${name}.mp3`);
    const fractions: number[] = [];
    await makeMp3({
      pipeline,
      signal: never,
      plan,
      limits: TIERS.free,
      source,
      growing,
      tags: { title: "Joined" },
      coverPath: Promise.resolve(undefined),
      outputPath,
      onFraction: (fraction) => fractions.push(fraction),
    });
    const made = await inspectSound({ pipeline, signal: never }, outputPath);
    expect(made.audio).toMatchObject({ codec: "mp3", channelCount: 2, sampleRateHz: 44_100, bitrateKbps: 128 });
    expect(made.durationSeconds).toBeCloseTo(24, 0);
    expect(fractions.at(-1)).toBeGreaterThan(0.9);
  },
);

it("decodes Opus whose packets are of another kind after its beginning", async () => {
  const tone = words("-f lavfi -i sine=frequency=300:sample_rate=48000:duration=12 -ac 1 -c:a libopus");
  await ffmpeg(...tone, ...words("-b:a 96k"), join(folder, "music.webm"));
  await ffmpeg(...tone, ...words("-application voip -b:a 12k"), join(folder, "voice.webm"));
  await writeFile(join(folder, "both.txt"), "file music.webm\nfile voice.webm\n");
  const path = join(folder, "both.webm");
  await ffmpeg(...words("-f concat -i"), join(folder, "both.txt"), "-c", "copy", path);
  const bytes = await readFile(path);
  await using growing = await GrowingFile.create(join(folder, "growing.webm"));
  await growing.write(bytes, 0);
  await growing.complete();
  const source = await inspectHead({ pipeline, signal: never }, growing);
  const plan = source && planFromHead(source, 24, TIERS.free);
  if (!plan) throw new TypeError("the source cannot be encoded while it is fetched");
  expect(source.plainOpus).toBeDefined();
  const outputPath = join(folder, "both.mp3");
  const work = { limits: TIERS.free, tags: { title: "Both" }, outputPath, onFraction: () => undefined };
  await makeMp3({ pipeline, signal: never, ...work, plan, source, growing, coverPath: Promise.resolve(undefined) });
  const made = await inspectSound({ pipeline, signal: never }, outputPath);
  expect(made.audio).toMatchObject({ codec: "mp3", channelCount: 1, sampleRateHz: 48_000 });
  expect(made.durationSeconds).toBeCloseTo(24, 0);
});

it.each([
  // Its index states the true length.
  ["long.m4a", 313],
  // Nothing in it states its length, so the MP3 is made again from the complete file.
  ["long.ts", undefined],
] as const)("does not cut off a source that is longer than its site states: %s", async (name, plannedSeconds) => {
  const path = join(folder, name);
  const piecePath = join(folder, `piece-${name}.aac`);
  const allPath = join(folder, `all-${name}.aac`);
  await ffmpeg(...words("-f lavfi -i anullsrc=sample_rate=44100:channel_layout=mono -t 12 -c:a aac"), piecePath);
  const piece = await readFile(piecePath);
  await writeFile(allPath, Buffer.concat(Array.from({ length: 26 }, () => piece)));
  await ffmpeg("-i", allPath, ...words("-c copy -movflags +faststart"), path);
  await using file = await GrowingFile.create(join(folder, `growing-${name}`));
  await file.write(await readFile(path), 0);
  await file.complete();
  const outputPath = join(folder, `${name}.mp3`);
  const plan = await makeMp3WhileFetching({
    pipeline,
    signal: never,
    growing: [{ file, rendition: testRendition({ hasVideo: false }) }],
    siteSeconds: 300,
    limits: TIERS.free,
    tags: { title: "Long" },
    coverPath: Promise.resolve(undefined),
    outputPath,
    onFraction: () => undefined,
    onStart: () => undefined,
  });
  expect(plan && Math.round(plan.durationSeconds)).toBe(plannedSeconds);
  // The difference is above the tolerance of 2 percent, so verification would detect it.
  expect((await inspectSound({ pipeline, signal: never }, outputPath)).durationSeconds).toBeGreaterThan(307);
});
