/** When the next push about one job may go out. Pure: time comes in as an argument. */
import { isActive, type Job } from "../../common/job.ts";

/** Of one job at most so many pushes go out in a window. */
export const PUSHES_PER_WINDOW = 5;

/** What was pushed about a job, and what is to be pushed next. */
export interface PushLane {
  /** The version pushed last; absent before the first. */
  readonly pushed?: Job;
  /** The version to push next. */
  readonly next: Job;
  /** When the last pushes went out, oldest first; more than a window's worth is not needed. */
  readonly pushedAtMs: readonly number[];
}

/**
 * The first two changes in a window go out at once. From then on changes within so many windows of each
 * other go out together: state, title and picture often come within some milliseconds.
 */
const GATHER_WINDOWS = 1 / 25;

/**
 * The places of a window are shared so that nothing waits behind what matters less: the last one is
 * kept for the end of the job, and one of the others for its picture until that is there.
 * @returns when `next` may be pushed, on the clock of `pushedAtMs`; in the past when it may go now
 */
export function dueAtMs({ pushed, next, pushedAtMs }: PushLane, windowMs: number): number {
  /** When all but `count` of the pushes have left the window. */
  const roomAtMs = (count: number): number => (pushedAtMs.at(-count) ?? -Infinity) + windowMs;
  const lastAtMs = pushedAtMs.at(-1) ?? -Infinity;
  if (!isActive(next.status)) return roomAtMs(PUSHES_PER_WINDOW);
  if (pushed !== undefined && isProgressOnly(pushed, next)) {
    const places = next.thumbnailUrl === undefined ? PUSHES_PER_WINDOW - 2 : PUSHES_PER_WINDOW - 1;
    return Math.max(lastAtMs + windowMs / places, roomAtMs(places));
  }
  return Math.max(roomAtMs(PUSHES_PER_WINDOW - 1), Math.min(lastAtMs + windowMs * GATHER_WINDOWS, roomAtMs(2)));
}

/** Whether nothing has changed but how far the job is and how fast it goes. */
function isProgressOnly(pushed: Job, next: Job): boolean {
  const keys = ["attempt", "status", "title", "thumbnailUrl", "durationSeconds", "note"] as const;
  return keys.every((key) => pushed[key] === next[key]);
}

/** @returns the times of the last pushes, with one more */
export function withPush(pushedAtMs: readonly number[], atMs: number): number[] {
  return [...pushedAtMs, atMs].slice(-PUSHES_PER_WINDOW);
}
