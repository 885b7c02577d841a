/** The one place where a stored follow becomes its wire form. */
import type { CameVideo, Follow, FollowState } from "../../../common/follows.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Viewer } from "../accounts/viewer.ts";
import type { Domain } from "../domain.ts";
import { findJobs } from "../jobs/find-jobs.ts";
import type { StoredJob } from "../jobs/job-model.ts";
import { presentJob } from "../jobs/present.ts";
import type { StoredCame, StoredFollow } from "./follow-model.ts";
import { endOfQuiet } from "./quiet-hours.ts";

export async function presentFollow(
  domain: Domain,
  { userId, tier }: Pick<Viewer, "userId" | "tier">,
  follow: Omit<StoredFollow, "seen">,
  now: Date = new Date(),
): Promise<Follow> {
  const { _id, link, title, format, choices, perDay, quietHours, createdAt, nextLookAt, lastLookAt } = follow;
  const ids = follow.came.flatMap(({ jobId }) => jobId ?? []);
  const jobs = ids.length === 0 ? [] : await findJobs(domain, { _id: { $in: ids }, userId });
  const byId = new Map(jobs.map((job) => [job._id, job]));
  return {
    id: _id,
    link,
    title,
    format,
    ...(choices && { choices }),
    perDay,
    quietHours,
    createdAt: createdAt.toISOString(),
    state: stateOf(follow, TIERS[tier].maxFollows > 0, now),
    nextLookAt: nextLookAt?.toISOString() ?? null,
    lastLookAt: lastLookAt.toISOString(),
    failure: follow.failure,
    waiting: follow.waiting,
    came: follow.came.map((video) => presentCame(video, byId.get(video.jobId ?? ""))),
  };
}

function stateOf(
  { nextLookAt, failure, isPutOff, quietHours }: Omit<StoredFollow, "seen">,
  isInPlan: boolean,
  now: Date,
): FollowState {
  if (!nextLookAt) return "paused";
  if (!isInPlan) return "needs_pro";
  if (failure?.code === "blocked") return "blocked";
  if (quietHours && endOfQuiet(quietHours, now)) return "quiet";
  if (isPutOff) return "put_off";
  return failure ? "failing" : "on";
}

function presentCame({ link, title, at, failure }: StoredCame, stored: StoredJob | undefined): CameVideo {
  const job = stored && presentJob(stored);
  const downloadUrl = job?.status === "completed" ? job.downloadUrl : undefined;
  return {
    link,
    title,
    at: at.toISOString(),
    job: job ? { id: job.id, status: job.status, ...(downloadUrl === undefined ? {} : { downloadUrl }) } : null,
    failure: failure ?? (job?.status === "failed" ? job.error : null),
  };
}
