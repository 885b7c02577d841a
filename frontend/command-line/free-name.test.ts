import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../../backend/dev/testing/test-folder.ts";
import { saveUnderFreeName } from "./free-name.ts";

let folder = "";
beforeEach(async () => {
  folder = await testFolder();
});

async function save(name: string): Promise<string> {
  const draft = path.join(folder, ".draft");
  await writeFile(draft, "a file");
  return path.relative(folder, await saveUnderFreeName(draft, folder, name));
}

it("counts files of one name", async () => {
  expect([await save("Rain.mp3"), await save("Rain.mp3"), await save("Rain.mp3")]).toEqual([
    "Rain.mp3",
    "Rain (2).mp3",
    "Rain (3).mp3",
  ]);
  expect((await readdir(folder)).length).toBe(3);
});

it("keeps the longest names within what file systems allow", async () => {
  const name = `${"雨".repeat(83)}xx.mp3`;
  await save(name);
  expect(Buffer.byteLength(await save(name))).toBeLessThanOrEqual(255);
});

it.each([
  ["../../etc/passwd", "passwd"],
  [String.raw`C:\Windows\x.mp3`, "x.mp3"],
  [".bashrc", "bashrc"],
  ["..", "tapedeck"],
  ["", "tapedeck"],
  ["a\u001b[2Jb.mp3", "a[2Jb.mp3"],
])("saves %j in the folder as %j", async (name, saved) => {
  expect(await save(name)).toBe(saved);
});
