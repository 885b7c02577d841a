/** Ends selections, so that no more of their links become jobs. */
import type { Domain } from "../domain.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { publishJob } from "./change.ts";
import { findJobs } from "./find-jobs.ts";
import { REQUEST_KEY_LIFE_MS } from "./repeated-request.ts";
import type { StoredSelection } from "./selection-model.ts";

/** Enough for a page to learn the new total, which it takes from any job of the batch. */
const PUBLISHED_JOBS = 20;

/**
 * Ends a selection before all of its links have become jobs.
 * @returns false when it had ended before
 */
export async function endSelection(domain: Domain, id: string): Promise<boolean> {
  const ended = await domain.selections
    .findOneAndUpdate({ _id: id, endedAt: null }, endOfSelection(), { projection: { links: 0 } })
    .lean<StoredSelection>();
  if (!ended) return false;
  await lowerTotal(domain, id, ended.queued);
  return true;
}

/** @returns the change that ends a selection */
export function endOfSelection() {
  return { $set: { endedAt: new Date(), links: [] }, $unset: { place: 1 } } as const;
}

/** Does the same for a selection of the viewer. @returns false when the viewer has no such selection that is open */
export async function endSelectionOf(domain: Domain, { userId }: Viewer, id: string): Promise<boolean> {
  if (userId === null) return false;
  const isOpen = await domain.selections.exists({ _id: id, userId, endedAt: null });
  return isOpen !== null && (await endSelection(domain, id));
}

/** Tells the jobs of a batch that there will be no more than these. */
export async function lowerTotal(domain: Domain, batchId: string, total: number): Promise<void> {
  if (total === 0) return;
  await domain.jobs.updateMany({ batchId }, { $set: { batchTotal: total, updatedAt: new Date() } });
  const newest = await findJobs(domain, { batchId }, { sort: { createdAt: -1 }, limit: PUBLISHED_JOBS });
  for (const job of newest) publishJob(domain, job);
}

/**
 * Deletes ended selections once their requests are not repeated any more.
 * @returns how many
 */
export async function deleteOldSelections(domain: Domain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - REQUEST_KEY_LIFE_MS);
  const { deletedCount } = await domain.selections.deleteMany({ endedAt: { $ne: null, $lte: before } });
  return deletedCount;
}
