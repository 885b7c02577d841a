/** How many jobs wait and run, by tier, and how long they wait: for the metrics and for operators. */
import type { Tier } from "../../../common/tiers.ts";
import type { JobModel } from "./job-model.ts";

export interface QueueFigures {
  readonly waiting: Record<Tier, number>;
  /** No worker would help these. */
  readonly waitingForSite: Record<Tier, number>;
  readonly running: Record<Tier, number>;
  /** How long the job that has waited longest has waited. */
  readonly ageSeconds: Record<Tier, number>;
}

interface QueueGroup {
  readonly _id: { readonly status: string; readonly tier: Tier; readonly isForSite: boolean };
  readonly count: number;
  readonly since: Date;
}

export async function readQueue(jobs: JobModel): Promise<QueueFigures> {
  const now = new Date();
  const groups = await jobs.aggregate<QueueGroup>([
    { $match: { status: { $in: ["queued", "pending", "processing"] } } },
    {
      $group: {
        _id: { status: "$status", tier: "$tier", isForSite: { $gt: ["$resumesAt", now] } },
        count: { $sum: 1 },
        // A job that waited for its site waits for a worker only since the end of that.
        since: { $min: { $max: ["$updatedAt", "$resumesAt"] } },
      },
    },
  ]);
  const none = { free: 0, pro: 0 } satisfies Record<Tier, number>;
  const figures: QueueFigures = {
    waiting: { ...none },
    waitingForSite: { ...none },
    running: { ...none },
    ageSeconds: { ...none },
  };
  for (const { _id, count, since } of groups) {
    const { status, tier, isForSite } = _id;
    if (status !== "queued") figures.running[tier] += count;
    else if (isForSite) figures.waitingForSite[tier] = count;
    else {
      figures.waiting[tier] = count;
      figures.ageSeconds[tier] = Math.max(0, (now.getTime() - since.getTime()) / 1_000);
    }
  }
  return figures;
}
