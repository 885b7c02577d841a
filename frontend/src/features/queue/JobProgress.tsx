import { Box, Flex } from "@chakra-ui/react";
import type { ProcessingJob } from "../../../../common/job.ts";
import type { z } from "zod";
import { useJobs } from "../../app.ts";
import { ProgressBar } from "../../components/ProgressBar.tsx";
import type { Formats } from "../../format.ts";
import { jobsById } from "../../stores/jobs.ts";
import { useFormats, useTexts } from "../../texts/store.ts";

type Processing = z.infer<typeof ProcessingJob>;

const percentOf = (job: Processing) => Math.floor(job.progress);

/** The time left, or else the speed. */
function outlookOf({ etaSeconds, bytesPerSecond }: Processing, formats: Formats): string {
  if (etaSeconds !== undefined) return formats.timeLeft(etaSeconds);
  return bytesPerSecond === undefined ? "" : formats.speed(bytesPerSecond);
}

/** Something of a job that moves; the job as given once it moves no more. */
function useMoving<Part extends string | number>(job: Processing, part: (job: Processing) => Part): Part {
  return useJobs((state) => {
    const now = jobsById(state).get(job.id);
    return part(now?.status === "processing" ? now : job);
  });
}

/** Words that follow the job by themselves, so that nothing around them is drawn for them. */
function Moving({ job, part }: { job: Processing; part: (job: Processing) => string }) {
  return useMoving(job, part);
}

function Bar({ job }: { job: Processing }) {
  return <ProgressBar label={useTexts().job.progress(job.title)} percent={useMoving(job, percentOf)} />;
}

/** Stage, percent, and the time left or else the speed. The job given need not be the latest. */
export function JobProgress({ job }: { job: Processing }) {
  const { stages } = useTexts().job;
  const formats = useFormats();
  return (
    // A new attempt is a new bar: it starts at its own beginning instead of sliding back.
    <Box key={job.attempt} pt="2">
      <Bar job={job} />
      {/* Fixed places for what changes, or its neighbours would dance. */}
      <Flex direction={{ base: "column", sm: "row" }} columnGap="2.5" pt="1.5" textStyle="meta" whiteSpace="nowrap">
        <Flex columnGap="2.5" justify="space-between">
          <Box minW="5.25rem">
            <Moving job={job} part={({ stage }) => stages[stage]} />
          </Box>
          <Box minW={{ sm: "2.5rem" }}>
            <Moving job={job} part={(now) => formats.percent(now.progress)} />
          </Box>
        </Flex>
        <Flex flex="1" columnGap="2.5" justify="space-between">
          <span>{formats.kind(job)}</span>
          <span data-outlook="">
            <Moving job={job} part={(now) => outlookOf(now, formats)} />
          </span>
        </Flex>
      </Flex>
    </Box>
  );
}
