/** Reads files that ffmpeg wrote. */
import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ffmpeg, lavfi } from "../../dev/testing/ffmpeg.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { readMp3 } from "./read-mp3.ts";

const folder = await testFolder();

async function make(name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name);
  await ffmpeg(...lavfi("sine=frequency=300:sample_rate=44100:duration=3.3"), ...args, path);
  return path;
}

it.each([
  { kbps: 128, channels: 2 },
  { kbps: 320, channels: 1 },
] as const)("reads duration, sample rate and channels at $kbps kbps", async ({ kbps, channels }) => {
  const path = await make(
    `plain-${kbps}.mp3`,
    "-ac",
    String(channels),
    "-b:a",
    `${kbps}k`,
    "-metadata",
    "title=A title",
  );
  expect(await readMp3(path)).toMatchObject({
    container: "mp3",
    sizeBytes: (await readFile(path)).length,
    hasAttachedPicture: false,
    audio: { codec: "mp3", channelCount: channels, sampleRateHz: 44_100, bitrateKbps: kbps },
  });
  expect((await readMp3(path))?.durationSeconds).toBeCloseTo(3.3, 3);
});

it("returns undefined for a file that is longer, shorter or damaged, or has no Info header", async () => {
  const longer = await make("longer.mp3");
  const shorter = await make("shorter.mp3");
  const damaged = await make("damaged.mp3");
  await appendFile(longer, "more");
  await truncate(shorter, 20_000);
  const bytes = await readFile(damaged);
  await writeFile(damaged, bytes.fill(0, bytes.length - 400));
  expect(
    await Promise.all(
      [longer, shorter, damaged, await make("bare.mp3", "-write_xing", "0"), await make("sound.wav")].map(readMp3),
    ),
  ).toEqual(Array(5).fill(undefined));
});
