/** The contract of stores, for one whose disk is not that of the temporary files. */
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { openDiskStore } from "./disk-store.ts";
import { describeFileStore } from "./file-store.contract.ts";

/** A file system in memory, which is a second disk on every Linux. */
const OTHER_DISK = "/dev/shm";
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(OTHER_DISK, "tapedeck-store-"));
  folders.push(folder);
  return folder;
}
async function clear(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

describe.runIf(hasOtherDisk)("a disk store on another disk than the temporary files", () => {
  describeFileStore(async () => openDiskStore(await newFolder()), clear);
});
