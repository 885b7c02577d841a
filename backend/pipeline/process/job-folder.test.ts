import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { runWithMounts } from "../../dev/testing/with-mounts.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { clearJobFolders, openJobFolder } from "./job-folder.ts";

let root: string;
beforeEach(async () => {
  root = await testFolder();
});

it("creates an empty private folder and removes it with its contents", async () => {
  {
    await using folder = await openJobFolder(root, "a1-B_2.3");
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
    await writeFile(join(folder.path, "half a video"), "x");
  }
  expect(await readdir(root)).toEqual([]);
});

it("removes what a crash left in the folder", async () => {
  const before = await openJobFolder(root, "same");
  await writeFile(join(before.path, "left over"), "x");
  await using folder = await openJobFolder(root, "same");
  expect(await readdir(folder.path)).toEqual([]);
});

it.each(["", ".", "..", "../x", "a/b", "a\0b"])("rejects %j as a job id", async (id) => {
  await expect(openJobFolder(root, id)).rejects.toThrow(RangeError);
});

it("clears all job folders, and creates a root that does not exist", async () => {
  await openJobFolder(root, "one");
  await clearJobFolders(root);
  expect(await readdir(root)).toEqual([]);
  await clearJobFolders(join(root, "not", "there", "yet"));
});

it("clears a root that is a mount, and names what is mounted in it", async () => {
  const mounted = join(root, "lost+found");
  const script = `
    import { readdir } from "node:fs/promises";
    import { clearJobFolders } from ${JSON.stringify(join(import.meta.dirname, "job-folder.ts"))};
    const kept = await clearJobFolders(${JSON.stringify(root)});
    process.stdout.write(JSON.stringify([kept, await readdir(${JSON.stringify(root)})]));
  `;
  const mounts = ["--tmpfs", root, "--dir", join(root, "job.1"), "--tmpfs", mounted];
  expect(await runWithMounts(mounts, script)).toEqual([["lost+found"], ["lost+found"]]);
});
