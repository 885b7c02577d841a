import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import { wrongPluginFolder } from "./plugin-folder.ts";

let root: string;
let folder: string;
let inner: string;
let plugin: string;
beforeEach(async () => {
  root = await testFolder();
  folder = path.join(root, "plugins");
  inner = path.join(folder, "own", "yt_dlp_plugins", "extractor");
  plugin = path.join(inner, "own.py");
  await mkdir(inner, { recursive: true, mode: 0o755 });
  await writeFile(plugin, "", { mode: 0o644 });
});

it("accepts a tree that only its owner may write to, and a ring of links in it", async () => {
  await symlink(folder, path.join(inner, "ring"));
  expect(await wrongPluginFolder(folder)).toBeUndefined();
});

it.each<[string, () => Promise<void>, RegExp]>([
  ["a file that all may write to", () => chmod(plugin, 0o646), /every user of this machine may write to .*own\.py/],
  ["a folder that all may write to", () => chmod(inner, 0o777), /every user of this machine may write to .*extractor/],
  ["a file that a group may write to", () => chmod(plugin, 0o664), /a group of users may write to .*own\.py/],
  ["the top, if a group may write to it", () => chmod(folder, 0o775), /a group of users may write to/],
  ["a pipe", () => Promise.resolve(void execFileSync("mkfifo", [path.join(inner, "pipe")])), /neither a file nor/],
  ["a link that leads to nothing", () => symlink("/no/such/file", path.join(inner, "link")), /ENOENT/],
])("refuses a folder with %s", async (_what, spoil, sentence) => {
  await spoil();
  expect(await wrongPluginFolder(folder)).toMatch(sentence);
});

it("refuses what a link leads to", async () => {
  const elsewhere = path.join(root, "elsewhere");
  await mkdir(elsewhere);
  await chmod(elsewhere, 0o777);
  await symlink(elsewhere, path.join(folder, "linked"));
  expect(await wrongPluginFolder(folder)).toMatch(/every user of this machine may write to .*linked/);
});

// Only root may give a file away.
it.runIf(process.geteuid?.() === 0)("refuses a file of another user", async () => {
  await chown(plugin, 12_345, 12_345);
  expect(await wrongPluginFolder(folder)).toMatch(/own\.py.* belongs to another user/);
});
