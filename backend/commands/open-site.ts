/** Opens the data of a site for `npm run backup` and `npm run restore`, whether its server runs or not. */
import type { Connection } from "mongoose";
import { ConfigError, readConfig, type Config } from "../config/config.ts";
import { connectToDatabase } from "../runtime/database.ts";
import { readDatabaseAddress } from "../runtime/database-address.ts";
import { lockDataFolder } from "../runtime/data-folder-lock.ts";
import { tryLockFolder } from "../runtime/folder-lock.ts";
import { printLine } from "./run-command.ts";

/** Variables that say where the data are. A server needs more, but the commands must run without them. */
const NEEDED = /^(?:MONGODB_URI|EMBEDDED_DB|DATA_DIR|S3_\w+)$/;

export function readSiteConfig(): Config {
  return readConfig(Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name))));
}

/**
 * Connects to the database beside a running server. Without `MONGODB_URI` that is the server's own, or, when no server
 * runs, an embedded one that is started for the command.
 * @param opened closed by the caller
 * @throws ConfigError when there is no database to work on
 */
export async function openBesideServer(config: Config, opened: AsyncDisposableStack): Promise<Connection> {
  const { env, dataDir } = config;
  if (env.MONGODB_URI !== undefined) return connect(env.MONGODB_URI, opened);
  const release = await tryLockFolder(dataDir);
  if (release) {
    opened.defer(release);
    return connect(await startEmbedded(config, opened), opened);
  }
  const address = await readDatabaseAddress(dataDir);
  if (address === null)
    throw new ConfigError("The server has no database yet: wait until it is ready, and run the command again");
  return connect(address, opened);
}

/**
 * Connects to the database while no server runs in the data folder.
 * @param opened closed by the caller
 * @throws ConfigError when a server runs there
 */
export async function openWithoutServer(config: Config, opened: AsyncDisposableStack): Promise<Connection> {
  opened.defer(await lockDataFolder(config.dataDir));
  return connect(config.env.MONGODB_URI ?? (await startEmbedded(config, opened)), opened);
}

async function connect(uri: string, opened: AsyncDisposableStack): Promise<Connection> {
  const connection = await connectToDatabase(uri);
  opened.defer(() => connection.close());
  return connection;
}

async function startEmbedded({ env, dataDir }: Config, opened: AsyncDisposableStack): Promise<string> {
  if (process.env["NODE_ENV"] === "production")
    throw new ConfigError("There is no database to work on: set MONGODB_URI");
  const { siteDatabaseUri, startEmbeddedDatabase } = await import("../dev/database/embedded-database.ts");
  const embedded = await startEmbeddedDatabase({ dataDir, kind: env.EMBEDDED_DB, report: printLine });
  opened.defer(() => embedded.stop());
  return siteDatabaseUri(embedded);
}
