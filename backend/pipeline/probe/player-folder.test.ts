import { mkdir, readdir, readFile, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { runWithMounts } from "../../dev/testing/with-mounts.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { boundPlayerFolder, keepPrepared, markPlayerFolder, openPlayerFolder } from "./player-folder.ts";

let dataDir: string;
let program: string;
beforeEach(async () => {
  dataDir = await testFolder();
  program = path.join(dataDir, "yt-dlp");
  await writeFile(program, "one");
});

const scriptName = (index: number): string => `player-${String(index).padStart(2, "0")}.json`;

/** Keeps scripts as yt-dlp does, each newer than the one before. @returns their folder */
async function keepScripts(folder: string, from: number, to: number): Promise<string> {
  const scripts = path.join(folder, "challenge-solver");
  await mkdir(scripts, { recursive: true });
  for (let index = from; index < to; index += 1) {
    const file = path.join(scripts, scriptName(index));
    await writeFile(file, "{}");
    await utimes(file, index, index);
  }
  return scripts;
}

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => scriptName(from + index));

it("keeps the sixteen newest scripts of a start", async () => {
  const folder = await openPlayerFolder(dataDir, program);
  const scripts = await keepScripts(folder, 0, 20);
  expect(await openPlayerFolder(dataDir, program)).toBe(folder);
  expect((await readdir(scripts)).toSorted()).toEqual(names(4, 20));
});

it("removes the oldest script when a new one is kept, also by several processes at the same time", async () => {
  const folder = await openPlayerFolder(dataDir, program);
  const scripts = await keepScripts(folder, 0, 16);
  await boundPlayerFolder(folder);
  expect((await readdir(scripts)).toSorted()).toEqual(names(0, 16));
  await keepScripts(folder, 16, 18);
  await Promise.all(Array.from({ length: 5 }, () => boundPlayerFolder(folder)));
  expect((await readdir(scripts)).toSorted()).toEqual(names(2, 18));
});

it("removes none in place of one that another process has removed since the files were listed", async () => {
  const folder = await openPlayerFolder(dataDir, program);
  const scripts = await keepScripts(folder, 0, 16);
  // Listed, and not there when their age is looked at.
  for (const name of ["gone-1.json", "gone-2.json"]) await symlink("nowhere", path.join(scripts, name));
  await boundPlayerFolder(folder);
  expect((await readdir(scripts)).filter((name) => name.startsWith("player")).toSorted()).toEqual(names(0, 16));
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
  const kept = [used, marked, current].map((folder) => path.basename(folder));
  expect((await readdir(path.dirname(current))).toSorted()).toEqual(kept.toSorted());
});

it("opens on a disk of its own, with an old folder that cannot be removed", async () => {
  const home = path.join(dataDir, "youtube-players");
  const kept = path.join(home, "lost+found");
  await mkdir(home);
  const script = `
    import { mkdir, readdir, utimes } from "node:fs/promises";
    import { openPlayerFolder } from ${JSON.stringify(path.join(import.meta.dirname, "player-folder.ts"))};
    await mkdir("${home}/unused");
    for (const folder of ["${home}/unused", "${kept}"]) await utimes(folder, 0, 0);
    const opened = await openPlayerFolder("${dataDir}", "${program}");
    process.stdout.write(JSON.stringify([opened, await readdir("${home}")]));
  `;
  const [opened, left] = (await runWithMounts(["--tmpfs", home, "--tmpfs", kept], script)) as [string, string[]];
  expect(left.toSorted()).toEqual([path.basename(opened), "lost+found"].toSorted());
});

it("keeps prepared files of the right kind, name and size, and overwrites none", async () => {
  const folder = await openPlayerFolder(dataDir, program);
  const prepared = path.join(dataDir, "prepared");
  const write = async (place: string, ...names: string[]): Promise<void> => {
    await mkdir(path.join(prepared, place), { recursive: true });
    for (const name of names) await writeFile(path.join(prepared, place, name), "new");
  };
  await write("youtube-script", "player,3A1-main.json", "a.js", ".json", "ü.json", "large.json");
  await truncate(path.join(prepared, "youtube-script", "large.json"), 16_000_001);
  await write("challenge-solver", "known.json", "new.json");
  await symlink("/etc/passwd", path.join(prepared, "challenge-solver", "link.json"));
  await write("challenge-solver/folder.json");
  await write("other", "new.json");
  await mkdir(path.join(folder, "challenge-solver"));
  await writeFile(path.join(folder, "challenge-solver", "known.json"), "old");
  await keepPrepared(folder, prepared);
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual([
    "challenge-solver",
    "challenge-solver/known.json",
    "challenge-solver/new.json",
    "youtube-script",
    "youtube-script/player,3A1-main.json",
  ]);
  expect(await readFile(path.join(folder, "challenge-solver", "known.json"), "utf8")).toBe("old");
});

it("keeps nothing of a folder that a call has replaced by a link", async () => {
  const folder = await openPlayerFolder(dataDir, program);
  const outside = path.join(dataDir, "keys");
  const prepared = path.join(dataDir, "linked");
  await mkdir(outside);
  await writeFile(path.join(outside, "session-keys.json"), "secret");
  await mkdir(prepared);
  await symlink(outside, path.join(prepared, "challenge-solver"));
  await keepPrepared(folder, prepared);
  expect(await readdir(folder, { recursive: true })).not.toContain("challenge-solver/session-keys.json");
});
