/** What the operator's commands of backups say when they cannot do it. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runBackupCommand, runOnDataOf } from "../dev/testing/backup-commands.ts";
import { startTestServer, type TestServer } from "../dev/testing/test-server.ts";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({ hasExtractor: false });
  folder = await mkdtemp(path.join(tmpdir(), "full-"));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

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
