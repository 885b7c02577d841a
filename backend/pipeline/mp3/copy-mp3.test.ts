import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { copyMp3 } from "./copy-mp3.ts";
import { FrameSplitter } from "./frame-run.ts";

const run = promisify(execFile);
const TAG = Buffer.from("ID3\u0003\u0000\u0000\u0000\u0000\u0000\u0004abcd", "latin1");
const never = new AbortController().signal;
let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "copy-mp3-"))));
afterAll(() => rm(folder, { recursive: true }));

/** Makes an MP3 of ten seconds with LAME. */
async function makeMp3(name: string, ...options: string[]): Promise<string> {
  const path = join(folder, `${name}.mp3`);
  await run(inject("toolPaths").ffmpegPath, [
    "-v",
    "error",
    "-y",
    "-f",
    "lavfi",
    "-i",
    "aevalsrc='0.3*sin(2*PI*t*300)+0.1*random(0)':s=44100:d=10",
    "-metadata",
    "title=Source",
    "-c:a",
    "libmp3lame",
    ...options,
    path,
  ]);
  return path;
}
const copy = (sourcePath: string, bitrateKbps = 128) =>
  copyMp3({ sourcePath, outputPath: `${sourcePath}.out`, bitrateKbps, tag: TAG }, never);

it.each([
  ["with a tag before", ["-b:a", "128k"]],
  ["with tags before and after", ["-b:a", "128k", "-write_id3v1", "1"]],
  ["without tags", ["-b:a", "128k", "-id3v2_version", "0"]],
] as const)("copies every frame of a file %s", async (name, options) => {
  const bare = await makeMp3(`${name} bare`, ...options, "-id3v2_version", "0", "-write_id3v1", "0");
  const source = await makeMp3(name, ...options);
  expect(await copy(source)).toBe(true);
  const made = await readFile(`${source}.out`);
  expect(made.equals(Buffer.concat([TAG, await readFile(bare)]))).toBe(true);
});

it("drops an incomplete last frame, even if it is the only data in a chunk", async () => {
  const bytes = await readFile(await makeMp3("cut", "-b:a", "128k", "-id3v2_version", "0", "-write_id3v1", "0"));
  const long = Buffer.concat(Array.from({ length: 8 }, () => bytes));
  // The file is read in chunks of 1 MiB; a frame lies across the end of the first chunk.
  const whole = new FrameSplitter().push(long.subarray(0, 1_048_576));
  const source = join(folder, "cut.mp3");
  await writeFile(source, long.subarray(0, 1_048_577));
  expect(await copy(source)).toBe(true);
  expect((await readFile(`${source}.out`)).equals(Buffer.concat([TAG, whole?.bytes ?? Buffer.alloc(0)]))).toBe(true);
});

it("rejects a source with another or a variable bit rate", async () => {
  expect(await copy(await makeMp3("richer", "-b:a", "192k"))).toBe(false);
  expect(await copy(await makeMp3("variable", "-q:a", "4"))).toBe(false);
  expect(await copy(await makeMp3("averaged", "-b:a", "128k", "-abr", "1"))).toBe(false);
});

it("rejects a source with other data than frames, and an empty one", async () => {
  const source = await makeMp3("spoilt", "-b:a", "128k");
  const bytes = await readFile(source);
  bytes.fill(0x55, 60_000, 61_000);
  await writeFile(source, bytes);
  expect(await copy(source)).toBe(false);
  await writeFile(source, "");
  expect(await copy(source)).toBe(false);
});

it("fails when the disk takes only a part of the frames", async () => {
  const sourcePath = await makeMp3("large", "-b:a", "128k");
  // A limit on the size of files acts like a full disk: the kernel takes the bytes that fit and reports no error until
  // the next write.
  const script = `
    const { copyMp3 } = await import(${JSON.stringify(new URL("copy-mp3.ts", import.meta.url).href)});
    const paths = ${JSON.stringify({ sourcePath, outputPath: `${sourcePath}.part` })};
    const copy = { ...paths, bitrateKbps: 128, tag: Buffer.alloc(0) };
    console.log(await copyMp3(copy, new AbortController().signal).catch((error) => error.code));
  `;
  const { stdout } = await run("prlimit", ["--fsize=100000", process.execPath, "--input-type=module", "-e", script]);
  expect(stdout.trim()).toBe("EFBIG");
});
