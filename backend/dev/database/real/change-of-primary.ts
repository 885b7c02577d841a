/**
 * Changes of the primary while a job runs: every command is refused with a code that MongoDB gives during an election or
 * when a server stops, until a new primary is there. It is played by a fail point.
 */
import { join } from "node:path";
import mongoose from "mongoose";
import { databaseUri } from "../embedded-database.ts";
import { passOutage, type Outage } from "../../outages/outage.ts";
import { linkSharedFolders } from "../../product/data-folder.ts";
import { startProduct } from "../../product/product.ts";
import type { ToolPaths } from "../../setup/tools.ts";
import { ONE_ADDRESS_LIMITS } from "../../wide-limits.ts";

/** Codes of MongoDB. */
const CODES = {
  10_107: "NotWritablePrimary",
  189: "PrimarySteppedDown",
  11_602: "InterruptedDueToReplStateChange",
  91: "ShutdownInProgress",
};
/** About as long as an election takes by default: 10 s until the loss counts, 2 s to vote. */
const SECONDS = 12;
/** All that the server sends, besides `hello`. */
const COMMANDS =
  "aggregate count createIndexes delete distinct find findAndModify getMore insert listIndexes ping update";

/**
 * Runs a server whose database changes its primary, once for each code, and prints a line about each.
 * @param uri of a database with fail points
 * @returns the number of faults
 */
export async function changePrimary(
  uri: string,
  { folder, tools, report }: { folder: string; tools: ToolPaths; report: (line: string) => void },
): Promise<number> {
  await using started = new AsyncDisposableStack();
  const admin = await mongoose.createConnection(uri).asPromise();
  started.defer(() => admin.close());
  const product = await startProduct({
    dataDir: await linkSharedFolders(join(folder, "server")),
    tools,
    settings: ONE_ADDRESS_LIMITS,
    env: { MONGODB_URI: databaseUri(uri, "change-of-primary") },
  });
  started.defer(() => product.stop());
  let faultCount = 0;
  for (const [code, name] of Object.entries(CODES)) {
    const { line, faults } = await passOutage(product, refusal(admin, Number(code), name), tools.ffmpegPath);
    report(`${faults.length === 0 ? "ok   " : "FAULT"} ${line}`);
    for (const fault of faults) report(`      ${fault}`);
    faultCount += faults.length;
  }
  return faultCount;
}

function refusal(admin: mongoose.Connection, errorCode: number, name: string): Outage {
  const setFailPoint = async (mode: "alwaysOn" | "off"): Promise<void> => {
    const data = { failCommands: COMMANDS.split(" "), errorCode };
    await admin.db?.admin().command({ configureFailPoint: "failCommand", mode, data });
  };
  return {
    name: `${name} (${errorCode})`,
    seconds: SECONDS,
    calls: "refused",
    begin: () => setFailPoint("alwaysOn"),
    end: () => setFailPoint("off"),
  };
}
