/**
 * Limits how many active jobs one owner may have. Each active job holds one of its owner's numbered slots (the stored
 * field `place`) under a unique index and gives it up in the write that ends the job. So processes that add jobs at
 * the same moment cannot exceed the limit, and a crash leaves no slot taken.
 */
import type { JobStatus } from "../../../common/job.ts";
import { freeSlots } from "../database/numbered-slots.ts";
import type { Domain } from "../domain.ts";
import { InTurn } from "../in-turn.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import type { StoredJob } from "./job-model.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";

export const ACTIVE: readonly JobStatus[] = ["queued", "pending", "processing"];

/** When to ask again. A guess: an active job may end at any moment. */
const RETRY_AFTER_SECONDS = 10;

/** The viewer's jobs that have not ended. */
export interface ActiveJobs {
  readonly count: number;
  /** Slots that are taken. Jobs made before the viewer signed in have no slot, but they count. */
  readonly takenSlots: ReadonlySet<string>;
}

export async function readActiveJobs(domain: Domain, viewer: Viewer): Promise<ActiveJobs> {
  const jobs = await domain.jobs
    .find({ ...visibleTo(viewer), status: { $in: ACTIVE } }, { place: 1 })
    .lean<Pick<StoredJob, "place">[]>();
  return { count: jobs.length, takenSlots: new Set(jobs.flatMap(({ place }) => place ?? [])) };
}

/** @returns slots with the lowest numbers that were free when the active jobs were read */
export function freeJobSlots(viewer: Viewer, { takenSlots }: ActiveJobs, wanted: number): string[] {
  return freeSlots(ownerOf(viewer), takenSlots, wanted);
}

/**
 * Frees those of the slots that no active job of the viewer holds. Called after two writes tried for the same slot,
 * because a process of an older version leaves such slots behind.
 */
export async function releaseStaleSlots(domain: Domain, viewer: Viewer, slots: readonly string[]): Promise<void> {
  await domain.jobs.updateMany(
    { place: { $in: slots }, $nor: [{ ...visibleTo(viewer), status: { $in: ACTIVE } }] },
    { $unset: { place: 1 } },
  );
}

/**
 * @param wanted number of jobs to be added
 * @param active number of jobs that are active now
 * @throws RateLimitedError when the viewer's tier does not allow so many active jobs
 */
export function requireCapacity(domain: Domain, viewer: Viewer, wanted: number, active: number): void {
  const limit = domain.limits.activeJobs[viewer.tier];
  if (wanted === 0 || active + wanted <= limit) return;
  const running = `You have ${active} ${active === 1 ? "conversion" : "conversions"} running`;
  const message =
    active >= limit
      ? `${running}, which is the most at a time. Wait until one has finished.`
      : `${running} and ${limit} is the most at a time, so there is room for ${limit - active} more. ` +
        "Wait until some have finished.";
  throw new RateLimitedError(message, RETRY_AFTER_SECONDS, {
    reason: { name: "too_many_active", active, most: limit },
  });
}

const owners = new WeakMap<Domain, InTurn>();

const ownerOf = ({ userId, deviceId }: Viewer): string => (userId === null ? `device:${deviceId}` : `user:${userId}`);

/**
 * Runs tasks of the same owner one after the other, so that each sees the jobs that the ones before it have added.
 * Only within this process; between processes the unique index on slots decides.
 */
export function serializeByOwner<T>(domain: Domain, viewer: Viewer, task: () => Promise<T>): Promise<T> {
  const inTurn = owners.get(domain) ?? new InTurn();
  owners.set(domain, inTurn);
  return inTurn.run(ownerOf(viewer), task);
}
