import { memo } from "react";
import { useRemovals } from "../../client/removals.ts";
import { JobContent } from "./JobContent.tsx";
import { RemovedJob } from "./RemovedJob.tsx";
import { Slot } from "./Slot.tsx";
import type { RowProps } from "./Slot.tsx";
import { useShownJob } from "./use-jobs.ts";

/** One job of the list. The progress bar has its own subscription, so that a push renders only the bar. */
export const JobRow = memo(function JobRow({ id, motion, onLeaveEnd }: RowProps) {
  const job = useShownJob(id);
  const isHeld = useRemovals(({ heldId, pending }) => heldId === id && pending.some((removal) => removal.id === id));
  return (
    job &&
    (isHeld ? (
      <Slot id={id} motion="resting" onLeaveEnd={onLeaveEnd}>
        <RemovedJob job={job} />
      </Slot>
    ) : (
      <Slot id={id} motion={motion} onLeaveEnd={onLeaveEnd} data-job={id} data-status={job.status}>
        <JobContent job={job} place="queue" />
      </Slot>
    ))
  );
});
