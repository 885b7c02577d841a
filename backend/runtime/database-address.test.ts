import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../dev/testing/test-folder.ts";
import { readDatabaseAddress, writeDatabaseAddress } from "./database-address.ts";

it("is in a file that its owner alone reads, also where a killed server left an open one", async () => {
  const dataDir = await testFolder();
  const file = join(dataDir, "database-address");
  await writeFile(file, "mongodb://left.example/\n", { mode: 0o644 });
  const remove = await writeDatabaseAddress(dataDir, "mongodb://tapedeck:password@127.0.0.1:1/");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readDatabaseAddress(dataDir)).toBe("mongodb://tapedeck:password@127.0.0.1:1/");
  await remove();
  expect(await readDatabaseAddress(dataDir)).toBeNull();
});
