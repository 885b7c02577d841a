/**
 * Marks a database into which a backup is being restored. A restore that was killed leaves the mark, and no server
 * starts on half of a database.
 */
import type { mongo } from "mongoose";

interface UnfinishedRestore {
  _id: "restore";
  /** Folder of the backup. */
  backup: string;
  startedAt: Date;
}

const marksIn = (database: mongo.Db) => database.collection<UnfinishedRestore>("unfinished_restores");

export async function markRestore(database: mongo.Db, backup: string): Promise<void> {
  const change = { $set: { backup, startedAt: new Date() } };
  await marksIn(database).updateOne({ _id: "restore" }, change, { upsert: true });
}

export async function unmarkRestore(database: mongo.Db): Promise<void> {
  await marksIn(database).drop();
}

/** @returns the folder of the backup; null when no restore has begun, or the last one is complete */
export async function findUnfinishedRestore(database: mongo.Db): Promise<string | null> {
  return (await marksIn(database).findOne({ _id: "restore" }))?.backup ?? null;
}
