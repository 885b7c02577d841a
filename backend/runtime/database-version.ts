import type { Connection } from "mongoose";
import { databaseOf } from "../domain/database/database-of.ts";
import { findUnfinishedRestore } from "../domain/database/unfinished-restore.ts";
import { ConfigError } from "../config/config.ts";
import { migrate, readDatabaseVersion } from "../domain/migrations/migrate.ts";
import { CODE_VERSION } from "../domain/migrations/migrations.ts";

/**
 * Checks at the start that the database has the version of this code. Migrates it if no other process can be using it:
 * when it is empty, or when this process runs alone.
 * @param isSingleProcess no other process uses this database
 * @returns a warning for the operator, or null
 * @throws ConfigError when the database is older than the code and other processes may be using it, or when it is only
 *   half restored
 */
export async function checkDatabaseVersion(connection: Connection, isSingleProcess: boolean): Promise<string | null> {
  const db = databaseOf(connection);
  const backup = await findUnfinishedRestore(db);
  if (backup !== null)
    throw new ConfigError(`The restore of ${backup} was interrupted: run \`npm run restore -- ${backup}\` again`);
  const version = await readDatabaseVersion(db);
  if (version > CODE_VERSION)
    return (
      `The database is at version ${version} and this code was written for ${CODE_VERSION}: ` +
      "fine while an upgrade is under way, otherwise this process should be of the newer code"
    );
  if (version === CODE_VERSION) return null;
  const isEmpty =
    version === 0 &&
    (await db.collection("users").findOne({}, { projection: { _id: 1 } })) === null &&
    (await db.collection("jobs").findOne({}, { projection: { _id: 1 } })) === null;
  if (!isSingleProcess && !isEmpty)
    throw new ConfigError(
      `The database is at version ${version} and this code needs ${CODE_VERSION}: run \`npm run migrate\` once; ` +
        "processes of the older code may go on meanwhile",
    );
  await migrate(db);
  return null;
}
