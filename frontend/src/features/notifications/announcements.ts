/**
 * Announcements for screen readers: the start of a job, each quarter of its progress, and its end.
 * A batch is announced as a whole, because twenty jobs would be too many announcements.
 */
import type { Job } from "../../../../common/job.ts";
import { isActive, isWaiting } from "../../../../common/job.ts";
import { endedBetween } from "./ended.ts";
import { tallyOf } from "../../stores/queue-items.ts";

export type Announcement =
  | { readonly kind: "started"; readonly jobs: readonly Job[] }
  | { readonly kind: "quarter"; readonly jobs: readonly Job[]; readonly percent: 25 | 50 | 75 }
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
 * Finds what to announce about the changes between two states of the queue.
 * @returns nothing for jobs missing in the first state
 */
export function announcementsBetween(before: readonly Job[], now: readonly Job[]): Announcement[] {
  const earlierGroups = groupsOf(before);
  const progressed = [...groupsOf(now)].flatMap(([id, jobs]): Announcement[] => {
    const earlier = earlierGroups.get(id);
    if (!earlier || !jobs.some(({ status }) => isActive(status))) return [];
    const hasBegun =
      earlier.every(({ status }) => isWaiting(status)) && jobs.some(({ status }) => status === "processing");
    if (hasBegun) return [{ kind: "started", jobs }];
    const percent = quarterBetween(tallyOf(earlier).percent, tallyOf(jobs).percent);
    return percent === undefined ? [] : [{ kind: "quarter", jobs, percent }];
  });
  const ended = endedBetween(before, now).map((end): Announcement => ({
    kind: "ended",
    jobs: "batch" in end ? end.batch : [end.job],
  }));
  return [...progressed, ...ended];
}
