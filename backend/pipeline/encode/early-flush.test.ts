import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EarlyFlush } from "./early-flush.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flush-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("follows a file from before it is there until it is written", async () => {
  const path = join(folder, "grows");
  await using early = new EarlyFlush(path);
  early.more();
  await early.finish();
  await writeFile(path, "some");
  for (const text of ["more", "and more"]) {
    await appendFile(path, text);
    early.more();
    early.more();
  }
  await expect(early.finish()).resolves.toBeUndefined();
});

it("says in the end what the disk said on the way", async () => {
  // A folder below a file: nothing can be opened there.
  const path = join(folder, "file");
  await writeFile(path, "");
  await using early = new EarlyFlush(join(path, "below"));
  early.more();
  await expect(early.finish()).rejects.toMatchObject({ code: "ENOTDIR" });
});
