import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { ffmpeg } from "../../dev/testing/ffmpeg.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { copyMp3 } from "./copy-mp3.ts";
import { FrameSplitter } from "./frame-group.ts";

const TAG = Buffer.from("ID3\u0003\u0000\u0000\u0000\u0000\u0000\u0004abcd", "latin1");
const never = new AbortController().signal;
const folder = await testFolder();
const CBR = ["-b:a", "128k"];
const NO_TAG = ["-id3v2_version", "0"];
/** Ten seconds, encoded by LAME in one run of ffmpeg. */
const RECIPES: Readonly<Record<string, readonly string[]>> = {
  "tag-before": CBR,
  "tags-around": [...CBR, "-write_id3v1", "1"],
  untagged: [...CBR, ...NO_TAG],
  bare: [...CBR, ...NO_TAG, "-write_id3v1", "0"],
  richer: ["-b:a", "192k"],
  variable: ["-q:a", "4"],
  averaged: [...CBR, "-abr", "1"],
};
const pathOf = (name: string) => join(folder, `${name}.mp3`);
beforeAll(async () => {
  const sound = ["-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*t*300)+0.1*random(0)':s=44100:d=10"];
  const outputs = Object.entries(RECIPES).flatMap(([name, options]) => [
    "-metadata",
    "title=Source",
    "-c:a",
    "libmp3lame",
    ...options,
    pathOf(name),
  ]);
  await ffmpeg(...sound, ...outputs);
});

const copy = (sourcePath: string, bitrateKbps = 128) =>
  copyMp3({ sourcePath, outputPath: `${sourcePath}.out`, bitrateKbps, tag: TAG }, never);

it.each([
  ["with a tag before", "tag-before"],
  ["with tags before and after", "tags-around"],
  ["without tags", "untagged"],
])("copies every frame of a file %s", async (_, name) => {
  const source = pathOf(name);
  expect(await copy(source)).toBe(true);
  const made = await readFile(`${source}.out`);
  expect(made.equals(Buffer.concat([TAG, await readFile(pathOf("bare"))]))).toBe(true);
});

it("drops an incomplete last frame, even if it is the only data in a chunk", async () => {
  const bytes = await readFile(pathOf("bare"));
  const long = Buffer.concat(Array.from({ length: 8 }, () => bytes));
  // The file is read in chunks of 1 MiB; a frame lies across the end of the first chunk.
  const whole = new FrameSplitter().push(long.subarray(0, 1_048_576));
  const source = join(folder, "cut.mp3");
  await writeFile(source, long.subarray(0, 1_048_577));
  expect(await copy(source)).toBe(true);
  expect((await readFile(`${source}.out`)).equals(Buffer.concat([TAG, whole?.bytes ?? Buffer.alloc(0)]))).toBe(true);
});

it("rejects a source with another or a variable bit rate", async () => {
  expect(await copy(pathOf("richer"))).toBe(false);
  expect(await copy(pathOf("variable"))).toBe(false);
  expect(await copy(pathOf("averaged"))).toBe(false);
});

it("rejects a source with other data than frames, and an empty one", async () => {
  const source = pathOf("spoilt");
  const bytes = await readFile(pathOf("tag-before"));
  bytes.fill(0x55, 60_000, 61_000);
  await writeFile(source, bytes);
  expect(await copy(source)).toBe(false);
  await writeFile(source, "");
  expect(await copy(source)).toBe(false);
});

it("fails when the disk takes only a part of the frames", async () => {
  const sourcePath = pathOf("tag-before");
  // A limit on the size of files acts like a full disk: the kernel takes the bytes that fit and reports no error until
  // the next write.
  const script = `
    const { copyMp3 } = await import(${JSON.stringify(new URL("copy-mp3.ts", import.meta.url).href)});
    const paths = ${JSON.stringify({ sourcePath, outputPath: `${sourcePath}.part` })};
    const copy = { ...paths, bitrateKbps: 128, tag: Buffer.alloc(0) };
    console.log(await copyMp3(copy, new AbortController().signal).catch((error) => error.code));
  `;
  const { stdout } = await promisify(execFile)("prlimit", [
    "--fsize=100000",
    process.execPath,
    "--input-type=module",
    "-e",
    script,
  ]);
  expect(stdout.trim()).toBe("EFBIG");
});
