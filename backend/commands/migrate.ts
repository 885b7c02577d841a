/**
 * The operator's `npm run migrate`: migrates the database to the version of this code and creates missing indexes. It
 * runs before the first process of a new version starts; processes of the old version may go on meanwhile.
 */
import { databaseOf } from "../domain/database/database-of.ts";
import { readConfig } from "../config/config.ts";
import { connectToSite } from "./connect-to-site.ts";
import { openModels } from "../domain/database/models.ts";
import { migrate, readDatabaseVersion } from "../domain/migrations/migrate.ts";
import { printLine, runCommand } from "./run-command.ts";

async function migrateDatabase(): Promise<void> {
  // A server needs more variables, but this command must run without them.
  const { MONGODB_URI, DATA_DIR } = process.env;
  const config = readConfig({ MONGODB_URI, DATA_DIR });
  const connection = await connectToSite(config);
  try {
    const db = databaseOf(connection);
    await migrate(db, { report: printLine });
    // Creates missing indexes without blocking other processes.
    await openModels(connection);
    printLine(`The database is at version ${await readDatabaseVersion(db)} and has the indexes of its models`);
  } finally {
    await connection.close();
  }
}

await runCommand(migrateDatabase);
