/** Runs the filters on a sound whose samples are their times, and on a picture that counts its frames. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, inject, it } from "vitest";
import type { Part } from "../../../common/choices.ts";
import type { Extent } from "../part/cuts.ts";
import { cutFilters, type CutFilters } from "./cut-filters.ts";

const HZ = 1_000;
const FPS = 10;
const SECONDS = 4;

async function filter(source: string, ...args: readonly string[]): Promise<Buffer> {
  const input = ["-v", "error", "-f", "lavfi", "-i", source];
  const ffmpeg = [inject("toolPaths").ffmpegPath, [...input, ...args, "-"], { encoding: "buffer" }] as const;
  return (await promisify(execFile)(...ffmpeg)).stdout;
}

/** @returns time in the source of each sample, in milliseconds */
async function soundOf({ sound }: CutFilters): Promise<readonly number[]> {
  const source = `aevalsrc=t/${SECONDS}:s=${HZ}:d=${SECONDS}`;
  const bytes = await filter(source, "-af", sound, "-f", "f32le");
  return Array.from({ length: bytes.length / 4 }, (_, index) =>
    Math.round(bytes.readFloatLE(index * 4) * SECONDS * HZ),
  );
}

/** @returns number of each frame in the source, and when it is shown in tenths of a second */
async function pictureOf({ picture }: CutFilters): Promise<readonly (readonly [number: number, shown: number])[]> {
  const source = `color=s=2x2:r=${FPS}:d=${SECONDS},format=gray,geq=lum=N`;
  const shape = ["-vf", picture, "-fps_mode", "passthrough", "-pix_fmt", "gray"];
  const [frames, times] = await Promise.all([
    filter(source, ...shape, "-f", "rawvideo"),
    filter(source, ...shape, "-c:v", "rawvideo", "-enc_time_base", `1/${FPS}`, "-f", "framecrc"),
  ]);
  const shown = [...times.toString().matchAll(/^0, *\S+ +(\d+),/gm)].map(([, time]) => Number(time));
  return shown.map((time, index) => [frames[index * 4] ?? NaN, time]);
}

const span = (startSeconds: number, endSeconds: number): Part => ({ startSeconds, endSeconds });
const fromTo = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** @param leadSeconds decoded before the part */
function filtersFor(extent: Omit<Extent, "durationSeconds">, leadSeconds = 0): CutFilters {
  const filters = cutFilters({ durationSeconds: SECONDS, ...extent }, { inputs: [], leadSeconds });
  if (!filters) throw new TypeError("nothing is cut out");
  return filters;
}

describe.each<[string, readonly Part[], readonly number[]]>([
  ["at the beginning", [span(0, 1.5)], fromTo(15, 40)],
  ["at the end", [span(3.2, SECONDS)], fromTo(0, 32)],
  [
    "at both ends and between",
    [span(0, 0.5), span(1, 1.2), span(1.3, 2), span(3.8, SECONDS)],
    [...fromTo(5, 10), ...fromTo(12, 13), ...fromTo(20, 38)],
  ],
])("spans %s", (_, cuts, left) => {
  const filters = filtersFor({ part: span(0, SECONDS), cuts });

  it("are left out of the sound to the sample", async () => {
    expect(await soundOf(filters)).toEqual(left.flatMap((tenth) => fromTo(tenth * 100, tenth * 100 + 100)));
  });

  it("are left out of the picture, whose later frames follow at once", async () => {
    expect(await pictureOf(filters)).toEqual(left.map((frame, index) => [frame, index]));
  });
});

it("are counted from where a tool begins to read a part", async () => {
  // The tool reads from 10.25 s on; what is before the part is cut off later.
  const filters = filtersFor({ part: span(10.5, 13), cuts: [span(11, 12)] }, 0.25);
  expect(await soundOf(filters)).toEqual([...fromTo(0, 750), ...fromTo(1_750, SECONDS * HZ)]);
});

it("are none where nothing is cut out, or no tool reads the source", () => {
  expect(cutFilters({ durationSeconds: 4 }, { inputs: [], leadSeconds: 0 })).toBeUndefined();
  expect(cutFilters({ durationSeconds: 3, cuts: [span(0, 1)] }, undefined)).toBeUndefined();
});
