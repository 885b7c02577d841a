import type { FinishedStore } from "../stores/finished.ts";
import type { QueueChange } from "./queue-changes.ts";

export interface FinishedParts {
  readonly finished: FinishedStore;
  /** Whether the page is visible and has the focus. */
  readonly isLooking: () => boolean;
  /** Targets of the events `focus` and `visibilitychange`. */
  readonly browser: EventTarget;
  readonly page: EventTarget;
}

/**
 * Shows in the document title what ends while the visitor does not look, until the visitor looks.
 * @returns a handler of the queue's changes
 */
export function showFinished({ finished, isLooking, browser, page }: FinishedParts) {
  const onLook = () => isLooking() && finished.getState().clear();
  browser.addEventListener("focus", onLook);
  page.addEventListener("visibilitychange", onLook);
  return ({ ended }: QueueChange): void => {
    if (isLooking()) return;
    for (const { jobs } of ended) if (jobs.some(({ status }) => status === "completed")) finished.getState().show(jobs);
  };
}
