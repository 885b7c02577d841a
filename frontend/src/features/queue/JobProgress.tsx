import { Box, Flex } from "@chakra-ui/react";
import type { ProcessingJob, Stage } from "../../../../common/job.ts";
import type { z } from "zod";
import { ProgressBar } from "../../components/ProgressBar.tsx";
import { useLastJob } from "./use-jobs.ts";
import { formatKind, formatSpeed, formatTimeLeft } from "../../format.ts";

const STAGE_WORDS: Readonly<Record<Stage, string>> = { download: "Downloading", convert: "Converting", store: "Saving" };

/** Stage, percent, and the time left or else the speed. Follows the job by itself, so that its row can rest. */
export function JobProgress({ id }: { id: string }) {
  const job = useLastJob(id);
  return job?.status === "processing" ? <Bar job={job} /> : null;
}

function Bar({ job }: { job: z.infer<typeof ProcessingJob> }) {
  const percent = Math.floor(job.progress);
  const outlook =
    job.etaSeconds === undefined
      ? job.bytesPerSecond !== undefined && formatSpeed(job.bytesPerSecond)
      : formatTimeLeft(job.etaSeconds);
  return (
    // A new attempt is a new bar: it starts at its own beginning instead of sliding back.
    <Box key={job.attempt} pt="2">
      <ProgressBar label={`Progress of ${job.title}`} percent={percent} />
      {/* Fixed places for what changes, or its neighbours would dance. */}
      <Flex direction={{ base: "column", sm: "row" }} columnGap="2.5" pt="1.5" textStyle="meta" whiteSpace="nowrap">
        <Flex columnGap="2.5" justify="space-between">
          <Box minW="5.25rem">{STAGE_WORDS[job.stage]}</Box>
          <Box minW={{ sm: "2.5rem" }}>{percent} %</Box>
        </Flex>
        <Flex flex="1" columnGap="2.5" justify="space-between">
          <span>{formatKind(job)}</span>
          <span>{outlook}</span>
        </Flex>
      </Flex>
    </Box>
  );
}
