import type { Connection } from "mongoose";
import { ConfigError, type Config } from "../config/config.ts";
import { readDatabaseAddress } from "../runtime/database-address.ts";
import { connectToDatabase } from "../runtime/database.ts";

/**
 * Connects to the database of a site, beside a server that may run.
 * @throws ConfigError when none is known
 */
export async function connectToSite({ env, dataDir }: Config): Promise<Connection> {
  const uri = env.MONGODB_URI ?? (await readDatabaseAddress(dataDir));
  if (uri === null)
    throw new ConfigError("There is no database to work on: start the server first, or set MONGODB_URI");
  return connectToDatabase(uri);
}
