/** What the operator's commands of backups say when they cannot do it. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { runBackupCommand, runOnDataOf } from "../dev/testing/backup-commands.ts";
import { startTestServer } from "../dev/testing/test-server.ts";
import { testFolder } from "../dev/testing/test-folder.ts";

const folder = await testFolder();
const server = await ofFile(startTestServer({ hasExtractor: false }));

it("says in a sentence that the disk is full, or that the folder is missing, and leaves nothing", async () => {
  // Files of this process may have 1,024 bytes; the lock of the folder needs none.
  const limited = `ulimit -f 1; exec "${process.execPath}" backend/commands/backup.ts "${folder}"`;
  const { isOk, output } = await runOnDataOf(server, "bash", ["-c", limited]);
  expect({ isOk, output }).toEqual({
    isOk: false,
    output: `The disk of ${folder} is full (EFBIG), so no backup was made; free some space and try again.\n`,
  });
  expect((await readdir(folder)).filter((name) => name !== ".lock")).toEqual([]);
  const missing = path.join(folder, "missing");
  expect(await runBackupCommand(server, "backup", missing)).toEqual({
    isOk: false,
    output: `${missing} must be a folder: make it, or mount its disk\n`,
  });
});
