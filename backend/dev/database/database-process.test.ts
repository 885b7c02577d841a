import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../testing/test-folder.ts";
import { startDatabaseProcess } from "./database-process.ts";

it.each([
  ["kill -ILL $$", "ended with SIGILL, as a MongoDB from 5 on does where the processor has no AVX"],
  ["echo no space left; exit 3", "ended with 3: no space left"],
])("says why a database does not start: %s", async (script, reason) => {
  const folder = await testFolder();
  const started = startDatabaseProcess({
    kind: "mongod",
    command: ["sh", "-c", script],
    folder,
    pidFile: join(folder, "pid"),
    password: "secret",
  });
  await expect(started).rejects.toMatchObject({ name: "SetUpError", message: expect.stringContaining(reason) });
});
