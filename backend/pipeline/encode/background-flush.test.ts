import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { BackgroundFlush } from "./background-flush.ts";

const folder = await testFolder();

it("flushes a file that does not exist at first, and then grows", async () => {
  const path = join(folder, "grows");
  await using flush = new BackgroundFlush(path);
  flush.start();
  await flush.finish();
  await writeFile(path, "some");
  for (const text of ["more", "and more"]) {
    await appendFile(path, text);
    flush.start();
    flush.start();
  }
  await expect(flush.finish()).resolves.toBeUndefined();
});

it("rejects finish() with the error of an earlier flush", async () => {
  // The path leads through a file, so nothing can be opened there.
  const path = join(folder, "file");
  await writeFile(path, "");
  await using flush = new BackgroundFlush(join(path, "below"));
  flush.start();
  await expect(flush.finish()).rejects.toMatchObject({ code: "ENOTDIR" });
});
