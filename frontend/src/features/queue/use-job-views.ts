import { useJobs } from "../../client/stores.ts";
import { laterScript } from "../../platform/later-script.ts";
import type { JobsState } from "../../stores/jobs.ts";

/** All that shows jobs: no list of jobs has arrived when the page is rendered. */
export const jobViews = laterScript(() => import("./job-views.ts"));

/** What the queue shows: the list is only known here when its rows can be rendered, too. */
export function useQueuePhase(): JobsState["phase"] {
  const phase = useJobs((state) => state.phase);
  const { script, hasFailed } = jobViews.useScript();
  if (phase !== "ready" || script) return phase;
  return hasFailed ? "failed" : "loading";
}
