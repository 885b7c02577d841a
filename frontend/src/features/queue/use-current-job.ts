import { useCurrentJob, useJobs } from "../../client/stores.ts";
import { jobsById } from "../../stores/jobs.ts";

/** Whether the current job is shown in the converter, and not in the queue. */
export function useHasCurrentJob(): boolean {
  const currentId = useCurrentJob((state) => state.id);
  return useJobs((state) => currentId !== null && jobsById(state).has(currentId));
}
