import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { repositoryDataDir } from "../../repository.ts";
import { prepareClips } from "./clips.ts";

const { ffmpegPath } = inject("toolPaths");
const report = (): void => undefined;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "sample-clips-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Without the lock's own file. */
async function leftIn(folder: string): Promise<string[]> {
  return (await readdir(path.join(folder, "sample-site"))).filter((name) => !name.startsWith(".lock"));
}

it("finds the clips of an earlier start without touching ffmpeg", async () => {
  const shared = { dataDir: repositoryDataDir(), report };
  const made = await prepareClips({ ...shared, ffmpegPath });
  expect(await prepareClips({ ...shared, ffmpegPath: "/nowhere/ffmpeg" })).toBe(made);
});

it("leaves nothing behind when ffmpeg fails", async () => {
  await expect(prepareClips({ dataDir, ffmpegPath: "false", report })).rejects.toThrow("Command failed");
  expect(await leftIn(dataDir)).toEqual([]);
});

it("leaves nothing behind when stopped in the middle", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped by hand");
  const reported = (): void => stop.abort(reason);
  await expect(prepareClips({ dataDir, ffmpegPath, report: reported, signal: stop.signal })).rejects.toBe(reason);
  expect(await leftIn(dataDir)).toEqual([]);
});

it("clears away what a killed start and an older version left", async () => {
  await mkdir(path.join(dataDir, "sample-site/making-abc/rain"), { recursive: true });
  await mkdir(path.join(dataDir, "sample-site/clips-older/rain"), { recursive: true });
  await expect(prepareClips({ dataDir, ffmpegPath: "false", report })).rejects.toThrow("Command failed");
  expect(await leftIn(dataDir)).toEqual([]);
});
