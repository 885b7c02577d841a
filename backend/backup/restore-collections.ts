/** Writes the collections of a backup into the database. */
import mongoose, { type mongo } from "mongoose";
import { BackupError } from "./backup-error.ts";
import type { Manifest } from "./manifest.ts";
import { readDocuments } from "./read-documents.ts";
import { LEFT_OUT } from "./save-collections.ts";

type Document = Record<string, unknown>;

const BATCH = 500;
/** Kept when a database is replaced: the lease of the restore itself, and its mark. */
const KEPT: ReadonlySet<string> = new Set(["processes", "unfinished_restores"]);

/** @returns a collection with data that a restore would replace, or null */
export async function findData(database: mongo.Db): Promise<string | null> {
  for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
    if (LEFT_OUT.has(name) || name === "migrations" || name.startsWith("system.")) continue;
    if ((await database.collection(name).findOne({}, { projection: { _id: 1 } })) !== null) return name;
  }
  return null;
}

/** Removes all data, with leases and queues: they are about jobs that go. */
export async function clearDatabase(database: mongo.Db): Promise<void> {
  for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray())
    if (!KEPT.has(name) && !name.startsWith("system.")) await database.dropCollection(name);
}

/**
 * Inserts all documents. The indexes exist already.
 * @param deletedUsers ids of users that are deleted again after this
 * @throws BackupError when a document is refused
 */
export async function restoreCollections(
  database: mongo.Db,
  backup: string,
  { collections }: Manifest,
  deletedUsers: ReadonlySet<string>,
): Promise<void> {
  for (const { name, documents } of collections) {
    let count = 0;
    let batch: Document[] = [];
    const insert = async (): Promise<void> => {
      await insertAll(database.collection(name), batch);
      count += batch.length;
      batch = [];
    };
    for await (const document of readDocuments(backup, name)) {
      batch.push(prepare(name, document, deletedUsers));
      if (batch.length === BATCH) await insert();
    }
    await insert();
    if (count !== documents)
      throw new BackupError(`${name} has ${count} documents in ${backup}, but its manifest says ${documents}.`);
  }
}

/**
 * The documents of a backup were read one after the other, so two of them may hold the same value of a unique index:
 * the second got it from the first between the two reads.
 */
function prepare(collection: string, document: Document, deletedUsers: ReadonlySet<string>): Document {
  // Slots in the limits of an owner. Documents without one count as well.
  if (["jobs", "selections", "follows"].includes(collection)) return without(document, ["place", "networkSlot"]);
  // The same person may have signed in again as a new user.
  if (collection === "users" && deletedUsers.has(String(document["_id"])))
    return { ...document, subject: `deleted:${String(document["_id"])}` };
  return document;
}

async function insertAll(collection: mongo.Collection, documents: readonly Document[]): Promise<void> {
  if (documents.length === 0) return;
  try {
    await collection.insertMany([...documents], { ordered: false });
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError) || collection.collectionName !== "jobs") throw error;
    const failures = [error.writeErrors].flat();
    if (failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    for (const { index } of failures) await insertWithoutRequest(collection, documents[index] ?? {});
  }
}

const DUPLICATE_KEY = 11_000;

/** A job was removed, and the same request made a new one, while the jobs were read. */
async function insertWithoutRequest(collection: mongo.Collection, document: Document): Promise<void> {
  await collection.insertOne(without(document, ["requestKey", "requestKeyHash", "requestDigest"]));
}

function without(document: Document, fields: readonly string[]): Document {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !fields.includes(name)));
}
