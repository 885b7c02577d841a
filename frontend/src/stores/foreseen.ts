/** What a preview has shown of jobs started from it, for as long as the server has yet to look at the video. */
import { createStore } from "zustand/vanilla";
import type { Preview } from "../../../common/api.ts";
import { isWaiting } from "../../../common/job.ts";
import type { Job } from "../../../common/job.ts";

/** Pictures are kept within the page; nobody starts more than this and still looks at the first. */
const MOST_KEPT = 20;

export type Foreseen = Pick<Preview, "title" | "thumbnail" | "durationSeconds">;

export interface ForeseenState {
  readonly byJob: ReadonlyMap<string, Foreseen>;
  readonly keep: (jobId: string, foreseen: Foreseen) => void;
}

export type ForeseenStore = ReturnType<typeof createForeseenStore>;

export function createForeseenStore() {
  return createStore<ForeseenState>()((set) => ({
    byJob: new Map(),
    keep: (jobId, { title, thumbnail, durationSeconds }) =>
      set(({ byJob }) => ({
        byJob: new Map([...byJob, [jobId, { title, thumbnail, durationSeconds }] as const].slice(-MOST_KEPT)),
      })),
  }));
}

/**
 * A job with what its preview knew. The server's word goes first once it has looked at the video; only
 * the picture stays, since it is the same one and is here already.
 */
export function withForeseen(job: Job, foreseen: Foreseen | undefined): Job {
  if (!foreseen) return job;
  const { title, thumbnail, durationSeconds } = foreseen;
  const picture = thumbnail === null ? {} : { thumbnailUrl: thumbnail };
  if (!isWaiting(job.status) || job.durationSeconds !== undefined) return { ...job, ...picture };
  return { ...job, ...picture, title, ...(durationSeconds === null ? {} : { durationSeconds }) };
}
