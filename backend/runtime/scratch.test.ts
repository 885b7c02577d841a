import { mkdir, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runWithMounts } from "../dev/testing/with-mounts.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { openScratch } from "./scratch.ts";

it("keeps the folder of a running process and removes folders of dead ones", async () => {
  const root = await testFolder();
  const TOUCH_MS = 200;
  const errors: unknown[] = [];
  const fail = (error: unknown): void => {
    // A folder may be removed while its process touches it; the next touch creates it again.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") errors.push(error);
  };
  const dead = join(root, "killed-4711");
  await mkdir(join(dead, "job.1"), { recursive: true });
  const longAgo = new Date(Date.now() - 7 * TOUCH_MS);
  const one = await openScratch(root, "host:12:abc", TOUCH_MS, fail);
  const two = await openScratch(root, "other/13", TOUCH_MS, fail);
  await utimes(dead, longAgo, longAgo);
  await expect.poll(() => readdir(root)).toEqual(["host-12-abc", "other-13"]);
  expect(one.path).toBe(join(root, "host-12-abc"));
  await one[Symbol.asyncDispose]();
  // On a machine that stood still, the first process may have taken the second one for dead.
  await expect.poll(() => readdir(root)).toEqual(["other-13"]);
  // A process whose folder was removed during a pause creates it again.
  await rm(two.path, { recursive: true });
  await expect.poll(() => readdir(root)).toEqual(["other-13"]);
  await two[Symbol.asyncDispose]();
  expect(errors).toEqual([]);
});

it("opens in a root that is a mount, with a folder in it that cannot be removed", async () => {
  const root = await testFolder();
  const kept = join(root, "lost+found");
  const script = `
    import { mkdir, readdir, utimes } from "node:fs/promises";
    import { openScratch } from ${JSON.stringify(join(import.meta.dirname, "scratch.ts"))};
    await mkdir("${root}/killed");
    for (const folder of ["${root}/killed", "${kept}"]) await utimes(folder, 0, 0);
    const scratch = await openScratch("${root}", "one", 60_000, (error) => { throw error; });
    const names = await readdir("${root}");
    await scratch[Symbol.asyncDispose]();
    process.stdout.write(JSON.stringify([names, await readdir("${root}")]));
  `;
  const seen = await runWithMounts(["--tmpfs", root, "--tmpfs", kept], script);
  const [whileOpen, after] = seen as [string[], string[]];
  expect([whileOpen.toSorted(), after]).toEqual([["lost+found", "one"], ["lost+found"]]);
});
