/** Writes a backup of a site while its server runs. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { mongo } from "mongoose";
import { readDatabaseVersion } from "../domain/migrations/migrate.ts";
import { BackupError, explainDiskError } from "./backup-error.ts";
import { makeBackup, nameBackup, type Backup } from "./backup-folder.ts";
import { pathsIn, readManifest, writeManifest } from "./manifest.ts";
import { listCollections, saveCollection, type NamedFiles } from "./save-collections.ts";
import { saveDataFiles, saveFiles } from "./save-files.ts";

export interface BackupSource {
  readonly database: mongo.Db;
  readonly dataDir: string;
  /** Folder of the finished files; null when they are in S3-compatible storage. */
  readonly filesFolder: string | null;
  /** Removes the draft and stops with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Reads the database first and then copies the files that its jobs name. So every completed job has its file in the
 * backup, unless the file was deleted meanwhile; such a job is an expired one after a restore.
 * @param backups folder of backups, whose lock the caller holds
 * @throws BackupError when the disk is full or cannot be written; nothing is left then
 */
export async function writeBackup(backups: string, source: BackupSource): Promise<Backup> {
  const createdAt = new Date();
  try {
    const folder = await makeBackup(backups, nameBackup(createdAt), (draft) => fillDraft(draft, createdAt, source));
    return { folder, manifest: await readManifest(folder) };
  } catch (error) {
    throw explainDiskError(error, backups, "no backup was made");
  }
}

async function fillDraft(
  draft: string,
  createdAt: Date,
  { database, dataDir, filesFolder, signal }: BackupSource,
): Promise<void> {
  const paths = pathsIn(draft);
  for (const folder of [paths.database, paths.files, paths.data]) await mkdir(folder, { mode: 0o700 });
  const databaseVersion = await readDatabaseVersion(database);
  const named: NamedFiles = { files: new Set(), thumbnails: new Set() };
  const collections = [];
  for (const name of await listCollections(database))
    collections.push(await saveCollection(database, name, draft, { named, signal }));
  if (collections.every(({ documents }) => documents === 0))
    throw new BackupError("There is nothing to back up, the database is empty: check MONGODB_URI and DATA_DIR.");
  const saved = filesFolder === null ? null : await saveFiles(path.resolve(filesFolder), named, draft, signal);
  const dataFiles = await saveDataFiles(dataDir, draft);
  await writeManifest(draft, {
    createdAt,
    completedAt: new Date(),
    databaseVersion,
    collections,
    files: saved?.parts ?? null,
    goneFiles: saved?.gone ?? 0,
    dataFiles,
  });
}
