import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { ffmpeg } from "../../dev/testing/ffmpeg.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { findBox } from "./boxes.ts";
import { samplesOfPart } from "./samples-of-part.ts";
import { box } from "./write-box.ts";
import { u32 } from "./write-index.ts";

const SECONDS = 20;
const folder = await testFolder();
let bytes: Buffer;
let movie: Buffer;
beforeAll(async () => {
  const path = join(folder, "clip.mp4");
  const picture = ["-f", "lavfi", "-i", `testsrc2=size=160x120:rate=20:duration=${SECONDS}`];
  const sound = ["-f", "lavfi", "-i", `sine=duration=${SECONDS}`];
  const codecs = ["-c:v", "libx264", "-preset", "superfast", "-g", "40", "-sc_threshold", "0", "-c:a", "aac"];
  await ffmpeg(...picture, ...sound, ...codecs, path);
  bytes = await readFile(path);
  movie = findBox(bytes, "moov") ?? Buffer.alloc(0);
});

it("finds the bytes of a part and of the beginning", () => {
  const found = samplesOfPart(movie, { startSeconds: 10.7, endSeconds: 12 });
  expect(found?.wholeSeconds).toBeCloseTo(SECONDS, 0);
  const neededBytes = found?.ranges.reduce((sum, { start, end }) => sum + end - start, 0) ?? NaN;
  expect(neededBytes).toBeLessThan(bytes.length);
  // From the key frame at 10 s on, with half a second more at the end.
  expect(neededBytes).toBeGreaterThan(bytes.length / 20);
});

it("needs everything for the whole", () => {
  const found = samplesOfPart(movie, { startSeconds: 0, endSeconds: SECONDS });
  expect(found?.ranges).toHaveLength(1);
  const [range] = found?.ranges ?? [];
  expect((range?.end ?? NaN) - (range?.start ?? NaN)).toBe(findBox(bytes, "mdat")?.length);
});

/** @returns a copy of the index in which the first table of a type has other bytes at an offset of its content */
function altered(type: string, offset: number, value: number): Buffer {
  const copy = Buffer.from(movie);
  copy.writeUInt32BE(value, copy.indexOf(type) + 4 + offset);
  return copy;
}

it.each([
  ["a sample count without sizes", "stsz", 8, 0xffff_ffff, 4],
  ["a chunk without samples", "stsc", 12, 0, undefined],
])("refuses %s", (_, type, offset, value, commonOffset) => {
  const copy = altered(type, offset, value);
  if (commonOffset !== undefined) copy.writeUInt32BE(1, copy.indexOf(type) + 4 + commonOffset);
  expect(samplesOfPart(copy, { startSeconds: 5, endSeconds: 6 })).toBeUndefined();
});

/** @returns the index of a picture of one second, whose chunks have one frame each and are all at the same place */
function indexOfChunks(count: number): Buffer {
  const header = u32(0, 0, 0, count, count);
  const tables = box(
    "stbl",
    box("stts", u32(0, 1, count, 1)),
    box("stsc", u32(0, 1, 1, 1, 1)),
    box("stsz", u32(0, 100, count)),
    box("stco", u32(0, count), Buffer.alloc(4 * count, u32(1_000))),
  );
  const handler = box("hdlr", u32(0, 0), Buffer.from("vide"));
  const media = box("mdia", box("mdhd", header), handler, box("minf", tables));
  return Buffer.concat([box("mvhd", header), box("trak", media)]);
}

it("reads an index of 200,000 chunks in a part, and refuses one of more", () => {
  const whole = { startSeconds: 0, endSeconds: 1 };
  expect(samplesOfPart(indexOfChunks(200_000), whole)?.ranges).toEqual([{ start: 1_000, end: 1_100 }]);
  expect(samplesOfPart(indexOfChunks(200_001), whole)).toBeUndefined();
});

it("refuses an edit list that moves the picture by more than a few frames", () => {
  expect(samplesOfPart(altered("elst", 12, 0x7fff_0000), { startSeconds: 5, endSeconds: 6 })).toBeUndefined();
});

it("refuses an index without tracks, and throws for one that is cut off", () => {
  expect(samplesOfPart(Buffer.alloc(0), { startSeconds: 5, endSeconds: 6 })).toBeUndefined();
  expect(samplesOfPart(movie.subarray(0, 120), { startSeconds: 5, endSeconds: 6 })).toBeUndefined();
});
