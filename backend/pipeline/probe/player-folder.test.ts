import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPlayerFolder } from "./player-folder.ts";

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

it("gives another version of yt-dlp a folder of its own, and removes the old one", async () => {
  const first = await openPlayerFolder(dataDir, program);
  await utimes(program, 1, 1);
  const second = await openPlayerFolder(dataDir, program);
  expect(second).not.toBe(first);
  expect(await readdir(path.dirname(second))).toEqual([path.basename(second)]);
});
