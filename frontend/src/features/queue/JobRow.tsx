import { Box, Flex, chakra } from "@chakra-ui/react";
import { memo, useState } from "react";
import { isActive } from "../../../../common/job.ts";
import { usePreviewedJobs } from "../../client/client.ts";
import { withPreview } from "../../stores/previewed-jobs.ts";
import { JobButtons } from "./JobButtons.tsx";
import type { Job } from "../../../../common/job.ts";
import { JobDetails } from "./JobDetails.tsx";
import { Slot } from "./Slot.tsx";
import type { RowProps } from "./Slot.tsx";
import { Thumbnail } from "./Thumbnail.tsx";
import { useStableJob } from "./use-jobs.ts";

const Content = chakra("article", {
  base: {
    display: "grid",
    gridTemplateColumns: { base: "4.5rem 1fr auto", sm: "6rem 1fr auto" },
    columnGap: { base: "3", sm: "4" },
    alignItems: "center",
    // As high as the tallest state, a progress bar with its line, so that a change of state moves nothing.
    minH: { base: "7.875rem", sm: "5.8125rem" },
    ps: { base: "3", sm: "4" },
    pe: { base: "1.5", sm: "3" },
    py: "3",
    // Rows outside the viewport are not rendered while their bars move; they keep their last height, or else the
    // usual one without padding. The first rows are always rendered, for printing.
    "li:nth-of-type(n + 9) &": { contentVisibility: "auto" },
    containIntrinsicBlockSize: { base: "auto 6.375rem", sm: "auto 4.3125rem" },
    "&[data-finished]": { animation: "rowGlow 1.6s ease-out" },
    _motionReduce: { animation: "none !important" },
  },
});

const Title = chakra("h3", {
  base: {
    fontSize: "md",
    fontWeight: 600,
    lineHeight: 1.4,
    letterSpacing: "-0.01em",
    overflowWrap: "anywhere",
    // A title in the other text direction still starts beside its picture.
    _rtl: { textAlign: "right" },
    lineClamp: { base: 2, sm: 1 },
  },
});

/** One job. The progress bar has its own subscription, so that a push renders only the bar. */
export const JobRow = memo(function JobRow({ id, motion, onLeaveEnd }: RowProps) {
  const latest = useStableJob(id);
  const previewed = usePreviewedJobs((state) => state.byJob.get(id));
  const job = latest && withPreview(latest, previewed);
  return job && <ShownJob job={job} motion={motion} onLeaveEnd={onLeaveEnd} />;
});

function ShownJob({ job, motion, onLeaveEnd }: { job: Job } & Omit<RowProps, "id">) {
  // The finish animation is only for jobs that were active on this page.
  const [wasSeenActive, setWasSeenActive] = useState(false);
  if (!wasSeenActive && isActive(job.status)) setWasSeenActive(true);
  const hasJustFinished = wasSeenActive && job.status === "completed";

  return (
    <Slot id={job.id} motion={motion} onLeaveEnd={onLeaveEnd} data-job={job.id} data-status={job.status}>
      <Content data-finished={hasJustFinished || undefined}>
        <Thumbnail job={job} />
        <Box minW="0">
          {/* On phones two lines are reserved, because the title that replaces the link may need them. */}
          <Flex direction="column" justify="end" minH={{ base: "2.625rem", sm: "0" }}>
            <Title dir="auto" title={job.title}>
              {job.title}
            </Title>
          </Flex>
          {/* As high as a progress bar with its line in every state, so that the title does not move. */}
          <Box minH={{ base: "3.75rem", sm: "2.625rem" }}>
            <JobDetails job={job} />
          </Box>
        </Box>
        <JobButtons job={job} hasJustFinished={hasJustFinished} />
      </Content>
    </Slot>
  );
}
