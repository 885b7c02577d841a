import { Box } from "@chakra-ui/react";
import { memo } from "react";
import { useRemovals } from "../../client/removals.ts";
import { JobContent } from "./JobContent.tsx";
import type { JobContentProps } from "./JobContent.tsx";
import { MadeLine } from "./MadeLine.tsx";
import { RemovedJob } from "./RemovedJob.tsx";
import { Slot } from "./Slot.tsx";
import type { RowProps } from "./Slot.tsx";
import { useShownJob } from "./use-jobs.ts";

export interface JobRowProps extends RowProps {
  /** By default the queue. */
  readonly place?: Exclude<JobContentProps["place"], "converter"> | undefined;
}

/** One job of a list. The progress bar has its own subscription, so that a push renders only the bar. */
export const JobRow = memo(function JobRow({ id, motion, onLeaveEnd, place = "queue" }: JobRowProps) {
  const job = useShownJob(id);
  const isHeld = useRemovals(({ heldId, pending }) => heldId === id && pending.some((removal) => removal.id === id));
  const made = job && place === "dashboard" && <MadeLine job={job} />;
  return (
    job &&
    (isHeld ? (
      <Slot id={id} motion="resting" onLeaveEnd={onLeaveEnd}>
        <RemovedJob job={job} />
        <Box visibility="hidden">{made}</Box>
      </Slot>
    ) : (
      <Slot id={id} motion={motion} onLeaveEnd={onLeaveEnd} data-job={id} data-status={job.status}>
        <JobContent job={job} place={place} />
        {made}
      </Slot>
    ))
  );
});
