/**
 * One process at a time may change a folder. The lock is SQLite's own on a small file: the kernel releases it however
 * its holder dies, so there is no stale lock. It is not a lease of the database (lease-store.ts), because folders are
 * locked before a database runs.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { untilFound } from "../../common/waiting.ts";

/** How often a waiting process tries to take the lock. */
const RETRY_MS = 200;

/**
 * Takes the lock if it is free.
 * @returns releases the lock; undefined when another process holds it
 */
export async function tryLockFolder(folder: string): Promise<(() => void) | undefined> {
  await mkdir(folder, { recursive: true });
  const database = new DatabaseSync(path.join(folder, ".lock"), { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return () => database.close();
}

/**
 * Does the work while holding the lock. Reports once if it has to wait for the lock.
 * @throws the signal's reason when aborted while waiting
 */
export async function withFolderLock<Result>(
  folder: string,
  options: { report: (line: string) => void; signal?: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const { report, signal } = options;
  let release = await tryLockFolder(folder);
  if (!release) report("Waiting for another process that is setting up the same folder …");
  release ??= await untilFound(() => tryLockFolder(folder), { everyMs: RETRY_MS, signal });
  try {
    return await work();
  } finally {
    release();
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
