import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { testFolder } from "../test-folder.ts";
import { KeptFiles } from "./kept-files.ts";

it("makes a file once for a recipe, keeps nothing of a failure, and knows recipes apart", async () => {
  const folder = await testFolder();
  const { ffmpegPath } = inject("toolPaths");
  const path = join(folder, "file");
  const made: string[] = [];
  const put = async (recipe: string, content = recipe): Promise<string> => {
    const files = await KeptFiles.open(folder, ffmpegPath);
    await files.put(["recipe", recipe], path, async () => {
      made.push(recipe);
      if (content === "") throw new Error("not made");
      await writeFile(path, content);
    });
    return readFile(path, "utf8");
  };
  await expect(put("one", "")).rejects.toThrow("not made");
  expect([await put("one"), await put("two"), await put("one")]).toEqual(["one", "two", "one"]);
  expect(made).toEqual(["one", "one", "two"]);
  expect(await readdir(join(folder, "kept-files"))).toHaveLength(2);
});
