/**
 * Limits how many active jobs the visitors of one network may have together, and how many all visitors of a plan may
 * have. The limit of one owner does not bound them, because anybody can have as many device cookies as they like.
 *
 * Jobs of the free plan hold one of the numbered slots of their network under a unique index, so that processes that
 * add jobs at the same moment cannot exceed the limit. Pro is paid for, and each user has a limit, so users of Pro are
 * not counted in their network.
 */
import { randomInt } from "node:crypto";
import { isActive } from "../../../common/job.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { freeSlots } from "../database/numbered-slots.ts";
import type { Domain } from "../domain.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import { ACTIVE } from "./active-limit.ts";
import type { StoredJob } from "./job-model.ts";

/** When to ask again. A guess: an active job may end at any moment. */
const RETRY_AFTER_SECONDS = 30;

/** What a job stores of its network. */
export type NetworkSlot = Required<Pick<StoredJob, "network" | "networkSlot">>;

/**
 * Chooses free slots of the viewer's network at random, so that requests at the same moment rarely choose the same one.
 * @param tier plan of the jobs
 * @returns a slot for each job; empty for jobs that need none
 * @throws RateLimitedError "network_busy" when there are not enough
 */
export async function chooseNetworkSlots(
  domain: Domain,
  { network }: Viewer,
  tier: Tier,
  wanted: number,
): Promise<NetworkSlot[]> {
  if (network === undefined || tier !== "free") return [];
  const limit = domain.limits.activeJobsPerNetwork;
  const taken = await readTakenSlots(domain, network);
  const free = freeSlots(network, taken, wanted, { most: limit, first: randomInt(limit) });
  if (free.length < wanted) throw new RateLimitedError(undefined, RETRY_AFTER_SECONDS, { code: "network_busy" });
  return free.map((networkSlot) => ({ network, networkSlot }));
}

/** @returns slots of active jobs; those that a process of an older version has left on ended jobs are freed */
async function readTakenSlots(domain: Domain, network: string): Promise<ReadonlySet<string>> {
  const jobs = await domain.jobs
    .find({ network }, { networkSlot: 1, status: 1 })
    .lean<Pick<StoredJob, "networkSlot" | "status">[]>();
  const left = jobs.flatMap(({ status, networkSlot }) => (isActive(status) ? [] : (networkSlot ?? [])));
  if (left.length > 0)
    await domain.jobs.updateMany(
      { networkSlot: { $in: left }, status: { $nin: ACTIVE } },
      { $unset: { network: 1, networkSlot: 1 } },
    );
  return new Set(jobs.flatMap(({ status, networkSlot }) => (isActive(status) ? (networkSlot ?? []) : [])));
}

/**
 * Requests at the same moment may exceed this limit by their number: it bounds the queue, and a few jobs more do no
 * harm.
 * @throws RateLimitedError "queue_full" when too many jobs of the plan are active
 */
export async function requireQueueCapacity(domain: Domain, tier: Tier, wanted: number): Promise<void> {
  const limit = domain.limits.activeJobsPerTier;
  if (wanted === 0) return;
  const active = await domain.jobs.countDocuments({ status: { $in: ACTIVE }, tier }, { limit });
  if (active + wanted > limit) throw new RateLimitedError(undefined, RETRY_AFTER_SECONDS, { code: "queue_full" });
}
