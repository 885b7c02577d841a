/**
 * What is said about the queue to those who listen instead of look: that work has begun, each quarter of
 * it, and how it ended. A batch speaks as one, or twenty jobs would talk at a time.
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

/** The highest quarter that lies between two percentages; none when it went backwards, as a new attempt does. */
function quarterBetween(before: number, now: number): (typeof QUARTERS)[number] | undefined {
  return QUARTERS.find((quarter) => before < quarter && now >= quarter);
}

/** Single jobs each by itself, those of a batch together. */
function groupsOf(jobs: readonly Job[]): Map<string, Job[]> {
  return Map.groupBy(jobs, ({ id, batchId }) => batchId ?? id);
}

/** What happened between two looks at the queue; nothing of work that was not in sight at the first of them. */
export function announcementsBetween(before: readonly Job[], now: readonly Job[]): Announcement[] {
  const known = groupsOf(before);
  const moved = [...groupsOf(now)].flatMap(([id, jobs]): Announcement[] => {
    const earlier = known.get(id);
    if (!earlier || !jobs.some(({ status }) => isActive(status))) return [];
    const hasBegun =
      earlier.every(({ status }) => isWaiting(status)) && jobs.some(({ status }) => status === "processing");
    if (hasBegun) return [{ kind: "started", jobs }];
    const percent = quarterBetween(tallyOf(earlier).percent, tallyOf(jobs).percent);
    return percent === undefined ? [] : [{ kind: "quarter", jobs, percent }];
  });
  const ended = endedBetween(before, now).map((one): Announcement => ({
    kind: "ended",
    jobs: "batch" in one ? one.batch : [one.job],
  }));
  return [...moved, ...ended];
}
