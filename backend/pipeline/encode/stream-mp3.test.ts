/** Sound that is not throughout what it was at its beginning. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { TIERS } from "../../../common/tiers.ts";
import { CoreShare } from "../process/core-share.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import type { Rendition } from "../probe/info.ts";
import { inspectSound } from "../probe/media-file.ts";
import type { Pipeline } from "../pipeline.ts";
import { inspectHead, makeMp3, makeMp3WhileFetching, planFromHead } from "./stream-mp3.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
let folder: string;
let pipeline: Pipeline;
beforeAll(async () => {
  const own = await openTestPipeline({ cores: new CoreShare(2) });
  ({ pipeline, folder } = own);
  return own.close;
});

/** As a site does that puts an advertisement of another kind between. */
async function joinedSegments(name: string): Promise<string> {
  const parts = await Promise.all(
    [2, 1].map(async (channels) => {
      const part = join(folder, `${channels}-${name}`);
      await run(pipeline.tools.ffmpegPath, [
        "-v",
        "error",
        "-nostdin",
        "-f",
        "lavfi",
        "-i",
        "sine=frequency=300:sample_rate=44100:duration=12",
        "-ac",
        String(channels),
        "-c:a",
        "aac",
        part,
      ]);
      return readFile(part);
    }),
  );
  const path = join(folder, name);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

it.each(["segments.ts", "segments.aac"])(
  "is decoded before it is shared out, whatever was begun with: %s",
  async (name) => {
    const bytes = await readFile(await joinedSegments(name));
    await using growing = await GrowingFile.create(join(folder, `growing-${name}`));
    await growing.write(bytes, 0);
    await growing.complete();
    const source = await inspectHead(pipeline, growing, never);
    const plan = source && planFromHead(source, 24, TIERS.free);
    if (!plan) throw new TypeError("it cannot be read as it comes");
    // A transport stream is taken apart without a tool, as long as it is what it was.
    expect(source.plainAac !== undefined).toBe(name === "segments.ts");
    const outputPath = join(folder, `${name}.mp3`);
    const heard: number[] = [];
    await makeMp3(
      pipeline,
      {
        plan,
        limits: TIERS.free,
        source,
        growing,
        tags: { title: "Joined" },
        coverPath: Promise.resolve(undefined),
        outputPath,
        onFraction: (fraction) => heard.push(fraction),
      },
      never,
    );
    const made = await inspectSound(pipeline, outputPath, never);
    expect(made.audio).toMatchObject({ codec: "mp3", channelCount: 2, sampleRateHz: 44_100, bitrateKbps: 128 });
    expect(made.durationSeconds).toBeCloseTo(24, 0);
    expect(heard.at(-1)).toBeGreaterThan(0.9);
  },
);

it.each([
  // Its index knows better.
  ["long.m4a", 313],
  // Nothing in it says how long it is, so it is made again once all of it is there.
  ["long.ts", undefined],
] as const)("is not cut off where the site says less than there is: %s", async (name, plannedSeconds) => {
  const path = join(folder, name);
  const [piecePath, allPath] = [join(folder, `piece-${name}.aac`), join(folder, `all-${name}.aac`)];
  await run(pipeline.tools.ffmpegPath, [
    "-v",
    "error",
    "-nostdin",
    "-f",
    "lavfi",
    "-i",
    "anullsrc=sample_rate=44100:channel_layout=mono",
    "-t",
    "12",
    "-c:a",
    "aac",
    piecePath,
  ]);
  const piece = await readFile(piecePath);
  await writeFile(allPath, Buffer.concat(Array.from({ length: 26 }, () => piece)));
  await run(pipeline.tools.ffmpegPath, [
    "-v",
    "error",
    "-nostdin",
    "-i",
    allPath,
    "-c",
    "copy",
    "-movflags",
    "+faststart",
    path,
  ]);
  await using file = await GrowingFile.create(join(folder, `growing-${name}`));
  await file.write(await readFile(path), 0);
  await file.complete();
  const rendition: Rendition = {
    id: name,
    delivery: "progressive",
    url: "",
    httpHeaders: {},
    hasVideo: false,
    hasAudio: true,
    languagePreference: 0,
    raw: {},
  };
  const outputPath = join(folder, `${name}.mp3`);
  const plan = await makeMp3WhileFetching(
    pipeline,
    {
      growing: [{ file, rendition }],
      siteSeconds: 300,
      limits: TIERS.free,
      tags: { title: "Long" },
      coverPath: Promise.resolve(undefined),
      outputPath,
      onFraction: () => undefined,
      onStart: () => undefined,
    },
    never,
  );
  expect(plan && Math.round(plan.durationSeconds)).toBe(plannedSeconds);
  // By more than the 2 percent that lengths may differ: nobody takes it for what was promised.
  expect((await inspectSound(pipeline, outputPath, never)).durationSeconds).toBeGreaterThan(307);
});
