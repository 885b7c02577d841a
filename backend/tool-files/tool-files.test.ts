import { execFile } from "node:child_process";
import { chown, mkdir, readdir, readFile as read, stat, symlink, truncate, writeFile as write } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import {
  copyFile,
  createFile,
  moveFile,
  openFile,
  openToChange,
  readFile,
  RefusedFile,
  removeFile,
  sizeOf,
  sizeOrZero,
  writeFile,
} from "./tool-files.ts";

let root: string;
/** Of a tool. */
let folder: string;
let path: string;
let other: string;

beforeEach(async () => {
  root = await testFolder();
  folder = join(root, "job");
  await mkdir(folder);
  path = join(folder, "file");
  other = join(folder, "other");
  await write(other, "other");
  await write(join(root, "keys"), "secret");
});

const LEFT: Readonly<Record<string, () => Promise<unknown>>> = {
  "a link to a secret": () => symlink("../keys", path),
  "a link to nothing": () => symlink("../made", path),
  "a pipe": () => promisify(execFile)("mkfifo", [path]),
  "a folder": () => mkdir(path),
};

const USES: Readonly<Record<string, () => Promise<unknown>>> = {
  openFile: () => openFile(path),
  openToChange: () => openToChange(path),
  createFile: () => createFile(path),
  readFile: () => readFile(path, 100),
  writeFile: () => writeFile(path, "new"),
  sizeOf: () => sizeOf(path),
  sizeOrZero: () => sizeOrZero(path),
  "copyFile from": () => copyFile(path, join(folder, "copy")),
  "copyFile to": () => copyFile(other, path),
  "moveFile from": () => moveFile(path, join(root, "store.mp3")),
};

describe.each(Object.entries(LEFT))("%s in the place of a file", (_left, leave) => {
  it.each(Object.entries(USES))("is refused by %s", async (_name, use) => {
    await leave();
    await expect(use()).rejects.toBeInstanceOf(RefusedFile);
    await expect(use()).rejects.toMatchObject({ code: "internal", detail: expect.stringContaining(path) });
    expect((await readdir(root)).toSorted()).toEqual(["job", "keys"]);
    expect(await read(join(root, "keys"), "utf8")).toBe("secret");
  });
});

it("blocks nothing when more pipes are refused than this process has threads for files", async () => {
  await promisify(execFile)("mkfifo", [path]);
  const refused = Array.from({ length: 32 }, () => openFile(path).catch((error: unknown) => error));
  expect(await readFile(other, 100)).toEqual(Buffer.from("other"));
  for (const error of await Promise.all(refused)) expect(error).toBeInstanceOf(RefusedFile);
});

// Only root may give a file to another user.
it.runIf(process.geteuid?.() === 0)("refuses the file of another user", async () => {
  await chown(other, 65_534, 65_534);
  await expect(openFile(other)).rejects.toBeInstanceOf(RefusedFile);
  await expect(sizeOf(other)).rejects.toBeInstanceOf(RefusedFile);
});

it("refuses a file of more bytes than the caller takes", async () => {
  await truncate(other, 101);
  await expect(readFile(other, 100)).rejects.toBeInstanceOf(RefusedFile);
  await expect(sizeOf(other, 100)).rejects.toBeInstanceOf(RefusedFile);
  expect(await readFile(other, 101)).toHaveLength(101);
});

it("makes a file that only this user may read, also in place of an earlier one", async () => {
  await write(path, "earlier and longer", { mode: 0o644 });
  await writeFile(path, "new");
  expect(await read(path, "utf8")).toBe("new");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it("copies and moves a file, over another one", async () => {
  await copyFile(other, path);
  await moveFile(path, join(root, "keys"));
  expect(await read(join(root, "keys"), "utf8")).toBe("other");
  expect(await readdir(folder)).toEqual(["other"]);
});

it("removes a link and not its target, and no folder", async () => {
  await symlink("../keys", path);
  await removeFile(path);
  await removeFile(path);
  expect(await readdir(folder)).toEqual(["other"]);
  expect(await read(join(root, "keys"), "utf8")).toBe("secret");
  await mkdir(path);
  await expect(removeFile(path)).rejects.toBeInstanceOf(RefusedFile);
});

it("knows a missing file from one that is refused", async () => {
  expect(await sizeOrZero(path)).toBe(0);
  await expect(openFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(sizeOf(path)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(moveFile(path, other)).rejects.toMatchObject({ code: "ENOENT" });
});
