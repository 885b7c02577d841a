/**
 * Looks at followed lists. Any process may: one takes a follow by moving its next look on, and writes only while nobody
 * has moved it again. A process that dies leaves the follow to another one, which finds the jobs that exist.
 */
import { doublingDelay } from "../../../common/doubling-delay.ts";
import { DAY_MS, MINUTE_MS } from "../../../common/durations.ts";
import { TIERS } from "../../../common/tiers.ts";
import { findOwner } from "../accounts/owner.ts";
import type { Domain } from "../domain.ts";
import type { StoredFailure, StoredFollow } from "./follow-model.ts";
import { failureOf, queueWaiting, retryStarted } from "./queue-videos.ts";
import { endOfQuiet } from "./quiet-hours.ts";
import { readFollowed, requireAllowed, type FollowedLists } from "./read-followed.ts";

/** Follows do not look all at the same moment: up to this part of the time between two looks is added. */
const SPREAD = 0.2;
/** When the site cannot be asked now. */
const PUT_OFF_MS = 10 * MINUTE_MS;
/** A list that cannot be read is tried less and less often, at last once a day. */
const LONGEST_WAIT_MS = DAY_MS;

export interface Look {
  readonly lists: FollowedLists;
  readonly signal: AbortSignal;
  readonly now?: Date;
}

/**
 * Takes the follow that is due for longest, looks what is new, and queues it.
 * @returns false when none is due
 * @throws signal.reason when aborted; the follow is due again when the lease has ended
 */
export async function lookAtNext(domain: Domain, { lists, signal, now = new Date() }: Look): Promise<boolean> {
  const follow = await domain.follows
    .findOneAndUpdate(
      { nextLookAt: { $lte: now } },
      { $set: { nextLookAt: new Date(now.getTime() + domain.limits.lookLeaseMs) } },
      { sort: { nextLookAt: 1 }, returnDocument: "after" },
    )
    .lean<StoredFollow>();
  if (!follow) return false;
  const after = await lookAt(domain, follow, { lists, signal, now });
  await domain.follows.updateOne({ _id: follow._id, nextLookAt: follow.nextLookAt }, { $set: after });
  return true;
}

type After = Partial<Pick<StoredFollow, "nextLookAt" | "failure" | "failures" | "isPutOff">>;

/** @returns what is known of the follow after its turn, with its next look */
async function lookAt(domain: Domain, follow: StoredFollow, look: Required<Look>): Promise<After> {
  const { now } = look;
  const quietUntil = follow.quietHours && endOfQuiet(follow.quietHours, now);
  if (quietUntil) return { nextLookAt: spread(quietUntil, domain.limits.lookEveryMs) };
  const nextLookAt = spread(new Date(now.getTime() + domain.limits.lookEveryMs), domain.limits.lookEveryMs);
  const viewer = await findOwner(domain, follow);
  if (!viewer) await removeIfGone(domain, follow);
  // Without Pro it rests; it goes on when Pro is back.
  if (!viewer || TIERS[viewer.tier].maxFollows === 0) return { nextLookAt };
  const { known, failure } = await tryToRead(domain, follow, look);
  if (failure?.code !== "blocked") {
    await retryStarted(domain, viewer, follow, now);
    await queueWaiting(domain, viewer, { ...follow, ...known }, now);
  }
  if (failure) {
    const waitMs = doublingDelay(follow.failures, domain.limits.lookEveryMs, LONGEST_WAIT_MS);
    const at = spread(new Date(now.getTime() + waitMs), domain.limits.lookEveryMs);
    return { nextLookAt: at, failure, failures: follow.failures + 1, isPutOff: false };
  }
  if (known === null) return { nextLookAt: spread(new Date(now.getTime() + PUT_OFF_MS), PUT_OFF_MS), isPutOff: true };
  return { nextLookAt, failure: null, failures: 0, isPutOff: false };
}

/** A request may have stored it while the account was deleted. */
async function removeIfGone(domain: Domain, { _id, userId }: StoredFollow): Promise<void> {
  if (!(await domain.users.exists({ _id: userId, deletedAt: null }))) await domain.follows.deleteOne({ _id });
}

interface Read {
  /** Null when the site cannot be asked. */
  readonly known: Partial<StoredFollow> | null;
  readonly failure?: StoredFailure;
}

async function tryToRead(domain: Domain, follow: StoredFollow, look: Required<Look>): Promise<Read> {
  try {
    requireAllowed(domain, follow.link);
    return { known: await readWhenDue(domain, follow, look) };
  } catch (error) {
    look.signal.throwIfAborted();
    const failure = failureOf(error);
    if (!failure) throw error;
    return { known: {}, failure };
  }
}

const spread = (at: Date, lengthMs: number): Date => new Date(at.getTime() + Math.random() * SPREAD * lengthMs);

/** @returns what is known now; nothing new when the last look is not long ago; null when its site cannot be asked */
async function readWhenDue(
  domain: Domain,
  follow: StoredFollow,
  { lists, signal, now }: Required<Look>,
): Promise<Partial<StoredFollow> | null> {
  const { _id, nextLookAt, lastLookAt } = follow;
  if (now.getTime() - lastLookAt.getTime() < domain.limits.lookEveryMs) return {};
  const known = await readFollowed(domain, lists, follow, signal);
  if (!known) return null;
  const kept = await domain.follows.updateOne({ _id, nextLookAt }, { $set: { ...known, lastLookAt: now } });
  // It was stopped or changed meanwhile: nothing of it is queued.
  return kept.matchedCount > 0 ? known : { waiting: [] };
}
