/** Which rows stand in the list: the jobs, and for a moment those that have just left it. */
import { useCallback, useState } from "react";
import type { Job } from "../../../../common/job.ts";

export interface Row {
  readonly job: Job;
  readonly motion: "entering" | "resting" | "leaving";
}

/** Keeps rows whose job has gone, at their place, until they are let go. */
export function followJobs(rows: readonly Row[], jobs: readonly Job[]): Row[] {
  const known = new Map(rows.map((row) => [row.job.id, row]));
  const present = new Set(jobs.map((job) => job.id));
  const next: Row[] = jobs.map((job) => {
    const motion = known.get(job.id)?.motion;
    return { job, motion: motion === undefined || motion === "leaving" ? "entering" : motion };
  });
  let place = 0;
  for (const row of rows) {
    if (present.has(row.job.id)) place = next.findIndex(({ job }) => job.id === row.job.id) + 1;
    else next.splice(place++, 0, row.motion === "leaving" ? row : { ...row, motion: "leaving" });
  }
  return next;
}

/** @returns the rows, and what to call when a leaving row's motion has ended. */
export function useRows(jobs: readonly Job[]): [readonly Row[], (id: string) => void] {
  const [followed, setFollowed] = useState(jobs);
  const [rows, setRows] = useState<readonly Row[]>(() => jobs.map((job) => ({ job, motion: "resting" })));
  if (followed !== jobs) {
    setFollowed(jobs);
    setRows(followJobs(rows, jobs));
  }
  const letGo = useCallback(
    (id: string) => setRows((all) => all.filter((row) => row.job.id !== id || row.motion !== "leaving")),
    [],
  );
  return [rows, letGo];
}
