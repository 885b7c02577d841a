import { execFile } from "node:child_process";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { readMp3 } from "./read-mp3.ts";

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "read-mp3-"));
  file = join(folder, "a.mp3");
  const { ffmpegPath } = inject("toolPaths");
  await promisify(execFile)(ffmpegPath, ["-v", "error", "-f", "lavfi", "-i", "sine=d=20:r=44100", "-b:a", "128k", "-id3v2_version", "3", "-metadata", "title=A sine", file]);
});

afterAll(() => rm(folder, { recursive: true }));

it("knows how long a file is to the sample, tags and the encoder's own silence left out", async () => {
  expect((await readMp3(file))?.durationSeconds).toBeCloseTo(20, 4);
});

it("says how much there is of a file that broke off, not what its header promises", async () => {
  const { sizeBytes = 0 } = (await readMp3(file)) ?? {};
  await truncate(file, Math.round(sizeBytes / 2));
  expect((await readMp3(file))?.durationSeconds).toBeCloseTo(10, 0);
});

it("knows what is no MP3", async () => {
  const other = join(folder, "other");
  await writeFile(other, "nothing of the kind".repeat(200));
  expect(await readMp3(other)).toBeUndefined();
  await writeFile(other, "");
  expect(await readMp3(other)).toBeUndefined();
});
