/**
 * The temporary folder of a process. Processes may share a disk, so each one renews the modification time of its folder
 * and removes folders that a killed process has left behind.
 */
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { every } from "../domain/every.ts";
import { removeIfAllowed } from "../pipeline/process/job-folder.ts";

const REMOVE = { recursive: true, force: true, maxRetries: 3 } as const;

export interface Scratch extends AsyncDisposable {
  readonly path: string;
}

/**
 * Creates a folder below `root`; disposing of the result removes it.
 * @param name unique among all processes
 * @param touchMs interval of renewing the modification time; a folder six times older belongs to a dead process
 */
export async function openScratch(
  root: string,
  name: string,
  touchMs: number,
  onError: (error: unknown) => void,
): Promise<Scratch> {
  const path = join(root, name.replaceAll(/[^\w.-]/g, "-"));
  await mkdir(path, { recursive: true, mode: 0o700 });

  async function touchAndCleanUp(): Promise<void> {
    const now = new Date();
    // Another process may have removed this folder during a pause of this one.
    await mkdir(path, { recursive: true, mode: 0o700 });
    await utimes(path, now, now);
    for (const other of await readdir(root)) {
      const touchedAtMs = await stat(join(root, other)).then(
        ({ mtimeMs }) => mtimeMs,
        () => now.getTime(),
      );
      // What this user may not remove stays, such as the `lost+found` of a disk that is mounted here.
      if (touchedAtMs < now.getTime() - 6 * touchMs) await removeIfAllowed(join(root, other));
    }
  }

  await touchAndCleanUp();
  const touching = every(touchMs, touchAndCleanUp, onError);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await touching.stop();
      await rm(path, REMOVE);
    },
  };
}
