import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import type { Work } from "../pipeline.ts";
import { splitMovies } from "./split-movies.ts";

const folder = await testFolder();

const box = (type: string, content = ""): string =>
  `${String.fromCharCode(0, 0, 0, 8 + content.length)}${type}${content}`;
const movie = (content: string): string => box("ftyp", "iso6") + box("moov") + box("moof") + box("mdat", content);

async function split(bytes: string, minFreeDiskBytes = 0): Promise<string[]> {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, bytes, "latin1");
  const work = { pipeline: { limits: { minFreeDiskBytes } }, signal: new AbortController().signal } as unknown as Work;
  const paths = await splitMovies(work, path);
  const beside = (await readdir(folder)).filter((name) => join(folder, name).startsWith(path));
  expect(beside.map((name) => join(folder, name)).toSorted()).toEqual(paths.toSorted());
  return Promise.all(paths.map((one) => readFile(one, "latin1")));
}

it.each([
  ["a single one", [movie("a")]],
  ["three", [movie("a"), movie("ftyp"), movie("c") + box("moof")]],
  ["the last one cut off", [movie("a"), movie("bbbb").slice(0, -3)]],
])("splits a file where each movie begins: %s", async (_, movies) => {
  expect(await split(movies.join(""))).toEqual(movies);
});

it.each([
  ["another kind of file", "\u0047".repeat(400)],
  ["an empty one", ""],
])("leaves %s as it is", async (_, bytes) => {
  expect(await split(bytes)).toEqual([bytes]);
});

it("refuses more movies than tools may be started for", async () => {
  expect(await split(movie("a").repeat(500))).toHaveLength(500);
  await expect(split(movie("a").repeat(501))).rejects.toMatchObject({ code: "too_large" });
});

it("keeps the space of the disk that must stay free", async () => {
  await expect(split(movie("a").repeat(2), Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: "storage" });
});
