/** The video's picture as the cover of an MP4, and whether the file gets it. */
import { abortable, within } from "../../../common/waiting.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { sizeOf } from "../../tool-files/tool-files.ts";
import type { Mp4Plan } from "../plan/encode-plan.ts";
import type { MediaFile } from "../probe/media-file.ts";

export interface Cover {
  /** Of a JPEG. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** What a cover may take of the largest file. Plans leave that much for the container. */
const MAX_SHARE = 0.01;

type Source = Pick<MediaFile, "sizeBytes" | "durationSeconds">;

/** Whether a result stays within the limit with the cover. Tracks that are copied keep the size of their sources. */
function staysInLimit(
  coverBytes: number,
  { video, durationSeconds: plannedSeconds }: Mp4Plan,
  sources: readonly Source[],
  { maxFileBytes }: TierLimits,
): boolean {
  if (coverBytes > MAX_SHARE * maxFileBytes) return false;
  if (video.method !== "copy") return true;
  const sourceBytes = sources.reduce(
    (sum, { sizeBytes, durationSeconds = 0 }) => sum + sizeBytes * Math.min(1, plannedSeconds / durationSeconds),
    0,
  );
  return sourceBytes + coverBytes <= (1 - MAX_SHARE) * maxFileBytes;
}

/**
 * @param path of the picture; undefined: there is none
 * @returns undefined when the result is made without a cover, because it may become too large with it
 */
export async function coverFor(
  path: string | undefined,
  plan: Mp4Plan,
  sources: readonly Source[],
  limits: TierLimits,
): Promise<Cover | undefined> {
  if (path === undefined) return undefined;
  const sizeBytes = await sizeOf(path);
  return staysInLimit(sizeBytes, plan, sources, limits) ? { path, sizeBytes } : undefined;
}

/**
 * Waits for the picture, which is fetched at the same time as the video.
 * @returns its path; undefined when there is none, or it is not there after `maxWaitMs`
 * @throws what the picture's task throws; `signal.reason` when aborted
 */
export async function pictureInTime(
  coverPath: Promise<string | undefined>,
  maxWaitMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  return within(maxWaitMs, abortable(coverPath, signal));
}
