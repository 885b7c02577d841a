/** Preview data of started jobs, shown until the server has read the video's metadata. */
import { createStore } from "zustand/vanilla";
import type { Preview } from "../../../common/api.ts";
import { isWaiting } from "../../../common/job.ts";
import type { Job } from "../../../common/job.ts";

/** Limits the memory for thumbnails; older jobs have their metadata by then. */
const MAX_PREVIEWS = 20;

export type PreviewedVideo = Pick<Preview, "title" | "thumbnail" | "durationSeconds">;

export interface PreviewedJobsState {
  readonly byJob: ReadonlyMap<string, PreviewedVideo>;
  readonly add: (jobId: string, previewed: PreviewedVideo) => void;
}

export function createPreviewedJobsStore() {
  return createStore<PreviewedJobsState>()((set) => ({
    byJob: new Map(),
    add: (jobId, { title, thumbnail, durationSeconds }) =>
      set(({ byJob }) => ({
        byJob: new Map([...byJob, [jobId, { title, thumbnail, durationSeconds }] as const].slice(-MAX_PREVIEWS)),
      })),
  }));
}

/**
 * Adds preview data to a job. Once the server has read the metadata, only the thumbnail is added: it is
 * the same picture and already loaded.
 */
export function withPreview(job: Job, previewed: PreviewedVideo | undefined): Job {
  if (!previewed) return job;
  const { title, thumbnail, durationSeconds } = previewed;
  const withPicture = { ...job, thumbnailUrl: thumbnail ?? job.thumbnailUrl };
  if (!isWaiting(job.status) || job.durationSeconds !== undefined) return withPicture;
  return { ...withPicture, title, durationSeconds: durationSeconds ?? undefined };
}
