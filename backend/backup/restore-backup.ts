/** Restores a backup into a database and a data folder that no server uses. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { mongo } from "mongoose";
import { DAY_MS } from "../../common/durations.ts";
import { TOMBSTONE_DAYS } from "../../common/retention-policy.ts";
import type { AccountTombstone } from "../domain/accounts/tombstones.ts";
import { findUnfinishedRestore, markRestore, unmarkRestore } from "../domain/database/unfinished-restore.ts";
import { planReadBackOfAll } from "../domain/billing/read-back/reconcile.ts";
import type { Domain } from "../domain/domain.ts";
import { revokeFileLinks } from "../domain/jobs/file-links.ts";
import { migrate } from "../domain/migrations/migrate.ts";
import { revokeAllOperators } from "../domain/operator/operators.ts";
import { CODE_VERSION } from "../domain/migrations/migrations.ts";
import type { FileStore } from "../storage/file-store.ts";
import { BackupError, explainDiskError } from "./backup-error.ts";
import type { Backup } from "./backup-folder.ts";
import { collectTombstones, replayDeletions } from "./deletions.ts";
import { clearDatabase, findData, restoreCollections } from "./restore-collections.ts";
import { expireJobsWithoutFile, findOtherKeys, restoreDataFiles, restoreFiles } from "./restore-files.ts";
import { appendTombstones } from "./tombstone-file.ts";
import { verifyBackup } from "./verify-backup.ts";

export interface RestoreTarget {
  readonly database: mongo.Db;
  readonly dataDir: string;
  readonly store: FileStore;
  /** Creates the collections with their indexes, and opens the domain on them. */
  readonly openDomain: () => Promise<Domain>;
}

export interface RestoreResult {
  readonly jobsWithoutFile: number;
  readonly deletedAccounts: number;
}

/**
 * Checks the whole backup before it changes anything.
 * @throws BackupError when the backup is damaged, too old, or made by a newer version
 */
export async function checkBackup({ folder, manifest }: Backup, now: Date = new Date()): Promise<void> {
  if (manifest.databaseVersion > CODE_VERSION)
    throw new BackupError(
      `${folder} has a database of version ${manifest.databaseVersion}, and this code knows ${CODE_VERSION}: ` +
        "restore it with the version of Tapedeck that made it.",
    );
  if (now.getTime() - manifest.createdAt.getTime() >= TOMBSTONE_DAYS * DAY_MS)
    throw new BackupError(
      `${folder} is older than ${TOMBSTONE_DAYS} days: it is not known any more which accounts were deleted since, ` +
        "so it cannot be restored.",
    );
  await verifyBackup(folder, manifest);
}

/**
 * Puts the backup in the place of what is there, then migrates it and deletes the accounts again that were deleted
 * since. Jobs that were running start over, and all visitors are signed out.
 * @param backup was checked by {@link checkBackup}
 * @param isReplacing whether present data may go
 * @throws BackupError when there is present data that must stay; nothing is changed then
 */
export async function restoreBackup(
  backup: Backup,
  target: RestoreTarget,
  isReplacing: boolean,
): Promise<RestoreResult> {
  const { database, dataDir } = target;
  // What an unfinished restore has left is replaced in any case.
  const isUnfinished = (await findUnfinishedRestore(database)) !== null;
  if (!isReplacing && !isUnfinished) await requireEmpty(backup, target);
  const tombstones = await collectTombstones({ database, dataDir, backup: backup.folder });
  try {
    // Before the database is cleared: a restore that is killed must not lose them.
    await appendTombstones(dataDir, tombstones);
    await markRestore(database, backup.folder);
    const result = await replace(backup, target, tombstones);
    await unmarkRestore(database);
    return result;
  } catch (error) {
    throw explainDiskError(error, dataDir, "the restore is not finished, and no server starts on it");
  }
}

async function replace(
  { folder, manifest }: Backup,
  { database, dataDir, store, openDomain }: RestoreTarget,
  tombstones: readonly AccountTombstone[],
): Promise<RestoreResult> {
  await restoreFiles(store, dataDir, folder, manifest);
  await restoreDataFiles(dataDir, folder, manifest);
  await clearDatabase(database);
  const domain = await openDomain();
  await restoreCollections(database, folder, manifest, new Set(tombstones.map(({ _id }) => _id)));
  await migrate(database);
  // One of these may have been revoked since.
  await revokeAllOperators(domain);
  await revokeFileLinks(domain);
  const jobsWithoutFile = await expireJobsWithoutFile(domain, store);
  const deletedAccounts = await replayDeletions(domain, tombstones);
  await planReadBackOfAll(database);
  return { jobsWithoutFile, deletedAccounts };
}

/** @throws BackupError that names what is there */
async function requireEmpty({ folder, manifest }: Backup, { database, dataDir }: RestoreTarget): Promise<void> {
  const collection = await findData(database);
  const keys = await findOtherKeys(dataDir, folder, manifest);
  const existing =
    collection !== null
      ? `the database has ${collection}`
      : (await hasFiles(dataDir))
        ? `${path.join(dataDir, "files")} has files`
        : keys !== null && `${path.join(dataDir, keys)} has other keys`;
  if (existing === false) return;
  throw new BackupError(
    `A restore would replace present data: ${existing}. Nothing was changed; add --replace to go on.`,
  );
}

async function hasFiles(dataDir: string): Promise<boolean> {
  const names = await readdir(path.join(dataDir, "files")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.length > 0;
}
