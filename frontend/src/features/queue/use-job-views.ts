/** Loads the script that shows jobs as soon as the page is rendered: no list of jobs has arrived by then. */
import { useEffect, useSyncExternalStore } from "react";
import { useJobs } from "../../client/stores.ts";
import type { JobsState } from "../../stores/jobs.ts";

type JobViews = typeof import("./job-views.ts");

interface JobViewsState {
  /** Null until they are loaded. */
  readonly views: JobViews | null;
  readonly hasFailed: boolean;
}

const NONE: JobViewsState = { views: null, hasFailed: false };
let state = NONE;
const listeners = new Set<() => void>();

function change(next: JobViewsState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Loads the script again after a failure. */
export async function loadJobViews(): Promise<void> {
  if (state.views) return;
  try {
    change({ views: await import("./job-views.ts"), hasFailed: false });
  } catch (error) {
    // Browsers throw a TypeError when a dynamic import fails.
    if (!(error instanceof TypeError)) throw error;
    change({ views: null, hasFailed: true });
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useJobViews(): JobViewsState {
  useEffect(() => void loadJobViews(), []);
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => NONE,
  );
}

/** What the queue shows: the list is only known here when its rows can be rendered, too. */
export function useQueuePhase(): JobsState["phase"] {
  const phase = useJobs((state) => state.phase);
  const { views, hasFailed } = useJobViews();
  if (phase !== "ready" || views) return phase;
  return hasFailed ? "failed" : "loading";
}
