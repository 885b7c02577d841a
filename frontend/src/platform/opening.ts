/**
 * The home page's opening is compact for a visitor with jobs, so that the job is in view on a phone. It shrinks when the
 * first conversion is submitted, and on later visits before the first paint: at no other time, because the converter
 * below it would move while the visitor looks. index.html does the latter, and sets `data-has-jobs` too.
 */
import type { TextStorage } from "./text-storage.ts";
import { HAS_JOBS_KEY as KEY } from "./storage-keys.ts";

/** Selects an element in a page that was opened by a visitor with jobs. */
export const WITH_JOBS = "html[data-has-jobs] &";

/** Whether the visitor had jobs when the page was opened. */
export const wasOpenedWithJobs = (): boolean =>
  typeof document !== "undefined" && "hasJobs" in document.documentElement.dataset;

/**
 * Must be called while user input is handled. Everything below moves up under the finger: theme/base.css lets it take no
 * tap for a moment.
 */
export function shrinkOpening(): void {
  document.documentElement.dataset["compact"] ??= "now";
}

/** @returns a function that stores whether the visitor has jobs: then the next page begins with the compact opening */
export function createJobsMemory(storage: TextStorage): (hasJobs: boolean) => void {
  let isStored = storage.getItem(KEY) !== null;
  return (hasJobs) => {
    if (hasJobs === isStored) return;
    isStored = hasJobs;
    if (hasJobs) storage.setItem(KEY, "yes");
    else storage.removeItem(KEY);
  };
}
