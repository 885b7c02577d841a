import { readdir, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import { ConfigError } from "../config/config.ts";
import { loadSessionKeys } from "./session-keys.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await testFolder();
});

it("makes a key once, in a file that only its owner can read", async () => {
  const first = await loadSessionKeys(dataDir);
  expect(first).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(await loadSessionKeys(dataDir)).toEqual(first);
  const { mode } = await stat(path.join(dataDir, "session-keys.json"));
  expect(mode & 0o777).toBe(0o600);
});

it("gives the same keys to all processes that start at the same time, and leaves no drafts", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, async () => await loadSessionKeys(dataDir)));
  expect(new Set(all.flat()).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(["session-keys.json"]);
});

it.each([0, 0.5, 0.95])("says what to do about a file that was cut to %f of its length", async (part) => {
  await loadSessionKeys(dataDir);
  const file = path.join(dataDir, "session-keys.json");
  const { size } = await stat(file);
  await truncate(file, Math.floor(size * part));
  const error: unknown = await loadSessionKeys(dataDir).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toHaveProperty("message", expect.stringContaining(`run \`rm ${file}\``));
});

it("says what to do about a file that holds no keys", async () => {
  await writeFile(path.join(dataDir, "session-keys.json"), "[]");
  await expect(loadSessionKeys(dataDir)).rejects.toThrow(/does not hold session keys: run `rm /);
});
