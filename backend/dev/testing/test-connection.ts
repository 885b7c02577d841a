/** Connections to a database of a test's own. */
import { randomUUID } from "node:crypto";
import mongoose, { type Connection } from "mongoose";
import { inject } from "vitest";
import { databaseUri } from "../database/embedded-database.ts";

/** @returns the URI of a database with a random name, or with the given one */
export function testDatabaseUri(name = `test-${randomUUID()}`): string {
  return databaseUri(inject("mongodbUri"), name);
}

/** @returns a connection to a new database; end it with {@link dropDatabase} */
export function connectToNewDatabase(): Promise<Connection> {
  return mongoose.createConnection(testDatabaseUri()).asPromise();
}

/** Removes the database and closes its connection. */
export async function dropDatabase(connection: Connection): Promise<void> {
  await connection.dropDatabase();
  await connection.close();
}
