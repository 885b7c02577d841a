/**
 * The operator's `npm run restore`: restores the newest backup of the data folder, or the one whose folder is named, into
 * an empty database and data folder. `--replace` replaces what is there. `--deletions-only` restores nothing: it deletes
 * the accounts again that another tool has brought back, and lets all customers be read back. No server may run
 * meanwhile.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { BackupError } from "../backup/backup-error.ts";
import { newestBackup, type Backup } from "../backup/backup-folder.ts";
import { collectTombstones, replayDeletions } from "../backup/deletions.ts";
import { readManifest } from "../backup/manifest.ts";
import { checkBackup, restoreBackup } from "../backup/restore-backup.ts";
import { ConfigError, type Config } from "../config/config.ts";
import { planReadBackOfAll } from "../domain/billing/read-back/reconcile.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import { claimDatabase } from "../runtime/process-claim.ts";
import { openStore } from "../runtime/parts/open-store.ts";
import { openWithoutServer, readSiteConfig } from "./open-site.ts";
import { openRestoredDomain } from "./restored-domain.ts";
import { printLine, runCommand } from "./run-command.ts";

interface Options {
  /** Folder of the backup; undefined: the newest one of the data folder. */
  readonly given: string | undefined;
  readonly isReplacing: boolean;
  readonly isDeletionsOnly: boolean;
}

async function restore(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const config = readSiteConfig();
  const backup = options.isDeletionsOnly ? null : await findBackup(config, options.given);
  // Before anything is opened: a damaged backup changes nothing.
  if (backup) await checkBackup(backup);
  await using opened = new AsyncDisposableStack();
  const connection = await openWithoutServer(config, opened);
  const claim = await claimDatabase(connection, {
    holder: `restore:${randomUUID()}`,
    isSingleProcess: true,
    leaseMs: config.settings.domain.leaseMs,
    onError: (error) => printLine(`The claim of the database could not be renewed: ${String(error)}`),
  });
  opened.defer(() => claim.release());
  const { dataDir } = config;
  const database = databaseOf(connection);
  const store = await openStore(config, opened);
  const openDomain = () => openRestoredDomain(connection, config, store);
  if (!backup) {
    const count = await replayDeletions(await openDomain(), await collectTombstones({ database, dataDir }));
    await planReadBackOfAll(database);
    return printLine(`Accounts that were deleted again: ${count}.`);
  }
  const work = restoreBackup(backup, { database, dataDir, store, openDomain }, options.isReplacing);
  const { jobsWithoutFile, deletedAccounts } = await Promise.race([work, claim.lost]);
  printLine(
    `${backup.folder} is restored. Accounts that were deleted again: ${deletedAccounts}. ` +
      `Jobs without their file, which count as expired: ${jobsWithoutFile}. Start the server now.`,
  );
}

/** @throws ConfigError for unknown arguments */
function readOptions(argv: readonly string[]): Options {
  const flags = argv.filter((word) => word.startsWith("-"));
  const folders = argv.filter((word) => !word.startsWith("-"));
  const isKnown = flags.every((flag) => flag === "--replace" || flag === "--deletions-only");
  if (!isKnown || folders.length > 1)
    throw new ConfigError("Usage: npm run restore -- [FOLDER OF A BACKUP] [--replace | --deletions-only]");
  return {
    given: folders[0],
    isReplacing: flags.includes("--replace"),
    isDeletionsOnly: flags.includes("--deletions-only"),
  };
}

async function findBackup({ dataDir }: Config, given: string | undefined): Promise<Backup> {
  if (given === undefined) return newestBackup(path.join(dataDir, "backups"));
  const folder = path.resolve(given);
  return { folder, manifest: await readManifest(folder) };
}

await runCommand(
  restore,
  (error) => error instanceof BackupError || (error instanceof Error && error.name === "SetUpError"),
);
