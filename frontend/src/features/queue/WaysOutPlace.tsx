import { Suspense, lazy } from "react";
import type { StuckJob } from "./WaysOut.tsx";

// Most jobs neither fail nor expire while they are shown.
const WaysOut = lazy(() => import("./WaysOut.tsx"));

/** The place of the ways out of a job that has failed, or whose file has expired. */
export function WaysOutPlace({ job }: { job: StuckJob }) {
  return (
    <Suspense>
      <WaysOut job={job} />
    </Suspense>
  );
}
