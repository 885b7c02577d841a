import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { clearJobFolders, openJobFolder } from "./job-folder.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "job-folder-"));
});
afterEach(() => rm(root, { recursive: true }));

it("gives an empty private folder and takes it back with all that is in it", async () => {
  {
    await using folder = await openJobFolder(root, "a1-B_2.3");
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
    await writeFile(join(folder.path, "half a video"), "x");
  }
  expect(await readdir(root)).toEqual([]);
});

it("starts empty even where a crash left something", async () => {
  const before = await openJobFolder(root, "same");
  await writeFile(join(before.path, "left over"), "x");
  await using folder = await openJobFolder(root, "same");
  expect(await readdir(folder.path)).toEqual([]);
});

it.each(["", ".", "..", "../x", "a/b", "a\0b"])("refuses %j as a name", async (id) => {
  await expect(openJobFolder(root, id)).rejects.toThrow(RangeError);
});

it("clears what a crash left, wherever the root is", async () => {
  await openJobFolder(root, "one");
  await clearJobFolders(root);
  expect(await readdir(root)).toEqual([]);
  await clearJobFolders(join(root, "not", "there", "yet"));
});
