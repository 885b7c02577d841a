import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, inject, it } from "vitest";
import { testFolder } from "../../testing/test-folder.ts";
import { repositoryDataDir } from "../../repository.ts";
import { prepareClips } from "./clips.ts";

const { ffmpegPath } = inject("toolPaths");
const report = (): void => undefined;

let dataDir: string;
beforeEach(async () => {
  dataDir = await testFolder();
});

/** Names in the folder of the clips, without the lock file. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(path.join(folder, "sample-site"))).filter((name) => !name.startsWith(".lock"));
}

it("finds the clips of an earlier start without running ffmpeg", async () => {
  const shared = { dataDir: repositoryDataDir(), report };
  const made = await prepareClips({ ...shared, ffmpegPath });
  expect(await prepareClips({ ...shared, ffmpegPath: "/nowhere/ffmpeg" })).toBe(made);
});

it("leaves no files when ffmpeg fails", async () => {
  await expect(prepareClips({ dataDir, ffmpegPath: "false", report })).rejects.toThrow("Command failed");
  expect(await namesIn(dataDir)).toEqual([]);
});

it("leaves no files when aborted", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped by hand");
  const reported = (): void => stop.abort(reason);
  await expect(prepareClips({ dataDir, ffmpegPath, report: reported, signal: stop.signal })).rejects.toBe(reason);
  expect(await namesIn(dataDir)).toEqual([]);
});

it("removes drafts of a killed start and clips of an older version", async () => {
  await mkdir(path.join(dataDir, "sample-site/making-abc/rain"), { recursive: true });
  await mkdir(path.join(dataDir, "sample-site/clips-older/rain"), { recursive: true });
  await expect(prepareClips({ dataDir, ffmpegPath: "false", report })).rejects.toThrow("Command failed");
  expect(await namesIn(dataDir)).toEqual([]);
});
