import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../../testing/test-folder.ts";
import { loadProviderKeys } from "./keys.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await testFolder();
});

it("returns the same keys at every start", async () => {
  expect(await loadProviderKeys(dataDir)).toEqual(await loadProviderKeys(dataDir));
});

it.each([0, 0.5, 0.99])("rejects a file that was cut to %f of its length, and says what to do", async (part) => {
  await loadProviderKeys(dataDir);
  const file = join(dataDir, "identity-provider.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.slice(0, Math.floor(text.length * part)));
  await expect(loadProviderKeys(dataDir)).rejects.toMatchObject({
    name: "SetUpError",
    message: expect.stringContaining(`run \`rm ${file}\``),
  });
});
