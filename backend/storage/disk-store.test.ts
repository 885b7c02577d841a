import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDiskStore } from "./disk-store.ts";
import { itIsAFileStore } from "./file-store.contract.ts";
import type { FileStore } from "./file-store.ts";

/** A second disk, which Linux offers to everybody. */
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

describe("a folder of this machine", () => {
  itIsAFileStore(async () => openDiskStore(await newFolder()), clear);
});

describe.runIf(hasOtherDisk)("a folder on another disk than the temporary files", () => {
  itIsAFileStore(async () => openDiskStore(await newFolder(OTHER_DISK)), clear);
});

describe("on disk", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await newFolder();
  });
  afterEach(clear);

  it("the folder is made when it is missing", async () => {
    const deep = join(folder, "a", "b");
    await openDiskStore(deep);
    expect(await readdir(deep)).toEqual([]);
  });

  it("files are there again after a restart, and halves of files go once nobody can be at work on them", async () => {
    await writeFile(join(folder, "whole.1.mp3"), "whole");
    await writeFile(join(folder, "half.1.mp3.partial"), "ha");
    const store = await openDiskStore(folder);
    expect(await listed(store)).toEqual(["whole.1.mp3"]);
    // Another process on the same disk may be writing it.
    expect(await store.clearUnfinished(60_000)).toBe(0);
    expect(await store.clearUnfinished(0)).toBe(1);
    expect(await readdir(folder)).toEqual(["whole.1.mp3"]);
  });

  it("a file that is just coming in is not listed, nor is a folder", async () => {
    const store = await openDiskStore(folder);
    await writeFile(join(folder, "half.1.mp3.partial"), "ha");
    await mkdir(join(folder, "folder.x"));
    expect(await listed(store)).toEqual([]);
  });

  it.runIf(hasOtherDisk)(
    "a file from another disk that cannot be named leaves no half behind, and stays where it was",
    async () => {
      const store = await openDiskStore(folder);
      const source = join(await newFolder(OTHER_DISK), randomUUID());
      await writeFile(source, "bytes");
      // Something that is no file stands where the file should go.
      await mkdir(join(folder, "a.1.mp3"));
      await expect(store.put("a.1.mp3", source)).rejects.toMatchObject({ code: "storage" });
      expect(await readdir(folder)).toEqual(["a.1.mp3"]);
      expect(await readFile(source, "utf8")).toBe("bytes");
    },
  );

  it("a folder that has vanished is a failure of storage", async () => {
    const store = await openDiskStore(folder);
    const source = join(await newFolder(), "source");
    await writeFile(source, "bytes");
    await rm(folder, { recursive: true });
    await expect(store.put("a.1.mp3", source)).rejects.toMatchObject({ code: "storage" });
  });
});
