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

/** @returns the time left, or else the speed */
function remainingText({ etaSeconds, bytesPerSecond }: Processing, formats: Formats): string {
  if (etaSeconds !== undefined) return formats.timeLeft(etaSeconds);
  return bytesPerSecond === undefined ? "" : formats.speed(bytesPerSecond);
}

/** Subscribes to a changing part of a processing job; after processing it returns the part of the given job. */
function useLivePart<Part extends string | number>(job: Processing, part: (job: Processing) => Part): Part {
  return useJobs((state) => {
    const now = jobsById(state).get(job.id);
    return part(now?.status === "processing" ? now : job);
  });
}

/** Text with its own subscription to the job, so that its parents do not render again. */
function LiveText({ job, part }: { job: Processing; part: (job: Processing) => string }) {
  return useLivePart(job, part);
}

function Bar({ job }: { job: Processing }) {
  return <ProgressBar label={useTexts().job.progress(job.title)} percent={useLivePart(job, percentOf)} />;
}

/** A line whose size does not depend on its text, so that a new figure needs no layout of the page. */
const Figure = chakra("span", { base: { h: "1.45em", contain: "strict", textOverflow: "ellipsis" } });

/** Two lines on phones, with the time left beside the stage. */
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

/** Stage, percent, and time left or speed. The given job need not be the latest version. */
export function JobProgress({ job }: { job: Processing }) {
  const { stages } = useTexts().job;
  const formats = useFormats();
  return (
    // The key makes a new bar for each attempt, which starts at 0 instead of sliding back.
    <Box key={job.attempt} pt="2">
      <Bar job={job} />
      {/* Fixed places for changing text, so that its neighbours do not move. */}
      <Line>
        <span>
          <LiveText job={job} part={({ stage }) => stages[stage]} />
        </span>
        <Figure
          order={{ base: 4, sm: 0 }}
          gridColumn={{ base: "3", sm: "auto" }}
          textAlign={{ base: "end", sm: "start" }}
        >
          <LiveText job={job} part={(now) => formats.percent(percentOf(now))} />
        </Figure>
        <chakra.span order={{ base: 3, sm: 0 }} gridColumn={{ base: "1 / 3", sm: "auto" }}>
          {formats.kind(job)}
        </chakra.span>
        <Figure data-outlook="" order={{ base: 2, sm: 0 }} gridColumn={{ base: "2 / 4", sm: "auto" }} textAlign="end">
          <LiveText job={job} part={(now) => remainingText(now, formats)} />
        </Figure>
      </Line>
    </Box>
  );
}
