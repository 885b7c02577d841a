import { Box, chakra } from "@chakra-ui/react";
import type { ProcessingJob } from "../../../../common/job.ts";
import type { z } from "zod";
import { useJobs } from "../../client/client.ts";
import { ProgressBar } from "../../components/ProgressBar.tsx";
import type { Formats } from "../../texts/format.ts";
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

/** A line whose size does not come from its text: the page is not laid out again for a new figure. */
const Figure = chakra("span", { base: { h: "1.45em", contain: "strict", textOverflow: "ellipsis" } });

/** On a phone two lines, the time left beside the stage, where it has the most room. */
const Line = chakra("div", {
  base: {
    display: "grid",
    gridTemplateColumns: { base: "5.25rem auto 1fr", sm: "minmax(5.25rem, auto) 2.5rem auto 1fr" },
    columnGap: "2.5",
    pt: "1.5",
    textStyle: "meta",
    whiteSpace: "nowrap",
  },
});

/** Stage, percent, and the time left or else the speed. The job given need not be the latest. */
export function JobProgress({ job }: { job: Processing }) {
  const { stages } = useTexts().job;
  const formats = useFormats();
  return (
    // A new attempt is a new bar: it starts at its own beginning instead of sliding back.
    <Box key={job.attempt} pt="2">
      <Bar job={job} />
      {/* Fixed places for what changes, or its neighbours would dance. */}
      <Line>
        <span>
          <Moving job={job} part={({ stage }) => stages[stage]} />
        </span>
        <Figure
          order={{ base: 4, sm: 0 }}
          gridColumn={{ base: "3", sm: "auto" }}
          textAlign={{ base: "end", sm: "start" }}
        >
          <Moving job={job} part={(now) => formats.percent(percentOf(now))} />
        </Figure>
        <chakra.span order={{ base: 3, sm: 0 }} gridColumn={{ base: "1 / 3", sm: "auto" }}>
          {formats.kind(job)}
        </chakra.span>
        <Figure data-outlook="" order={{ base: 2, sm: 0 }} gridColumn={{ base: "2 / 4", sm: "auto" }} textAlign="end">
          <Moving job={job} part={(now) => outlookOf(now, formats)} />
        </Figure>
      </Line>
    </Box>
  );
}
