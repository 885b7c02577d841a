/** What keeps one visitor from taking everybody's place. */
import { UserError } from "../../common/errors.ts";
import type { JobStatus } from "../../common/job.ts";
import type { Domain } from "./domain.ts";
import { visibleTo, type Viewer } from "./viewer.ts";

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

/** How many jobs the viewer has that are not over. */
export function countActive(domain: Domain, viewer: Viewer): Promise<number> {
  return domain.jobs.countDocuments({ ...visibleTo(viewer), status: { $in: ACTIVE } });
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

const turns = new Map<string, Promise<unknown>>();

/**
 * One owner's additions go one after the other, so that each sees the ones before it: calls at the
 * same moment would otherwise all find the same room. Of this process; another one's are not waited for.
 */
export async function inTurn<T>(viewer: Viewer, task: () => Promise<T>): Promise<T> {
  const owner = viewer.userId === null ? `device:${viewer.deviceId}` : `user:${viewer.userId}`;
  const before = turns.get(owner) ?? Promise.resolve();
  const mine = before.then(task, task);
  turns.set(owner, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(owner) === mine) turns.delete(owner);
  }
}
