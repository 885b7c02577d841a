import type { Connection } from "mongoose";

/**
 * @returns the database that a connection is open to
 * @throws Error when the connection is not open
 */
export function databaseOf(connection: Connection): NonNullable<Connection["db"]> {
  if (!connection.db) throw new Error("the database connection is not open");
  return connection.db;
}
