/** Copies collections of the database to files, while other processes go on writing. */
import mongoose, { type mongo } from "mongoose";
import type { JobDocument } from "../domain/jobs/job-model.ts";
import { writeChunks } from "./checked-file.ts";
import { pathsIn, type CollectionPart } from "./manifest.ts";

/**
 * Collections that are not part of a backup: leases and queues, which the server makes again from the jobs, and
 * sessions, tokens and feeds, because a restored one would let somebody in whom the user has shut out since, and webhooks,
 * because a restored one would send messages to an address that the user has removed since.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  "sessions",
  "tokens",
  "feeds",
  "webhooks",
  "webhook_deliveries",
  "makers",
  "processes",
  "migration_locks",
  "tickets",
  "billing_tickets",
  "webhook_tickets",
  "file_removals",
  "unfinished_restores",
  // A restored site takes jobs, whatever an operator had set at the time of the backup.
  "operator_switches",
]);

/**
 * There is no snapshot of a database that runs alone, so the order matters. The version first: a migration runs again
 * rather than not at all. Selections before
 * jobs: a link whose job was added meanwhile is found to have one. Jobs before the usage log and users: an entry too many is one that the job has not recorded
 * yet, and no job lacks its user. Follows before jobs too: a video whose job was added meanwhile is found to have one. Tombstones last, so that they name all accounts that were deleted meanwhile.
 */
const FIRST = ["migrations", "selections", "follows", "jobs"];
const LAST = ["usage", "users", "account_tombstones"];

/** @returns names of the collections of a backup, in the order in which they are read */
export async function listCollections(database: mongo.Db): Promise<string[]> {
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const kept = names.filter((name) => !LEFT_OUT.has(name) && !name.startsWith("system.")).toSorted();
  const known = new Set([...FIRST, ...LAST]);
  const inOrder = (wanted: string[]) => wanted.filter((name) => kept.includes(name));
  return [...inOrder(FIRST), ...kept.filter((name) => !known.has(name)), ...inOrder(LAST)];
}

/** The stored files that completed jobs of the backup name. */
export interface NamedFiles {
  readonly files: Set<string>;
  readonly thumbnails: Set<string>;
}

/**
 * Writes every document as BSON, one after the other, as `mongodump` does.
 * @param named gets the file keys of the jobs
 * @throws the signal's reason when aborted
 */
export async function saveCollection(
  database: mongo.Db,
  name: string,
  backup: string,
  { named, signal }: { readonly named: NamedFiles; readonly signal: AbortSignal },
): Promise<CollectionPart> {
  let documents = 0;
  async function* read(): AsyncGenerator<Uint8Array> {
    // By id, so that a document that is changed meanwhile is read once.
    const cursor = database.collection(name).find({}, { raw: true, sort: { _id: 1 } });
    for await (const document of cursor as unknown as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted();
      documents += 1;
      if (name === "jobs") addFiles(mongoose.mongo.BSON.deserialize(document) as JobDocument, named);
      yield document;
    }
  }
  const part = await writeChunks(pathsIn(backup).collection(name), read());
  return { name, documents, ...part };
}

function addFiles({ status, isExpired, fileKey, thumbnailKey }: JobDocument, { files, thumbnails }: NamedFiles): void {
  if (status === "completed" && isExpired !== true && fileKey !== undefined) files.add(fileKey);
  if (thumbnailKey !== undefined) thumbnails.add(thumbnailKey);
}
