/** Whether code and database belong together; looked at once, when a process starts. */
import type { Connection } from "mongoose";
import { databaseOf } from "../domain/database/database-of.ts";
import { ConfigError } from "../config/config.ts";
import { migrate, readDatabaseVersion } from "../domain/migrations/migrate.ts";
import { CODE_VERSION } from "../domain/migrations/migrations.ts";

/**
 * Changes the database where nobody else can be in the way: while it is empty, and for a process
 * that is alone.
 * @param isAlone no other process works on this database
 * @returns what an operator should know, if there is something
 * @throws ConfigError when the database is older than the code and others may be at work on it
 */
export async function fitDatabase(connection: Connection, isAlone: boolean): Promise<string | null> {
  const db = databaseOf(connection);
  const version = await readDatabaseVersion(db);
  if (version > CODE_VERSION)
    return `The database is at version ${version} and this code was written for ${CODE_VERSION}: fine while an upgrade is under way, otherwise this process should be of the newer code`;
  if (version === CODE_VERSION) return null;
  const isEmpty =
    version === 0 &&
    (await db.collection("users").findOne({}, { projection: { _id: 1 } })) === null &&
    (await db.collection("jobs").findOne({}, { projection: { _id: 1 } })) === null;
  if (!isAlone && !isEmpty)
    throw new ConfigError(
      `The database is at version ${version} and this code needs ${CODE_VERSION}: run \`npm run migrate\` once; processes of the older code may go on meanwhile`,
    );
  await migrate(db);
  return null;
}
