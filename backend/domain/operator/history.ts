/** The last 24 hours in quarters: how many jobs were asked for, how many failed, and how long they waited. */
import type { HistoryPoint } from "../../../common/operator.ts";
import type { Domain } from "../domain.ts";

const QUARTER_MS = 15 * 60 * 1_000;
const QUARTERS = 24 * 4;
/** Longer waits count as this long, so that a quarter has a bounded number of groups. */
const LONGEST_WAIT_SECONDS = 3_600;
const QUANTILE = 0.95;

interface Group {
  readonly _id: { readonly quarter: number; readonly hasFailed: boolean; readonly waitSeconds: number | null };
  readonly count: number;
}

/** @returns a point for each quarter, also for those without jobs, oldest first */
export async function readHistory({ jobs }: Pick<Domain, "jobs">, now: Date = new Date()): Promise<HistoryPoint[]> {
  const endMs = Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS + QUARTER_MS;
  const start = new Date(endMs - QUARTERS * QUARTER_MS);
  // Waits are grouped by whole seconds: the quantile is as exact as a picture shows it, and the groups fit in one answer
  // however many jobs there were.
  const groups = await jobs.aggregate<Group>([
    { $match: { createdAt: { $gte: start } } },
    {
      $project: {
        quarter: { $floor: { $divide: [{ $subtract: ["$createdAt", start] }, QUARTER_MS] } },
        hasFailed: { $eq: ["$status", "failed"] },
        waitSeconds: {
          $cond: [
            { $gt: ["$firstClaimedAt", null] },
            { $ceil: { $divide: [{ $subtract: ["$firstClaimedAt", "$createdAt"] }, 1_000] } },
            null,
          ],
        },
      },
    },
    {
      $group: {
        _id: {
          quarter: "$quarter",
          hasFailed: "$hasFailed",
          waitSeconds: {
            $cond: [{ $gt: ["$waitSeconds", LONGEST_WAIT_SECONDS] }, LONGEST_WAIT_SECONDS, "$waitSeconds"],
          },
        },
        count: { $sum: 1 },
      },
    },
  ]);
  const byQuarter = Map.groupBy(groups, ({ _id }) => _id.quarter);
  return Array.from({ length: QUARTERS }, (_, quarter) =>
    pointOf(new Date(start.getTime() + quarter * QUARTER_MS), byQuarter.get(quarter) ?? []),
  );
}

function pointOf(at: Date, groups: readonly Group[]): HistoryPoint {
  const sum = (chosen: readonly Group[]): number => chosen.reduce((total, { count }) => total + count, 0);
  return {
    at: at.toISOString(),
    jobs: sum(groups),
    failed: sum(groups.filter(({ _id }) => _id.hasFailed)),
    waitP95Seconds: quantileOfWaits(groups),
  };
}

function quantileOfWaits(groups: readonly Group[]): number | null {
  const waits = groups
    .flatMap(({ _id, count }) => (_id.waitSeconds === null ? [] : [{ seconds: Math.max(0, _id.waitSeconds), count }]))
    .toSorted((a, b) => a.seconds - b.seconds);
  const rank = QUANTILE * waits.reduce((total, { count }) => total + count, 0);
  let below = 0;
  for (const { seconds, count } of waits) {
    below += count;
    if (below >= rank) return seconds;
  }
  return null;
}
