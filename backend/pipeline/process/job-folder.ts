/** Temp folders of jobs: one each, gone whatever happens. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export interface JobFolder extends AsyncDisposable {
  readonly path: string;
}

/** Ids become path names, so only what a generated id consists of. */
const SAFE_ID = /^[\w-][\w.-]{0,99}$/;

const REMOVE = { recursive: true, force: true, maxRetries: 3 } as const;

/**
 * An empty folder under `root`, removed with its contents on disposal. What a crash left under the
 * same id is removed first. Throws RangeError for an id that is no plain name.
 */
export async function openJobFolder(root: string, id: string): Promise<JobFolder> {
  if (!SAFE_ID.test(id)) throw new RangeError(`"${id}" cannot name a folder`);
  const path = join(root, id);
  await rm(path, REMOVE);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, [Symbol.asyncDispose]: () => rm(path, REMOVE) };
}

/** Removes every job folder: for start-up, before any job runs. */
export async function clearJobFolders(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const names = await readdir(root);
  await Promise.all(names.map((name) => rm(join(root, name), REMOVE)));
}
