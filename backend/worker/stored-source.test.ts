import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import { openDiskStore } from "../storage/disk-store.ts";
import { findStoredSource } from "./stored-source.ts";

const folder = await testFolder();
const store = await openDiskStore(join(folder, "files"));
const GONE = expect.objectContaining({ code: "unavailable", reason: { name: "file_gone" }, isTransient: false });

async function put(fileKey: string): Promise<void> {
  const path = join(folder, fileKey);
  await writeFile(path, "sound");
  await store.put(fileKey, path);
}

it("is a copy of the file, which stays", async () => {
  await put("a.1.mp3");
  const part = { startSeconds: 1, endSeconds: 9 };
  const source = await findStoredSource(store, { fileKey: "a.1.mp3", part });
  expect(source).toMatchObject({ sizeBytes: 5, part });
  await source.copyTo(join(folder, "copy"));
  expect(await readFile(join(folder, "copy"), "utf8")).toBe("sound");
  expect(await store.stat("a.1.mp3")).not.toBeNull();
});

it("follows no link that was left at its path", async () => {
  await put("c.1.mp3");
  await expect(findStoredSource(store, { fileKey: "c.1.mp3" }).then(({ copyTo }) => copyTo(folder))).rejects.toThrow(
    "EEXIST",
  );
});

it("says what to do when the file was deleted, before or while it is looked for", async () => {
  await expect(findStoredSource(store, { fileKey: "b.1.mp3" })).rejects.toThrow(GONE);
  await put("b.1.mp3");
  const source = await findStoredSource(store, { fileKey: "b.1.mp3" });
  await store.remove("b.1.mp3");
  await expect(source.copyTo(join(folder, "gone"))).rejects.toThrow(GONE);
});
