/** Folders of tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/** @returns a new folder, which is removed after the tests of the file */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-test-"));
  folders.push(folder);
  return folder;
}

/** Called after each test file. */
export async function removeTestFolders(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}
