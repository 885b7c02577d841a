/** The one way a job's status is written: compare and set, then told to whoever may see the job. */
import type { UpdateQuery } from "mongoose";
import type { JobStatus } from "../../../common/job.ts";
import type { Domain } from "../domain.ts";
import type { StoredJob } from "./job-model.ts";
import { presentJob } from "./present.ts";
import { sourcesOf } from "./transitions.ts";
import { audienceOf } from "../accounts/viewer.ts";

/**
 * Moves a job to `to` if it is in a status from which that is legal and matches the condition.
 * @returns the job as it is now, or null when it was not as expected; nothing is changed then
 */
export async function moveJob(
  domain: Domain,
  condition: object,
  to: JobStatus,
  update: UpdateQuery<StoredJob>,
): Promise<StoredJob | null> {
  const isEnd = to === "completed" || to === "canceled" || to === "failed";
  const job = await domain.jobs
    .findOneAndUpdate(
      { $and: [condition, { status: { $in: sourcesOf(to) } }] },
      {
        ...update,
        $set: { ...update.$set, status: to, updatedAt: new Date() },
        ...(isEnd ? { $unset: { ...update.$unset, place: 1 } } : {}),
      },
      { returnDocument: "after" },
    )
    .lean<StoredJob>();
  if (job) {
    announce(domain, job);
    if (isEnd)
      domain.bus.publish("job:ended", {
        format: job.format,
        outcome: to === "failed" ? (job.error?.code ?? "internal") : to,
      });
  }
  return job;
}

/** Pushes a job as it is to everybody who may see it. */
export function announce(domain: Domain, job: StoredJob): void {
  domain.bus.publish("job", { audience: audienceOf(job), job: presentJob(job) });
}

/** What a job gains while it is worked on and must not carry into its next start. */
export const WORK_FIELDS = {
  stage: 1,
  etaSeconds: 1,
  bytesPerSecond: 1,
  workerId: 1,
  leaseExpiresAt: 1,
  error: 1,
  note: 1,
  // Named, but not reached.
  fileKey: 1,
} as const;
