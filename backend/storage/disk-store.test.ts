import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDiskStore } from "./disk-store.ts";
import { describeFileStore } from "./file-store.contract.ts";
import type { FileStore } from "./file-store.ts";

/** A file system in memory, which is a second disk on every Linux. */
const OTHER_DISK = "/dev/shm";
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

const folders: string[] = [];
async function newFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, "tapedeck-store-"));
  folders.push(folder);
  return folder;
}
async function clear(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

async function listed(store: FileStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys;
}

describe("a disk store", () => {
  describeFileStore(async () => openDiskStore(await newFolder()), clear);
});

describe("a disk store", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await newFolder();
  });
  afterEach(clear);

  it("creates its folder", async () => {
    const deep = join(folder, "a", "b");
    await openDiskStore(deep);
    expect(await readdir(deep)).toEqual([]);
  });

  it("lists its files after a restart, and clears partial files of the given age", async () => {
    await writeFile(join(folder, "whole.1.mp3"), "whole");
    await writeFile(join(folder, "half.1.mp3.partial"), "ha");
    const store = await openDiskStore(folder);
    expect(await listed(store)).toEqual(["whole.1.mp3"]);
    // Another process may still be writing a young file.
    expect(await store.clearUnfinished(60_000)).toBe(0);
    expect(await store.clearUnfinished(0)).toBe(1);
    expect(await readdir(folder)).toEqual(["whole.1.mp3"]);
  });

  it("does not follow a link that lies under the name of a file", async () => {
    const store = await openDiskStore(folder);
    const secret = join(await newFolder(), "secret");
    await writeFile(secret, "secret");
    await symlink(secret, join(folder, "a.mp3"));
    await expect(store.read("a.mp3")).rejects.toThrow("ELOOP");
  });

  it("lists neither partial files nor folders", async () => {
    const store = await openDiskStore(folder);
    await writeFile(join(folder, "half.1.mp3.partial"), "ha");
    await mkdir(join(folder, "folder.x"));
    expect(await listed(store)).toEqual([]);
  });

  it.runIf(hasOtherDisk)(
    "removes the partial copy and keeps the source when a file of another disk cannot be renamed",
    async () => {
      const store = await openDiskStore(folder);
      const source = join(await newFolder(OTHER_DISK), randomUUID());
      await writeFile(source, "bytes");
      // A folder at the target path makes the rename fail.
      await mkdir(join(folder, "a.1.mp3"));
      await expect(store.put("a.1.mp3", source)).rejects.toMatchObject({ code: "storage" });
      expect(await readdir(folder)).toEqual(["a.1.mp3"]);
      expect(await readFile(source, "utf8")).toBe("bytes");
    },
  );

  it("fails with the code storage when its folder was removed", async () => {
    const store = await openDiskStore(folder);
    const source = join(await newFolder(), "source");
    await writeFile(source, "bytes");
    await rm(folder, { recursive: true });
    await expect(store.put("a.1.mp3", source)).rejects.toMatchObject({ code: "storage" });
  });
});
