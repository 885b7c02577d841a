import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { markPlayerFolder, openPlayerFolder } from "./player-folder.ts";

let dataDir: string;
let program: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "players-"));
  program = path.join(dataDir, "yt-dlp");
  await writeFile(program, "one");
});
afterEach(() => rm(dataDir, { recursive: true }));

it("keeps the sixteen newest scripts", async () => {
  const folder = await openPlayerFolder(dataDir, program);
  const scripts = path.join(folder, "challenge-solver");
  await mkdir(scripts);
  for (let index = 0; index < 20; index += 1) {
    const file = path.join(scripts, `player-${String(index).padStart(2, "0")}.json`);
    await writeFile(file, "{}");
    await utimes(file, index, index);
  }
  expect(await openPlayerFolder(dataDir, program)).toBe(folder);
  const kept = (await readdir(scripts)).toSorted();
  expect(kept).toHaveLength(16);
  expect(kept[0]).toBe("player-04.json");
});

it("gives another version of yt-dlp a folder of its own, and keeps that of a version that was used today", async () => {
  const DAY_MS = 24 * 3_600_000;
  const openOther = async (mtimeSeconds: number): Promise<string> => {
    await utimes(program, mtimeSeconds, mtimeSeconds);
    return openPlayerFolder(dataDir, program);
  };
  const unused = await openOther(1);
  const used = await openOther(2);
  const marked = await openOther(3);
  for (const [folder, agoMs] of [
    [unused, DAY_MS],
    [used, DAY_MS - 60_000],
    [marked, DAY_MS],
  ] as const)
    await utimes(folder, new Date(), new Date(Date.now() - agoMs));
  await markPlayerFolder(marked);
  const current = await openOther(4);
  const names = [used, marked, current].map((folder) => path.basename(folder));
  expect((await readdir(path.dirname(current))).toSorted()).toEqual(names.toSorted());
});
