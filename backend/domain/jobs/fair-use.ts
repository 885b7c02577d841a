/** What keeps one visitor from taking everybody's place. */
import { UserError } from "../../../common/errors.ts";
import type { JobStatus } from "../../../common/job.ts";
import type { Domain } from "../domain.ts";
import type { StoredJob } from "./job-model.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";

export const ACTIVE: readonly JobStatus[] = ["queued", "pending", "processing"];

/** When to ask again where nobody can know: a conversion may end any moment. */
const GUESSED_WAIT_SECONDS = 10;

/** Refused for now. */
export class RateLimitedError extends UserError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super("rate_limited", message);
    this.name = "RateLimitedError";
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The viewer's jobs that are not over. */
export interface ActiveJobs {
  readonly count: number;
  /** Those of their places that are taken. Jobs made before the viewer signed in have none, but they count. */
  readonly taken: ReadonlySet<string>;
}

export async function readActive(domain: Domain, viewer: Viewer): Promise<ActiveJobs> {
  const jobs = await domain.jobs
    .find({ ...visibleTo(viewer), status: { $in: ACTIVE } }, { place: 1 })
    .lean<Pick<StoredJob, "place">[]>();
  return { count: jobs.length, taken: new Set(jobs.flatMap(({ place }) => place ?? [])) };
}

/**
 * Names for places of the viewer's that nobody had when the active jobs were read. A job takes its place
 * under a unique index and leaves it in the write that ends it, so that processes that add jobs at the
 * same moment cannot add more than there are places, and a crash leaves none taken. The lowest first:
 * with n jobs and room for w more nobody takes a place beyond n + w.
 */
export function freePlaces(viewer: Viewer, { taken }: ActiveJobs, wanted: number): string[] {
  const free: string[] = [];
  for (let n = 0; free.length < wanted; n += 1) {
    const place = `${ownerOf(viewer)}:${n}`;
    if (!taken.has(place)) free.push(place);
  }
  return free;
}

/**
 * After a collision: places that are held by no active job of the viewer's are free again. A process of older code
 * leaves such.
 */
export async function vacate(domain: Domain, viewer: Viewer, places: readonly string[]): Promise<void> {
  await domain.jobs.updateMany(
    { place: { $in: places }, $nor: [{ ...visibleTo(viewer), status: { $in: ACTIVE } }] },
    { $unset: { place: 1 } },
  );
}

/**
 * @param wanted how many are to be added to the active ones
 * @throws RateLimitedError when that is more than the viewer's tier has at a time
 */
export function requireRoomFor(domain: Domain, viewer: Viewer, wanted: number, active: number): void {
  const most = domain.limits.activeJobs[viewer.tier];
  if (wanted === 0 || active + wanted <= most) return;
  const running = `You have ${active} ${active === 1 ? "conversion" : "conversions"} running`;
  throw new RateLimitedError(
    active >= most
      ? `${running}, which is the most at a time. Wait until one has finished.`
      : `${running} and ${most} is the most at a time, so there is room for ${most - active} more. Wait until some have finished.`,
    GUESSED_WAIT_SECONDS,
  );
}

const turnsOf = new WeakMap<Domain, Map<string, Promise<unknown>>>();

const ownerOf = ({ userId, deviceId }: Viewer): string => (userId === null ? `device:${deviceId}` : `user:${userId}`);

/**
 * One owner's additions go one after the other, so that each sees the ones before it: calls at the
 * same moment would otherwise all try for the same places. Of this process; another one's are met there.
 */
export async function inTurn<T>(domain: Domain, viewer: Viewer, task: () => Promise<T>): Promise<T> {
  const turns = turnsOf.get(domain) ?? new Map<string, Promise<unknown>>();
  turnsOf.set(domain, turns);
  const owner = ownerOf(viewer);
  const before = turns.get(owner) ?? Promise.resolve();
  const mine = before.then(task, task);
  turns.set(owner, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(owner) === mine) turns.delete(owner);
  }
}
