/**
 * Whose a stored file is. Equal requests share one: each job names it, and it goes with the last job
 * that gives it up. Whoever takes one over first names it and then looks whether the job it was taken
 * from still has it; whoever gives one up first writes that down and then looks whether anybody names
 * it. So of two at the same moment at least one sees the other, and a file that is named is there.
 */
import type { Domain } from "../domain.ts";
import { held, type Fence } from "./held.ts";
import type { StoredJob } from "./job-model.ts";

/** Where the file of an attempt is stored; other jobs with the same request may name it too. */
export function fileKeyOf({ _id, attempt, format }: Pick<StoredJob, "_id" | "attempt" | "format">): string {
  return `${_id}.${attempt}.${format}`;
}

/** Where the picture of an attempt is stored. */
export function thumbnailKeyOf({ _id, attempt }: Fence): string {
  return `${_id}.${attempt}.jpg`;
}

/**
 * Before held jobs are answered with a file that others have too. The end of an attempt takes the name back, unless it
 * is completed with it.
 */
export async function nameFile(
  domain: Domain,
  fences: readonly Fence[],
  fileKey: string,
  about: { readonly title?: string; readonly thumbnailKey?: string } = {},
): Promise<void> {
  await Promise.all(
    fences.map(async (fence) => {
      const before = await domain.jobs
        .findOneAndUpdate(held(fence), { $set: { ...about, fileKey } }, { returnDocument: "before" })
        .lean<StoredJob>();
      if (before) await releaseReplacedPicture(domain, before, about.thumbnailKey);
    }),
  );
}

/** An attempt before may have left its picture with the job; with a new one the job no longer names it. */
export async function releaseReplacedPicture(
  domain: Domain,
  { thumbnailKey: before }: StoredJob,
  thumbnailKey: string | undefined,
): Promise<void> {
  if (before !== undefined && thumbnailKey !== undefined && before !== thumbnailKey) await releaseFile(domain, before);
}

/**
 * For whoever puts the job of a dead worker back: what its attempt had stored and the job does not name goes at once.
 */
export async function releaseAttempt(domain: Domain, job: StoredJob): Promise<void> {
  const keys = new Set([fileKeyOf(job), thumbnailKeyOf(job), ...(job.fileKey === undefined ? [] : [job.fileKey])]);
  for (const key of keys) await releaseFile(domain, key);
}

/** A file key as {@link fileKeyOf} and {@link thumbnailKeyOf} make them. */
const ATTEMPT_KEY = /^(.+)\.(\d+)\.\w+$/;

/**
 * Whether a stored file belongs to no job, and to no attempt that is still going on and may be about to
 * name it. A conversion that goes on for others when its first job has left names its file before it is
 * stored, and its picture within the lease.
 */
export async function isStray(domain: Domain, key: string): Promise<boolean> {
  const [, _id, attempt] = ATTEMPT_KEY.exec(key) ?? [];
  // In this order: an attempt that ends in between has named its file by then.
  if (_id !== undefined && (await domain.jobs.exists(held({ _id, attempt: Number(attempt) }))) !== null) return false;
  return !(await isFileInUse(domain, key));
}

/**
 * For whoever named a file that has turned out to be given up; the one who gave it up may have left it because of the
 * name.
 */
export async function unnameFile(domain: Domain, fences: readonly Fence[], fileKey: string): Promise<void> {
  await Promise.all(fences.map((fence) => domain.jobs.updateOne(held(fence), { $unset: { fileKey: 1 } })));
  await releaseFile(domain, fileKey);
}

/** Whether a completed job still has its file; if so, and it was named before, it stays. */
export async function hasStillFile(
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

/** Whether a stored file belongs to a job; a crash can leave one that does not. */
export async function isFileInUse(domain: Domain, key: string): Promise<boolean> {
  return (
    (await domain.jobs.exists({
      $or: [{ fileKey: key, isExpired: { $ne: true }, isGivenUp: { $ne: true } }, { thumbnailKey: key }],
    })) !== null
  );
}

/** For whoever has given it up: deletes the file unless another job names it. */
export async function releaseFile(domain: Domain, key: string): Promise<void> {
  if (!(await isFileInUse(domain, key))) await domain.removeFile(key);
}
