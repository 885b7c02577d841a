/**
 * One process at a time may change a folder. The lock is SQLite's own on a small file: the kernel
 * gives it back however its holder dies, so that there is no stale lock to judge.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

/** How often a waiting process looks whether the holder is done. */
const RETRY_MS = 200;

/**
 * Takes the lock if it is free.
 * @returns what gives it back, or undefined when somebody else holds it.
 */
export async function tryLockFolder(folder: string): Promise<Disposable | undefined> {
  await mkdir(folder, { recursive: true });
  const database = new DatabaseSync(path.join(folder, ".lock"), { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** Waits for the lock, saying once that it waits. Rejects with the signal's reason when aborted. */
export async function lockFolder(
  folder: string,
  options: { report: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<Disposable> {
  let isAnnounced = false;
  for (;;) {
    options.signal?.throwIfAborted();
    const lock = await tryLockFolder(folder);
    if (lock) return lock;
    if (!isAnnounced) options.report("Waiting for another process that is setting up the same folder …");
    isAnnounced = true;
    await delay(RETRY_MS, undefined, options.signal ? { signal: options.signal } : {});
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
