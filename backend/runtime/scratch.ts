/**
 * Where one process has its temporary folders. Several may share a disk, and one that was killed
 * leaves its own behind: whoever finds a folder that nobody has touched for long removes it.
 */
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { every } from "../domain/every.ts";

const REMOVE = { recursive: true, force: true, maxRetries: 3 } as const;

export interface Scratch extends AsyncDisposable {
  readonly path: string;
}

/**
 * A folder of the process's own below `root`, removed on disposal.
 * @param touchMs how often it is touched; one untouched for six times as long has no owner
 */
export async function openScratch(
  root: string,
  name: string,
  touchMs: number,
  onError: (error: unknown) => void,
): Promise<Scratch> {
  const path = join(root, name.replaceAll(/[^\w.-]/g, "-"));
  await mkdir(path, { recursive: true, mode: 0o700 });

  async function look(): Promise<void> {
    const now = new Date();
    // A pause of the whole machine may have cost us ours.
    await mkdir(path, { recursive: true, mode: 0o700 });
    await utimes(path, now, now);
    for (const other of await readdir(root)) {
      const touchedAtMs = await stat(join(root, other)).then(
        ({ mtimeMs }) => mtimeMs,
        () => now.getTime(),
      );
      if (touchedAtMs < now.getTime() - 6 * touchMs) await rm(join(root, other), REMOVE);
    }
  }

  await look();
  const looking = every(touchMs, look, onError);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await looking.stop();
      await rm(path, REMOVE);
    },
  };
}
