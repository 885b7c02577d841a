import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { infoBytes, parseInfo, rawFormatOf, type VideoInfo } from "./info.ts";
import { parsePageFile } from "./parse-aside.ts";

/** Parses a file with the metadata of a video. */
async function parseVideo(path: string, secrets: readonly string[] = []): Promise<VideoInfo> {
  const page = await parsePageFile({ path, secrets });
  if ("unread" in page) throw new Error("a video in parts");
  return page;
}

const folder = await testFolder();

const MB = 1_000_000;
const FORMAT = { format_id: "1", url: "https://cdn.example/1", protocol: "http_dash_segments", vcodec: "avc1.4d401e" };

/** Metadata as a site with many segments could have them. */
function largeJson(leastBytes: number, more: object = {}): string {
  const fragments = Array.from({ length: 2_000 }, (_, n) => ({ url: `https://cdn.example/segment/${n}`, duration: 4 }));
  const format = { ...FORMAT, fragments };
  const count = Math.ceil(leastBytes / JSON.stringify(format).length);
  return JSON.stringify({ title: "A title", formats: Array.from({ length: count }, () => format), ...more });
}

async function fileOf(json: string): Promise<string> {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, json);
  return path;
}

it("parses large texts while other events are handled in between", async () => {
  const json = largeJson(2 * MB);
  const file = await fileOf(json);
  let turns = 0;
  let isParsing = true;
  const count = (): void => {
    turns += 1;
    if (isParsing) setImmediate(count);
  };
  setImmediate(count);
  const parsing = Array.from({ length: 3 }, async () => {
    const { renditions } = await parseVideo(file);
    return renditions.length;
  });
  const turnsBefore = turns;
  const lengths = await Promise.all(parsing);
  isParsing = false;
  expect(new Set(lengths)).toEqual(new Set([parseInfo(json).renditions.length]));
  // On the event loop itself, there would be one turn for each text at most.
  expect(turns - turnsBefore).toBeGreaterThan(100);
});

it("gives the same metadata as without a thread", async () => {
  const json = largeJson(MB, { artist: "Somebody", thumbnail: "https://cdn.example/a.jpg", duration: 12 });
  const info = await parseVideo(await fileOf(json));
  expect(info).toEqual(parseInfo(json));
  const [first] = info.renditions;
  expect(first && rawFormatOf(first)["fragments"]).toHaveLength(2_000);
  expect(infoBytes(info)).toBeGreaterThan(MB);
});

it("throws the same errors, and goes on after them", async () => {
  const read = async (text: string) => parseVideo(await fileOf(text));
  await expect(read(largeJson(MB, { is_live: true }))).rejects.toMatchObject({
    name: "ConversionError",
    code: "live",
    isTransient: false,
  });
  await expect(read(largeJson(MB, { live_status: "post_live" }))).rejects.toMatchObject({
    code: "live",
    reason: { name: "live_just_ended" },
  });
  await expect(read("{".repeat(MB))).rejects.toMatchObject({ name: "ConversionError", code: "internal" });
  expect((await read(largeJson(MB))).title).toBe("A title");
});

it("keeps the formats outside the heap of this thread", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const file = await fileOf(largeJson(12 * MB));
  // The first one starts the thread.
  await parseVideo(await fileOf(largeJson(MB)));
  collectGarbage();
  const { heapUsed } = process.memoryUsage();
  const info = await parseVideo(file);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(4 * MB);
  expect(infoBytes(info)).toBeGreaterThan(12 * MB);
});

it.each([
  ["small", 1_000],
  ["large", MB],
])("replaces secrets in %s metadata", async (_size, leastBytes) => {
  const { title } = await parseVideo(await fileOf(largeJson(leastBytes, { title: "a SECRET b" })), ["SECRET"]);
  expect(title).toBe("a [cookie] b");
});

it("follows no link and waits for no pipe that is in the place of the file", async () => {
  const link = join(folder, "link");
  await symlink(await fileOf(largeJson(1_000)), link);
  await expect(parseVideo(link)).rejects.toMatchObject({ name: "ConversionError", code: "internal" });
  const pipe = join(folder, "pipe");
  await promisify(execFile)("mkfifo", [pipe]);
  await expect(parseVideo(pipe)).rejects.toMatchObject({ name: "ConversionError", code: "internal" });
});
