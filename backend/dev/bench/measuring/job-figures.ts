/** What the pushes about one job tell of its way. Pure. */
import type { Job } from "../../../../common/job.ts";

export interface Push {
  /** Milliseconds since 1970, when it came to the client. */
  readonly atMs: number;
  readonly job: Job;
}

export interface JobFigures {
  readonly wallMs: number;
  readonly firstPushMs: number;
  /** Until a worker had it, by the server's stamp. Absent when the client never heard of that state. */
  readonly takenUpMs?: number;
  /** Between two pushes, from the first of the work to the end. 0 when it ended at once. */
  readonly longestSilenceMs: number;
  /**
   * Of each estimate after the first tenth: how far the end it foretold lay from the true one, as a share of the whole
   * time.
   */
  readonly etaErrors: readonly number[];
}

const SETTLED_SHARE = 0.1;

/**
 * @param pushes about one job, in order of arrival, the last of them that it is completed
 * @throws Error when the job ended otherwise
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
    ...(taken ? { takenUpMs: Date.parse(taken.job.updatedAt) - postedAtMs } : {}),
    longestSilenceMs: Math.max(0, ...silencesMs),
    etaErrors,
  };
}
