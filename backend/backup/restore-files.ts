/** Puts the files of a backup in their places. */
import { constants } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Domain } from "../domain/domain.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";
import type { FileStore } from "../storage/file-store.ts";
import { pathsIn, type Manifest } from "./manifest.ts";
import { partFile } from "./part-file.ts";

const JOBS_IN_MEMORY = 100;

/** Stores finished files and thumbnails. The backup keeps its own. */
export async function restoreFiles(
  store: FileStore,
  dataDir: string,
  backup: string,
  { files }: Manifest,
): Promise<void> {
  const draft = path.join(dataDir, ".restored-file");
  try {
    for (const { key } of files ?? []) {
      await copyFile(await partFile(backup, pathsIn(backup).file(key)), draft, constants.COPYFILE_FICLONE);
      await store.put(key, draft);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** @returns a key file of the data folder that differs from the backup's, or null */
export async function findOtherKeys(dataDir: string, backup: string, { dataFiles }: Manifest): Promise<string | null> {
  for (const { name } of dataFiles) {
    const existing = await readFile(path.join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (existing && !existing.equals(await readFile(await partFile(backup, pathsIn(backup).dataFile(name)))))
      return name;
  }
  return null;
}

/** Writes the keys into the data folder. */
export async function restoreDataFiles(dataDir: string, backup: string, { dataFiles }: Manifest): Promise<void> {
  for (const { name } of dataFiles) {
    const target = path.join(dataDir, name);
    const draft = `${target}.restored`;
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(await partFile(backup, pathsIn(backup).dataFile(name)), draft);
    await chmod(draft, 0o600);
    await rename(draft, target);
  }
}

/**
 * Marks completed jobs as expired whose file is not stored, and takes missing thumbnails from all jobs.
 * @returns how many jobs were marked
 */
export async function expireJobsWithoutFile({ jobs }: Pick<Domain, "jobs">, store: FileStore): Promise<number> {
  let expired = 0;
  const isStored = async (key: string | undefined): Promise<boolean> =>
    key !== undefined && (await store.stat(key)) !== null;
  const all = jobs.find({}, { status: 1, isExpired: 1, fileKey: 1, thumbnailKey: 1 }).lean<JobDocument[]>();
  for await (const job of all.cursor({ batchSize: JOBS_IN_MEMORY }) as AsyncIterable<JobDocument>) {
    const { _id, status, isExpired, fileKey, thumbnailKey } = job;
    if (thumbnailKey !== undefined && !(await isStored(thumbnailKey)))
      await jobs.updateOne({ _id }, { $unset: { thumbnailKey: 1 } });
    if (status !== "completed" || isExpired === true || (await isStored(fileKey))) continue;
    await jobs.updateOne({ _id }, { $set: { isExpired: true, isGivenUp: true } });
    expired += 1;
  }
  return expired;
}
