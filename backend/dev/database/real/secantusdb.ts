/** SecantusDB: MongoDB's protocol over WiredTiger, the storage of MongoDB. It is slow, and its planner is simple. */
import path from "node:path";
import { ownPort } from "../../own-port.ts";
import { ServerProcess } from "../../product/server-process.ts";
import { repositoryDataDir } from "../../repository.ts";
import { SECANTUSDB, preparePythonProgram } from "../../setup/python-programs.ts";
import type { RealDatabase, RealDatabaseOptions } from "./real-database.ts";

/**
 * Starts SecantusDB on a free port and waits until it listens.
 * @throws SetUpError when it cannot be installed or ends before it listens
 */
export async function startSecantusdb({ folder, report }: RealDatabaseOptions): Promise<RealDatabase> {
  const program = await preparePythonProgram(SECANTUSDB, { dataDir: repositoryDataDir(), report });
  const port = await ownPort();
  const where = ["--host", "127.0.0.1", "--port", String(port), "--storage-path", path.join(folder, "secantusdb")];
  const server = new ServerProcess({
    name: "SecantusDB",
    command: [program, ...where, "--enable-test-commands"],
    ready: /secantus listening on/,
  });
  await server.start();
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    description: "SecantusDB",
    brokenTests: [],
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
