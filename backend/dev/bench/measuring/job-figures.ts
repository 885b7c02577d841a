/** Figures of one job, computed from its pushes. */
import type { Job } from "../../../../common/job.ts";

export interface Push {
  /** Time of arrival at the client, milliseconds since 1970. */
  readonly atMs: number;
  readonly job: Job;
}

export interface JobFigures {
  readonly wallMs: number;
  readonly firstPushMs: number;
  /** Until a worker started it, by the server's time. Undefined when the client received no push of that state. */
  readonly takenUpMs?: number;
  /** Longest gap between two pushes from the start of processing to the end. 0 when it ended at once. */
  readonly longestSilenceMs: number;
  /** For each estimate after the first tenth: difference from the real end, as a share of the whole time. */
  readonly etaErrors: readonly number[];
}

const SETTLED_SHARE = 0.1;

/**
 * @param pushes of one job in the order of arrival
 * @param postedAtMs time of the call, milliseconds since 1970
 * @throws Error unless the last push says that the job is completed
 */
export function figuresOf(pushes: readonly Push[], postedAtMs: number): JobFigures {
  const last = pushes.at(-1);
  if (last?.job.status !== "completed")
    throw new Error(
      `${last?.job.title}: ${last?.job.status} ${last?.job.status === "failed" ? last.job.error.message : ""}`,
    );
  const wallMs = last.atMs - postedAtMs;
  const working = pushes.filter(({ job }) => job.status === "processing" || job.status === "completed");
  const silencesMs = working.slice(1).map(({ atMs }, index) => atMs - (working[index]?.atMs ?? atMs));
  const taken = pushes.find(({ job }) => job.status === "pending");
  const etaErrors = pushes.flatMap(({ atMs, job }) => {
    const spentMs = atMs - postedAtMs;
    if (job.status !== "processing" || job.etaSeconds === undefined || spentMs < wallMs * SETTLED_SHARE) return [];
    return [Math.abs(spentMs + job.etaSeconds * 1_000 - wallMs) / wallMs];
  });
  return {
    wallMs,
    firstPushMs: (pushes[0]?.atMs ?? postedAtMs) - postedAtMs,
    ...(taken && { takenUpMs: Date.parse(taken.job.updatedAt) - postedAtMs }),
    longestSilenceMs: Math.max(0, ...silencesMs),
    etaErrors,
  };
}
