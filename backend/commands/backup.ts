/**
 * The operator's `npm run backup`: writes a backup of the site while its server runs, and removes backups that are
 * older than the privacy page says. `npm run backup -- FOLDER` writes it to another folder of backups, such as one on
 * another disk.
 */
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { BackupError } from "../backup/backup-error.ts";
import { removeOldBackups, type Backup } from "../backup/backup-folder.ts";
import { writeBackup } from "../backup/write-backup.ts";
import { ConfigError } from "../config/config.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import { tryLockFolder } from "../runtime/folder-lock.ts";
import { openBesideServer, readSiteConfig } from "./open-site.ts";
import { printLine, runCommand } from "./run-command.ts";

async function backUp(): Promise<void> {
  const config = readSiteConfig();
  const backups = await openBackups(config.dataDir, process.argv[2]);
  await using opened = new AsyncDisposableStack();
  const release = await tryLockFolder(backups);
  if (!release) throw new BackupError(`Another backup is being written to ${backups}: wait until it is complete.`);
  opened.defer(release);
  const connection = await openBesideServer(config, opened);
  const backup = await writeBackup(backups, {
    database: databaseOf(connection),
    dataDir: config.dataDir,
    filesFolder: config.s3 ? null : path.join(config.dataDir, "files"),
    signal: stopOnSignals(),
  });
  printLine(describe(backup));
  for (const name of await removeOldBackups(backups)) printLine(`${name} was removed, because it is too old`);
}

/** @throws ConfigError when a folder that the operator names is missing: it may be a disk that is not mounted */
async function openBackups(dataDir: string, given: string | undefined): Promise<string> {
  const backups = path.resolve(given ?? path.join(dataDir, "backups"));
  if (given === undefined) await mkdir(backups, { recursive: true, mode: 0o700 });
  const isFolder = await stat(backups).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new ConfigError(`${backups} must be a folder: make it, or mount its disk`);
  return backups;
}

function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(new BackupError(`Stopped by ${signal}: no backup was made.`)));
  return stop.signal;
}

function describe({ folder, manifest: { collections, files, goneFiles } }: Backup): string {
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0);
  const about = files === null ? "the files stay in S3-compatible storage" : `${files.length} files`;
  const gone = goneFiles === 0 ? "" : `; ${goneFiles} files were deleted meanwhile, their jobs count as expired`;
  return `${folder}: ${documents} documents, ${about}${gone}`;
}

await runCommand(
  backUp,
  (error) => error instanceof BackupError || (error instanceof Error && error.name === "SetUpError"),
);
