/** What is known of an MP3 before it is complete, for those who download it while it is made. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FinalBytes } from "../../../common/final-bytes.ts";
import { TIERS, type Tier } from "../../../common/tiers.ts";
import { ffmpeg } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import { GrowingFile } from "../fetch/growing-file.ts";
import { CoreShare } from "../process/core-share.ts";
import { readMp3 } from "../verify/read-mp3.ts";
import { makeMp3WhileFetching } from "./stream-mp3.ts";

const never = new AbortController().signal;
/** No whole number of frames, neither of AAC nor of MP3. */
const SECONDS = 27.234;
const { pipeline, folder } = await ofFile(openTestPipeline());

/** Sound without a pause, which needs bridges, and sound with pauses. */
const SOUNDS = {
  dense: "0.25*sin(2*PI*220*t+3*sin(0.7*t))+0.1*(random(0)-0.5)|0.25*sin(2*PI*277*t)+0.1*(random(1)-0.5)",
  pauses: "0.3*sin(2*PI*t*(300+60*sin(t/3)))*gt(mod(t\\,11)\\,2)+0.2*(random(0)-0.5)*gt(mod(t\\,5)\\,3)",
} as const;

/** By sound and rate: making one takes longer than making its MP3. */
const encoded = new Map<string, Promise<string>>();

async function encodeSound(sound: keyof typeof SOUNDS, rate: number): Promise<string> {
  const path = join(folder, `${sound}-${rate}.m4a`);
  const input = ["-f", "lavfi", "-i", `aevalsrc='${SOUNDS[sound]}':s=${rate}:d=${SECONDS}`];
  await ffmpeg(...input, "-c:a", "aac", "-b:a", "160k", path);
  return path;
}

async function makeSource(name: string, sound: keyof typeof SOUNDS, rate: number, ...args: string[]): Promise<string> {
  const key = `${sound} ${rate}`;
  const encoding = encoded.get(key) ?? encodeSound(sound, rate);
  encoded.set(key, encoding);
  const path = join(folder, name);
  await ffmpeg("-i", await encoding, "-c", "copy", ...args, path);
  return path;
}

/** Makes the MP3 of a source that is fetched, and gives what was said meanwhile. */
async function make(source: string, tier: Tier, cores: number, promisedSeconds?: number) {
  await using file = await GrowingFile.create(`${source}-growing`);
  await file.write(await readFile(source), 0);
  await file.complete();
  const outputPath = `${source}-${tier}-${cores}.mp3`;
  const said: (FinalBytes | null)[] = [];
  await makeMp3WhileFetching({
    pipeline: { ...pipeline, cores: new CoreShare(cores) },
    signal: never,
    growing: [{ file, rendition: testRendition({ hasVideo: false }), durationSeconds: promisedSeconds }],
    siteSeconds: undefined,
    limits: TIERS[tier],
    tags: { title: "Early" },
    coverPath: Promise.resolve(undefined),
    outputPath,
    onFraction: () => undefined,
    onStart: () => undefined,
    onWritten: (final) => said.push(final),
  });
  const kept = await readFile(outputPath);
  const finals = said.filter((final) => final !== null);
  expect(finals.length).toBeGreaterThan(0);
  const [first] = finals;
  const { from = 0, standIn = Buffer.alloc(0) } = first ?? {};
  const early = Buffer.concat([kept.subarray(0, from - standIn.length), standIn, kept.subarray(from)]);
  return { outputPath, kept, early, sizes: new Set(finals.map(({ sizeBytes }) => sizeBytes)) };
}

/** @returns number of frames by the header frame, whose field for it is present and has 4 bytes */
function statedFrames(mp3: Buffer): number {
  return mp3.readUInt32BE(mp3.indexOf("Info") + 8);
}

describe("a source whose index states its frames", () => {
  it.each([
    ["44.1 kHz in one lane", "dense", 44_100, "free", 1],
    ["44.1 kHz in three lanes, with pauses", "pauses", 44_100, "free", 3],
    ["44.1 kHz at 320 kbps", "dense", 44_100, "pro", 2],
    ["48 kHz", "pauses", 48_000, "free", 2],
  ] as const)(
    "gives the size of the complete file with the first bytes: %s",
    async (name, sound, rate, tier, cores) => {
      const source = await makeSource(`${name}.m4a`, sound, rate, "-movflags", "+faststart");
      const { outputPath, kept, early, sizes } = await make(source, tier, cores);
      expect([...sizes]).toEqual([kept.length]);
      // What early readers get differs in the checksum of the first frame only.
      await writeFile(`${source}-early.mp3`, early);
      expect(await readMp3(`${source}-early.mp3`)).toEqual({
        ...(await readMp3(outputPath)),
        path: `${source}-early.mp3`,
      });
    },
  );

  it("gives no size when it is longer than promised, because it may be cut off", async () => {
    const source = await makeSource("long.m4a", "pauses", 44_100, "-movflags", "+faststart");
    const { sizes } = await make(source, "free", 2, 20);
    expect([...sizes]).toEqual([undefined]);
  });
});

it.each([
  ["a transport stream", "stream.ts", []],
  ["fragments without an index", "fragments.mp4", ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"]],
])("gives no size for %s, whose frames nobody has counted", async (_, name, args) => {
  const source = await makeSource(name, "pauses", 44_100, ...args);
  const { sizes } = await make(source, "free", 2, SECONDS);
  expect([...sizes]).toEqual([undefined]);
});

it("states the promised length of fragments that a tool has to read, and not that of the first one", async () => {
  // Only a tool reads the gaps that this tag may state.
  const gaps = ["-metadata", "comment=iTunSMPB"];
  const fragments = ["-movflags", "+empty_moov+default_base_moof", "-frag_duration", "2000000"];
  const source = await makeSource("not-plain.mp4", "pauses", 44_100, ...fragments, ...gaps);
  const { kept, early } = await make(source, "free", 2, SECONDS);
  expect(Math.abs(statedFrames(early) / statedFrames(kept) - 1)).toBeLessThan(0.01);
});
