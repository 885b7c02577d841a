import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import { closeDataFolder } from "./private-files.ts";

let root: string;
let dataDir: string;
beforeEach(async () => {
  root = await testFolder();
  dataDir = path.join(root, "data");
});

const modeOf = async (entryPath: string): Promise<string> => ((await stat(entryPath)).mode & 0o777).toString(8);

/** As older versions made it. */
async function makeOpen(entryPath: string, mode: number): Promise<void> {
  if (path.extname(entryPath) === "") await mkdir(entryPath, { recursive: true });
  else await writeFile(entryPath, "");
  await chmod(entryPath, mode);
}

it("makes a new folder for its owner alone", async () => {
  expect(await closeDataFolder(dataDir)).toBeUndefined();
  expect(await modeOf(dataDir)).toBe("700");
});

it("takes the rights of others from all that an older version made", async () => {
  const made = [
    dataDir,
    path.join(dataDir, "files"),
    path.join(dataDir, "files", "a.mp3"),
    path.join(dataDir, "tool.sh"),
  ];
  for (const [index, mode] of [0o755, 0o775, 0o644, 0o755].entries()) await makeOpen(made[index] ?? "", mode);
  await closeDataFolder(dataDir);
  expect(await Promise.all(made.map(modeOf))).toEqual(["700", "700", "600", "700"]);
});

it("follows no link and waits for no pipe", async () => {
  const folder = path.join(root, "elsewhere");
  const file = path.join(folder, "file.txt");
  await makeOpen(dataDir, 0o755);
  await makeOpen(folder, 0o755);
  await makeOpen(file, 0o644);
  await symlink(folder, path.join(dataDir, "folder"));
  await symlink(file, path.join(dataDir, "file"));
  await symlink("/no/such/file", path.join(dataDir, "nothing"));
  execFileSync("mkfifo", [path.join(dataDir, "pipe")]);
  await closeDataFolder(dataDir);
  expect(await Promise.all([folder, file].map(modeOf))).toEqual(["755", "644"]);
});

it("says so when the folder is everybody's, and changes nothing", async () => {
  await makeOpen(dataDir, 0o1777);
  expect(await closeDataFolder(dataDir)).toContain("other users of this machine may read");
  expect(await modeOf(dataDir)).toBe("777");
});

// Only root may give a file away.
it.runIf(process.geteuid?.() === 0)("leaves what belongs to another user", async () => {
  const file = path.join(dataDir, "file.txt");
  await makeOpen(dataDir, 0o755);
  await makeOpen(file, 0o644);
  await chown(file, 12_345, 12_345);
  await closeDataFolder(dataDir);
  expect(await modeOf(file)).toBe("644");
});
