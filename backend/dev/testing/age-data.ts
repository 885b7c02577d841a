/** Makes stored data older, as if the clock had moved on: all dates of a database, and the times of files. */
import { readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Connection, mongo } from "mongoose";
import { databaseOf } from "../../domain/database/database-of.ts";

/** Documents of all collections, by the name of the collection. */
export async function readAllDocuments(connection: Connection): Promise<Map<string, mongo.Document[]>> {
  const database = databaseOf(connection);
  const names = (await database.listCollections().toArray()).map(({ name }) => name).toSorted();
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, mongo.Document[]]> => [
        name,
        await database.collection(name).find().toArray(),
      ]),
    ),
  );
}

/** @param except collections that keep their dates */
export async function ageDatabase(
  connection: Connection,
  byMs: number,
  except: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const [name, documents] of await readAllDocuments(connection)) {
    if (except.has(name)) continue;
    const collection = databaseOf(connection).collection(name);
    for (const document of documents)
      await collection.updateOne({ _id: document["_id"] as mongo.ObjectId }, { $set: earlierDates(document, byMs) });
  }
}

/** @returns the top-level fields that contain a date, with all their dates moved back */
function earlierDates(document: mongo.Document, byMs: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document).flatMap(([field, value]: [string, unknown]) => {
      const moved = earlier(value, byMs);
      return moved === value ? [] : [[field, moved]];
    }),
  );
}

/** @returns the same value if it contains no date */
function earlier(value: unknown, byMs: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() - byMs);
  if (Array.isArray(value)) {
    const moved = value.map((item) => earlier(item, byMs));
    return moved.some((item, index) => item !== value[index]) ? moved : value;
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const changes = earlierDates(value, byMs);
  return Object.keys(changes).length > 0 ? { ...value, ...changes } : value;
}

/** Paths of all files and folders below a folder, folders after what is in them. */
export async function listFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.toSorted((a, b) => b.length - a.length);
}

export async function ageFolder(folder: string, byMs: number): Promise<void> {
  for (const name of await listFolder(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    const earlierTime = new Date(mtimeMs - byMs);
    await utimes(path, earlierTime, earlierTime);
  }
}
