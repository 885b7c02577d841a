/**
 * Which jobs a stored file belongs to. Equal requests share one file: each job stores its key, and the file is deleted
 * with the last job that gives it up.
 *
 * A job that takes a file over first writes the key and then checks that the other job still has the file. A job that
 * gives a file up first records that and then checks whether another job has the key. When both happen at the same
 * moment, at least one of them sees the other, so a file that a job references is always there.
 */
import type { Domain } from "../domain.ts";
import { fencedBy, type Fence } from "./change.ts";
import { recordRemovals } from "./file-removals.ts";
import { changeJob } from "./find-jobs.ts";
import type { StoredJob } from "./job-model.ts";

/** @returns where the file of an attempt is stored; other jobs with the same request may reference it too */
export function fileKeyOf({ _id, attempt, format }: Pick<StoredJob, "_id" | "attempt" | "format">): string {
  return `${_id}.${attempt}.${format}`;
}

/** @returns where the thumbnail of an attempt is stored */
export function thumbnailKeyOf({ _id, attempt }: Fence): string {
  return `${_id}.${attempt}.jpg`;
}

/**
 * Writes the key of a shared file to running jobs, before they are completed with it. The end of an attempt removes
 * the key again unless the attempt is completed.
 */
export async function referenceFile(
  domain: Domain,
  fences: readonly Fence[],
  fileKey: string,
  about: {
    readonly title?: string;
    readonly thumbnailKey?: string;
    readonly subjects?: string[];
    readonly videoKey?: string;
  } = {},
): Promise<void> {
  await Promise.all(
    fences.map(async (fence) => {
      const before = await changeJob(domain, fencedBy(fence), { $set: { ...about, fileKey } }, { returns: "before" });
      if (before) await releaseReplacedThumbnail(domain, before, about.thumbnailKey);
    }),
  );
}

/** Deletes the thumbnail of an earlier attempt once the job has the key of a new one. */
export async function releaseReplacedThumbnail(
  domain: Domain,
  { thumbnailKey: before }: StoredJob,
  thumbnailKey: string | undefined,
): Promise<void> {
  if (before !== undefined && thumbnailKey !== undefined && before !== thumbnailKey) await releaseFile(domain, before);
}

/** Deletes what the attempt of a dead worker has stored, except for files that jobs reference. */
export async function releaseAttemptFiles(domain: Domain, job: StoredJob): Promise<void> {
  const keys = new Set([fileKeyOf(job), thumbnailKeyOf(job)]);
  if (job.fileKey !== undefined) keys.add(job.fileKey);
  for (const key of keys) await releaseFile(domain, key);
}

/** A file key as {@link fileKeyOf} and {@link thumbnailKeyOf} make them. */
const ATTEMPT_KEY = /^(.+)\.(\d+)\.\w+$/;

/**
 * @returns whether no job references a stored file and no running attempt may be about to reference it. When the job
 *   that a conversion was started for has left, the other jobs reference the file before it is stored, and the
 *   thumbnail within the lease.
 */
export async function isStrayFile(domain: Domain, key: string): Promise<boolean> {
  const [, _id, attempt] = ATTEMPT_KEY.exec(key) ?? [];
  // The attempt is checked first: if it ends between the two checks, its job references the file by then.
  if (_id !== undefined && (await domain.jobs.exists(fencedBy({ _id, attempt: Number(attempt) }))) !== null)
    return false;
  return !(await isFileInUse(domain, key));
}

/**
 * Undoes {@link referenceFile} when the other job has given the file up meanwhile. That job may have left the file in
 * place because of this reference, so the file is deleted here.
 */
export async function dropFileReference(domain: Domain, fences: readonly Fence[], fileKey: string): Promise<void> {
  await Promise.all(fences.map((fence) => domain.jobs.updateOne(fencedBy(fence), { $unset: { fileKey: 1 } })));
  await releaseFile(domain, fileKey);
}

/** @returns whether a completed job still has its file; if so, a file that was referenced before stays */
export async function stillHasFile(
  domain: Domain,
  { _id, fileKey }: { readonly _id: string; readonly fileKey: string },
): Promise<boolean> {
  return (
    (await domain.jobs.exists({
      _id,
      fileKey,
      status: "completed",
      isExpired: { $ne: true },
      isGivenUp: { $ne: true },
    })) !== null
  );
}

/** @returns whether a job references the stored file */
export async function isFileInUse(domain: Domain, key: string): Promise<boolean> {
  return (
    (await domain.jobs.exists({
      $or: [{ fileKey: key, isExpired: { $ne: true }, isGivenUp: { $ne: true } }, { thumbnailKey: key }],
    })) !== null
  );
}

/**
 * Deletes a file that a job has given up, unless another job references it.
 * @throws what the store throws
 */
export async function releaseNow(domain: Domain, key: string): Promise<void> {
  if (!(await isFileInUse(domain, key))) await domain.removeFile(key);
}

/** Does the same; if the store cannot delete the file now, the sweeper tries again. */
export async function releaseFile(domain: Domain, key: string): Promise<void> {
  if (!(await tryToRelease(domain, key))) await recordRemovals(domain, [key]);
}

/**
 * Changes a job so that it no longer names some files, and deletes those that no other job references. The sweeper does
 * what is left when the process dies meanwhile, or when the store cannot delete a file now.
 * @param keys undefined ones are left out
 * @throws what `change` throws
 */
export async function releaseAfter<T>(
  domain: Domain,
  keys: readonly (string | undefined)[],
  change: () => Promise<T>,
): Promise<T> {
  const named = keys.filter((key) => key !== undefined);
  await recordRemovals(domain, named);
  const changed = await change();
  for (const key of named) if (await tryToRelease(domain, key)) await domain.fileRemovals.deleteOne({ _id: key });
  return changed;
}

/** @returns false: the store does not answer or cannot delete the file */
async function tryToRelease(domain: Domain, key: string): Promise<boolean> {
  if (await isFileInUse(domain, key)) return true;
  return domain.removeFile(key).then(
    () => true,
    () => false,
  );
}
