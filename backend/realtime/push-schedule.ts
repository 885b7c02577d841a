/** Decides when the next version of one job may be pushed. Pure: times are arguments. */
import { isActive, resumesAtOf, type Job } from "../../common/job.ts";

/** At most this many pushes of one job are sent within any window. */
export const PUSHES_PER_WINDOW = 5;
/**
 * Where several processes push, each one keeps a push free for another that it has not heard of yet: a worker may
 * report progress in the moment in which a web process cancels the job.
 */
export const PUSHES_PER_WINDOW_IN_CLUSTER = PUSHES_PER_WINDOW - 1;

export interface PushSchedule {
  /** The version pushed last; absent before the first push. */
  readonly lastPushed?: Job;
  /** The version to push next. */
  readonly next: Job;
  /** The times of the last pushes, oldest first, at most `PUSHES_PER_WINDOW`. */
  readonly pushedAtMs: readonly number[];
}

/**
 * In windows. The first two changes within a window are pushed at once; later ones wait this long after the last push,
 * because status, title and picture often change within a few milliseconds and then share one push.
 */
const MERGE_WINDOWS = 1 / 25;
/**
 * In windows. Title and picture of a job that has not begun yet wait this long for its next status. A push of their own
 * would leave too few for the progress of the first second.
 */
const DETAILS_WINDOWS = 1 / 5;
/** In windows. A push that would use up the window waits until at most this time without pushes follows it. */
const SILENCE_WINDOWS = 2 / 5;

export interface PushLimit {
  /** Length of a window. */
  readonly windowMs: number;
  /** At most `PUSHES_PER_WINDOW`. The last of them is reserved for the end of the job, which progress never delays. */
  readonly pushes: number;
}

/** @returns when `next` may be pushed, on the clock of `pushedAtMs`; in the past if it may be pushed now */
export function dueAtMs({ lastPushed, next, pushedAtMs }: PushSchedule, { windowMs, pushes }: PushLimit): number {
  const pushesWhileActive = pushes - 1;
  /** When fewer than `count` of the pushes are still within the window. */
  const fewerThanAtMs = (count: number): number => (pushedAtMs.at(-count) ?? -Infinity) + windowMs;
  const lastAtMs = pushedAtMs.at(-1) ?? -Infinity;
  if (!isActive(next.status)) return fewerThanAtMs(pushes);

  const isStatusChange = lastPushed?.attempt !== next.attempt || lastPushed.status !== next.status;
  const mergedAfterMs = (windows: number): number => Math.min(lastAtMs + windowMs * windows, fewerThanAtMs(2));
  const mergedAtMs = mergedAfterMs(MERGE_WINDOWS);
  if (isStatusChange) return Math.max(fewerThanAtMs(pushesWhileActive), mergedAtMs);

  // A job starts with several changes at once, which use up the window. Its last push waits for the middle of what is left.
  const nextWindowAtMs = fewerThanAtMs(pushesWhileActive - 1);
  const spreadAtMs = Math.min(nextWindowAtMs - windowMs * SILENCE_WINDOWS, (lastAtMs + nextWindowAtMs) / 2);
  const earliestMs = Math.max(fewerThanAtMs(pushesWhileActive), spreadAtMs);
  const isPause = resumesAtOf(lastPushed) !== resumesAtOf(next);
  if (next.status !== "processing" && !isPause) return Math.max(earliestMs, mergedAfterMs(DETAILS_WINDOWS));
  if (!isProgressOnly(lastPushed, next)) return Math.max(earliestMs, mergedAtMs);
  // While the picture is missing, progress is pushed more slowly, so that the picture can follow at once.
  const rate = next.thumbnailUrl === undefined ? pushesWhileActive - 1 : pushesWhileActive;
  return Math.max(earliestMs, lastAtMs + windowMs / rate);
}

/** Whether only the progress differs: percentage, stage, speed and time left. */
function isProgressOnly(lastPushed: Job, next: Job): boolean {
  const keys = ["title", "thumbnailUrl", "durationSeconds", "note"] as const;
  return keys.every((key) => lastPushed[key] === next[key]) && resumesAtOf(lastPushed) === resumesAtOf(next);
}

/** @returns `pushedAtMs` with one more push, without the pushes that no longer matter */
export function withPush(pushedAtMs: readonly number[], atMs: number): number[] {
  return [...pushedAtMs, atMs].slice(-PUSHES_PER_WINDOW);
}
