/** Temporary folders of jobs. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export interface JobFolder extends AsyncDisposable {
  readonly path: string;
}

/** Job ids become folder names. */
const SAFE_ID = /^[\w-][\w.-]{0,99}$/;

const REMOVE = { recursive: true, force: true, maxRetries: 3 } as const;

/**
 * Creates an empty folder for a job. Removes a folder that a crash left under the same id.
 * @returns the folder; disposing of it removes it with its contents
 * @throws RangeError for an id that is not a plain file name
 */
export async function openJobFolder(root: string, id: string): Promise<JobFolder> {
  if (!SAFE_ID.test(id)) throw new RangeError(`"${id}" cannot name a folder`);
  const path = join(root, id);
  await rm(path, REMOVE);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, [Symbol.asyncDispose]: () => rm(path, REMOVE) };
}

/**
 * Removes all job folders. Call it at start-up, before any job runs.
 * @returns names of what stays, because it is not this user's to remove: the `lost+found` of a disk, a mounted folder
 */
export async function clearJobFolders(root: string): Promise<string[]> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const kept: string[] = [];
  const clear = async (name: string): Promise<void> => {
    if (!(await removeIfAllowed(join(root, name)))) kept.push(name);
  };
  await Promise.all((await readdir(root)).map(clear));
  return kept;
}

/** @returns false when the system does not let this process remove a part of the folder */
export async function removeIfAllowed(folder: string): Promise<boolean> {
  try {
    await rm(folder, REMOVE);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return false;
  }
}
