/** The operator's commands of backups, as processes on the data of a server. */
import { execFile } from "node:child_process";
import { REPOSITORY_ROOT } from "../repository.ts";
import type { TestServer } from "./test-server.ts";

export interface CommandEnd {
  readonly isOk: boolean;
  readonly output: string;
}

export async function runBackupCommand(
  server: TestServer,
  command: "backup" | "restore",
  ...args: string[]
): Promise<CommandEnd> {
  return runOnDataOf(server, process.execPath, [`backend/commands/${command}.ts`, ...args]);
}

export function runOnDataOf(server: TestServer, program: string, args: readonly string[]): Promise<CommandEnd> {
  const env = { ...process.env, MONGODB_URI: server.mongodbUri, DATA_DIR: server.config.dataDir };
  return new Promise((done) => {
    execFile(program, args, { cwd: REPOSITORY_ROOT, env }, (error, stdout, stderr) =>
      done({ isOk: error === null, output: `${stdout}${stderr}` }),
    );
  });
}
