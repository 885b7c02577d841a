/** Whether an MP4 gets a cover. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Mp4Plan } from "../plan/encode-plan.ts";
import { coverFor, pictureInTime } from "./cover.ts";

const limits = { ...TIERS.free, maxFileBytes: 1_000_000 };
const folder = await testFolder();

async function coverOf(sizeBytes: number): Promise<string> {
  const path = join(folder, `${sizeBytes}.jpg`);
  await writeFile(path, Buffer.alloc(sizeBytes));
  return path;
}

const copied: Mp4Plan = {
  format: "mp4",
  durationSeconds: 10,
  video: {
    method: "copy",
    source: 0,
    stream: { index: 0, codec: "h264", pixelFormat: "yuv420p", widthPixels: 640, heightLines: 360 },
  },
};
const still: Mp4Plan = { ...copied, video: { method: "still" } };

it.each([
  ["one that fits", copied, 10_000, 900_000, true],
  ["none that takes more than a hundredth of the largest file", copied, 10_001, 100, false],
  ["none to copied tracks that have nearly the largest size", copied, 10_000, 985_000, false],
  ["one to tracks that are encoded", still, 10_000, 3_000_000, true],
] as const)("gives the file %s", async (_, plan, coverBytes, sizeBytes, isGiven) => {
  const path = await coverOf(coverBytes);
  const cover = await coverFor(path, plan, [{ sizeBytes, durationSeconds: 10 }], limits);
  expect(cover).toEqual(isGiven ? { path, sizeBytes: coverBytes } : undefined);
});

it("counts only the part of a copied source", async () => {
  const source = { sizeBytes: 3_000_000, durationSeconds: 40 };
  expect(await coverFor(await coverOf(5_000), copied, [source], limits)).toBeDefined();
});

it("waits for a picture, and no longer than it may", async () => {
  const never = new AbortController().signal;
  const missing = new Promise<never>(() => undefined);
  expect(await pictureInTime(Promise.resolve("a.jpg"), 60_000, never)).toBe("a.jpg");
  expect(await pictureInTime(missing, 1, never)).toBeUndefined();
  await expect(pictureInTime(missing, 60_000, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  await expect(pictureInTime(Promise.reject(new Error("no disk")), 60_000, never)).rejects.toThrow("no disk");
});
