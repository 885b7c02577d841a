/**
 * Announcements for screen readers: the start of a job, each quarter of its progress, a wait for the site, and its end.
 * A batch is announced as a whole, because twenty jobs would be too many announcements.
 */
import type { Job } from "../../../common/job.ts";
import { isActive, isWaiting, resumesAtOf } from "../../../common/job.ts";
import type { QueueChange } from "./queue-changes.ts";
import { tallyOf } from "../stores/batch-tally.ts";

export type Announcement =
  | { readonly kind: "started"; readonly jobs: readonly Job[] }
  | { readonly kind: "quarter"; readonly jobs: readonly Job[]; readonly percent: 25 | 50 | 75 }
  | { readonly kind: "waits"; readonly jobs: readonly Job[]; readonly resumesAt: string }
  | { readonly kind: "ended"; readonly jobs: readonly Job[] };

const QUARTERS = [75, 50, 25] as const;

/** @returns the highest quarter between two percentages; undefined if it decreased, as in a new attempt */
function quarterBetween(before: number, now: number): (typeof QUARTERS)[number] | undefined {
  return QUARTERS.find((quarter) => before < quarter && now >= quarter);
}

/** Groups the jobs of a batch; a single job is its own group. */
function groupsOf(jobs: readonly Job[]): Map<string, Job[]> {
  return Map.groupBy(jobs, ({ id, batchId }) => batchId ?? id);
}

/**
 * Finds what to announce about a change of the queue.
 * @returns nothing for jobs missing before
 */
export function announcementsOf({ before, now, ended }: QueueChange): Announcement[] {
  const earlierGroups = groupsOf(before);
  const progressed = [...groupsOf(now)].flatMap(([id, jobs]): Announcement[] => {
    const earlier = earlierGroups.get(id);
    if (!earlier || !jobs.some(({ status }) => isActive(status))) return [];
    const resumesAt = earlier.every((job) => resumesAtOf(job) === undefined) && jobs.map(resumesAtOf).find(Boolean);
    if (resumesAt) return [{ kind: "waits", jobs, resumesAt }];
    const hasBegun =
      earlier.every(({ status }) => isWaiting(status)) && jobs.some(({ status }) => status === "processing");
    if (hasBegun) return [{ kind: "started", jobs }];
    const percent = quarterBetween(tallyOf(earlier).percent, tallyOf(jobs).percent);
    return percent === undefined ? [] : [{ kind: "quarter", jobs, percent }];
  });
  return [...progressed, ...ended.map(({ jobs }): Announcement => ({ kind: "ended", jobs }))];
}
