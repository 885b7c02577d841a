/**
 * The operator's `npm run migrate`: brings the database to what this code expects and makes missing
 * indexes. Run before the first process of a new version; those of the old one may go on meanwhile.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { databaseOf } from "../domain/database/database-of.ts";
import { ConfigError, readConfig } from "../config/config.ts";
import { readDatabaseAddress } from "../runtime/database-address.ts";
import { connectToDatabase } from "../runtime/database.ts";
import { openModels } from "../domain/database/models.ts";
import { migrate, readDatabaseVersion } from "../domain/migrations/migrate.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const report = (line: string) => process.stdout.write(`${line}\n`);

async function run(): Promise<void> {
  if (existsSync(join(ROOT, ".env"))) process.loadEnvFile(join(ROOT, ".env"));
  // It needs an address and nothing else of what a server needs.
  const { MONGODB_URI: given, DATA_DIR } = process.env;
  const config = readConfig({
    ...(given === undefined ? {} : { MONGODB_URI: given }),
    ...(DATA_DIR === undefined ? {} : { DATA_DIR }),
  });
  const uri = config.env.MONGODB_URI ?? (await readDatabaseAddress(config.dataDir));
  if (uri === null)
    throw new ConfigError("There is no database to work on: set MONGODB_URI, or start the server first");
  const connection = await connectToDatabase(uri);
  try {
    const db = databaseOf(connection);
    await migrate(db, { report });
    // Made while others read and write; one that is there already is left alone.
    await openModels(connection);
    report(`The database is at version ${await readDatabaseVersion(db)} and has the indexes of its models`);
  } finally {
    await connection.close();
  }
}

try {
  await run();
} catch (error) {
  const text =
    error instanceof ConfigError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
