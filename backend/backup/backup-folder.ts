/**
 * A folder of backups. Each backup is a folder in it. It is written under a draft name and gets its own name when it is
 * complete, so that a half-written one is never taken for a backup.
 */
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { DAY_MS } from "../../common/durations.ts";
import { BACKUP_DAYS } from "../../common/retention-policy.ts";
import { BackupError } from "./backup-error.ts";
import { readManifest, type Manifest } from "./manifest.ts";

const PREFIX = "backup-";
const DRAFT_PREFIX = ".draft-";

export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** @returns the name of a backup; names sort by time */
export function nameBackup(createdAt: Date): string {
  return `${PREFIX}${createdAt.toISOString().replaceAll(/[:.]/g, "-")}`;
}

/** @returns the complete backups in the folder, oldest first; none when the folder is missing */
export async function listBackups(backups: string): Promise<Backup[]> {
  const found: Backup[] = [];
  for (const name of (await namesIn(backups)).filter((name) => name.startsWith(PREFIX))) {
    const folder = path.join(backups, name);
    found.push({ folder, manifest: await readManifest(folder) });
  }
  return found.toSorted((a, b) => a.manifest.createdAt.getTime() - b.manifest.createdAt.getTime());
}

/**
 * Makes a draft, lets the caller fill it, and gives it its name. The caller holds the lock of the folder, so that drafts
 * in it were left by processes that were killed; these are removed first.
 * @returns the folder of the backup; nothing is left when `fill` throws
 */
export async function makeBackup(
  backups: string,
  name: string,
  fill: (draft: string) => Promise<void>,
): Promise<string> {
  for (const left of (await namesIn(backups)).filter((entry) => entry.startsWith(DRAFT_PREFIX)))
    await rm(path.join(backups, left), { recursive: true });
  const draft = path.join(backups, `${DRAFT_PREFIX}${name}`);
  const folder = path.join(backups, name);
  await mkdir(draft, { mode: 0o700 });
  try {
    await fill(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  await flushFolder(backups);
  return folder;
}

/**
 * Removes backups that are older than the pages promise.
 * @returns their names
 */
export async function removeOldBackups(backups: string, now: Date = new Date()): Promise<string[]> {
  const removed: string[] = [];
  for (const { folder, manifest } of await listBackups(backups)) {
    if (now.getTime() - manifest.createdAt.getTime() < BACKUP_DAYS * DAY_MS) continue;
    const name = path.basename(folder);
    // A removal that is interrupted leaves a draft and no half a backup.
    const draft = path.join(backups, `${DRAFT_PREFIX}${name}`);
    await rename(folder, draft);
    await rm(draft, { recursive: true });
    removed.push(name);
  }
  return removed;
}

/** @throws BackupError when there is none */
export async function newestBackup(backups: string): Promise<Backup> {
  const newest = (await listBackups(backups)).at(-1);
  if (!newest) throw new BackupError(`There is no backup in ${backups}: name the folder of one.`);
  return newest;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

/** Writes the names in a folder to the disk itself. */
async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
