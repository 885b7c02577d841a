/**
 * Whose a stored file is. Equal requests share one: each job names it, and it goes with the last job
 * that gives it up. Whoever takes one over first names it and then looks whether the job it was taken
 * from still has it; whoever gives one up first writes that down and then looks whether anybody names
 * it. So of two at the same moment at least one sees the other, and a file that is named is there.
 */
import type { Domain } from "./domain.ts";
import { held, type Fence } from "./held.ts";

/** Before held jobs are answered with a file that others have too. The end of an attempt takes the name back, unless it is completed with it. */
export async function nameFile(domain: Domain, fences: readonly Fence[], fileKey: string, about: { readonly title?: string; readonly thumbnailKey?: string } = {}): Promise<void> {
  await Promise.all(fences.map((fence) => domain.jobs.updateOne(held(fence), { $set: { ...about, fileKey } })));
}

/** For whoever named a file that has turned out to be given up; the one who gave it up may have left it because of the name. */
export async function unnameFile(domain: Domain, fences: readonly Fence[], fileKey: string): Promise<void> {
  await Promise.all(fences.map((fence) => domain.jobs.updateOne(held(fence), { $unset: { fileKey: 1 } })));
  await releaseFile(domain, fileKey);
}

/** Whether a completed job still has its file; if so, and it was named before, it stays. */
export async function hasStillFile(domain: Domain, { _id, fileKey }: { readonly _id: string; readonly fileKey: string }): Promise<boolean> {
  return (await domain.jobs.exists({ _id, fileKey, status: "completed", isExpired: { $ne: true }, isGivenUp: { $ne: true } })) !== null;
}

/** Whether a stored file belongs to a job; a crash can leave one that does not. */
export async function isFileInUse(domain: Domain, key: string): Promise<boolean> {
  return (await domain.jobs.exists({ $or: [{ fileKey: key, isExpired: { $ne: true }, isGivenUp: { $ne: true } }, { thumbnailKey: key }] })) !== null;
}

/** For whoever has given it up: deletes the file unless another job names it. */
export async function releaseFile(domain: Domain, key: string): Promise<void> {
  if (!(await isFileInUse(domain, key))) await domain.removeFile(key);
}
