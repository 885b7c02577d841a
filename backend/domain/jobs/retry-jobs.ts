/** Queues failed and canceled jobs of a visitor again. */
import { UserError } from "../../../common/errors.ts";
import { qualityFor, TIERS } from "../../../common/tiers.ts";
import { moveJob, WAIT_FIELDS, WORK_FIELDS } from "./change.ts";
import type { Domain } from "../domain.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import { freeJobSlots, readActiveJobs, releaseStaleSlots, requireCapacity, serializeByOwner } from "./active-limit.ts";
import type { StoredJob } from "./job-model.ts";
import { chooseNetworkSlots, requireQueueCapacity } from "./network-limit.ts";
import { isDuplicateKeyError, untilKeyIsFree } from "../database/duplicate-key.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";
import { subjectsOf } from "../blocks/subjects.ts";
import { askedBy, priorityOf } from "./add-jobs.ts";
import { conversionKeyOf } from "./conversion-key.ts";
import { requireTier } from "./output.ts";
import { getJob } from "./read-jobs.ts";
import { ticketOf } from "./ticket-of.ts";

/**
 * Queues a failed or canceled job again, with as many attempts as a new job has.
 * @throws UserError not_found; conflict when the job is neither failed nor canceled; pro_required when its format is not
 *   of the viewer's tier any more; rate_limited; network_busy; queue_full; access_blocked
 * @throws ConversionError blocked
 */
export async function retryJob(domain: Domain, viewer: Viewer, id: string): Promise<StoredJob> {
  domain.blocks.requireViewer(viewer);
  const job = await getJob(domain, viewer, id);
  domain.blocks.requireSubjects(job.subjects ?? subjectsOf(job.sourceUrl));
  if (job.status !== "failed" && job.status !== "canceled") throw new UserError("conflict");
  requireTier(viewer, job);
  const [retried] = await retryJobs(domain, viewer, [job]);
  if (!retried) throw new UserError("conflict");
  return retried;
}

/**
 * Queues failed or canceled jobs again.
 * @returns the queued jobs; those that another request has queued meanwhile are left out
 * @throws UserError rate_limited, network_busy, queue_full when no job could be queued
 */
export function retryJobs(domain: Domain, viewer: Viewer, jobs: readonly StoredJob[]): Promise<StoredJob[]> {
  return serializeByOwner(domain, viewer, async () => {
    const active = await readActiveJobs(domain, viewer);
    requireCapacity(domain, viewer, jobs.length, active.count);
    await requireQueueCapacity(domain, viewer.tier, jobs.length);
    const slots = freeJobSlots(viewer, active, jobs.length);
    const results = await Promise.allSettled(
      jobs.map((job, index) => retryInSlot(domain, viewer, job, active.count + index, slots[index])),
    );
    const retried = results.flatMap((result) => (result.status === "fulfilled" ? (result.value ?? []) : []));
    await Promise.all(retried.map((job) => domain.tickets.enqueue(ticketOf(job))));
    const failed = results.find((result) => result.status === "rejected");
    // Some jobs may be queued although another process has taken the other slots.
    if (failed && (retried.length === 0 || !(failed.reason instanceof RateLimitedError))) throw failed.reason;
    return retried;
  });
}

/**
 * @param firstSlot tried first; another free slot is chosen when another process has taken it
 * @returns null when another request has queued the job meanwhile
 * @throws RateLimitedError when all slots are taken, or a chosen one was taken at each try
 */
async function retryInSlot(
  domain: Domain,
  viewer: Viewer,
  job: StoredJob,
  activeBefore: number,
  firstSlot: string | undefined,
): Promise<StoredJob | null> {
  const upgraded = { ...job, ...upgradeTo(domain, viewer, job) };
  const { tier, quality, conversionKey } = upgraded;
  let slot = firstSlot;
  const { moved } = await untilKeyIsFree(async () => {
    const [networkSlot] = await chooseNetworkSlots(domain, viewer, tier, 1);
    try {
      return {
        moved: await moveJob(domain, { _id: job._id, attempt: job.attempt, ...visibleTo(viewer) }, "queued", {
          $set: {
            tier,
            quality,
            conversionKey,
            // Left out when there is none: null would count in the unique index.
            ...(slot === undefined ? {} : { place: slot }),
            ...networkSlot,
            ...askedBy(viewer, new Date()),
            attempt: job.attempt + 1,
            finalAttempt: job.attempt + domain.limits.maxAttempts,
            progress: 0,
            priority: priorityOf(upgraded, activeBefore),
          },
          $unset: { ...WORK_FIELDS, ...WAIT_FIELDS, "tape.waitsFor": 1 },
        }),
      };
    } catch (error) {
      if (!isDuplicateKeyError(error) || slot === undefined) throw error;
      await releaseStaleSlots(domain, viewer, [slot]);
      const active = await readActiveJobs(domain, viewer);
      requireCapacity(domain, viewer, 1, active.count);
      slot = freeJobSlots(viewer, active, 1)[0];
      return null;
    }
  });
  return moved;
}

/**
 * A job keeps the tier it was created with, with one exception: a retry after an upgrade uses the new tier, because
 * the job may have failed at a limit of the old one. A downgrade changes nothing, except that a format of Pro is not
 * converted to again.
 * @returns the fields that change
 */
function upgradeTo(
  domain: Domain,
  viewer: Viewer,
  job: StoredJob,
): Partial<Pick<StoredJob, "tier" | "quality" | "conversionKey">> {
  const { tier } = viewer;
  // A cut is as good as the file that it is made of.
  if (TIERS[tier].priority <= TIERS[job.tier].priority || job.cutOf) return {};
  const quality = qualityFor(tier, job.format);
  return { tier, quality, conversionKey: conversionKeyOf(domain, viewer, { ...job, quality, tier }) };
}
