import { Box, chakra } from "@chakra-ui/react";
import type { ProcessingJob } from "../../../../common/job.ts";
import type { z } from "zod";
import { useJobs } from "../../client/stores.ts";
import { ProgressBar } from "../../components/ProgressBar.tsx";
import type { Formats } from "../../texts/format.ts";
import { jobsById } from "../../stores/jobs.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { NARROW } from "../../theme/narrow.ts";
import { PlayLine, useIsInPlayer } from "./PlayLine.tsx";
import { useIsOffline, useRemark } from "./use-remark.ts";
import { DETAILS_SIZE } from "./DetailsLine.tsx";
import { WaitLine } from "./WaitLine.tsx";
import { useAtTime } from "./clock.ts";

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

/**
 * A line whose size does not depend on its text, so that a new figure needs no layout of the page. Text that is wider,
 * because the visitor has enlarged or spaced it, is not cut off.
 */
const Figure = chakra("span", { base: { h: "1.45em", contain: "size layout style", whiteSpace: "nowrap" } });

/** Two lines on phones, with the time left beside the stage; three where there is too little width for both. */
const Line = chakra("div", {
  base: {
    display: "grid",
    gridTemplateColumns: {
      base: "minmax(5.25rem, auto) auto 1fr",
      sm: "minmax(5.25rem, auto) 3.25rem auto 1fr",
    },
    [NARROW]: { gridTemplateColumns: "minmax(0, 1fr) 3.25rem" },
    columnGap: "2.5",
    pt: { base: "1", sm: "1.5" },
    textStyle: "meta",
    fontSize: DETAILS_SIZE,
    fontVariantNumeric: "tabular-nums",
  },
});

/**
 * The bar with stage, percent, and time left or speed, or with the time of a wait. The given job need not be the latest
 * version.
 */
export function JobProgress({ job }: { job: Processing }) {
  // A wait that is over is not shown, even if the news of its end is late.
  const isWaiting = useAtTime((nowMs) => Date.parse(job.resumesAt ?? "") > nowMs);
  return (
    // The key makes a new bar for each attempt, which starts at 0 instead of sliding back.
    <Box key={job.attempt} pt={{ base: "1", sm: "2" }}>
      {useIsInPlayer(job.id) ? <PlayLine job={job} /> : <Bar job={job} />}
      {isWaiting ? <WaitLine job={job} /> : <ProgressLine job={job} />}
    </Box>
  );
}

function ProgressLine({ job }: { job: Processing }) {
  const { stages, early } = useTexts().job;
  const formats = useFormats();
  const remark = useRemark(job.id);
  const isOffline = useIsOffline();
  return (
    // Fixed places for changing text, so that its neighbours do not move.
    <Line>
      <span>
        <LiveText job={job} part={({ stage }) => stages[stage]} />
      </span>
      <Figure
        order={{ base: 4, sm: 0 }}
        gridColumn={{ base: "3", sm: "auto" }}
        css={{ [NARROW]: { order: 1, gridColumn: "2" } }}
        textAlign={{ base: "end", sm: "start" }}
      >
        <LiveText job={job} part={(now) => formats.percent(percentOf(now))} />
      </Figure>
      <chakra.span
        order={{ base: 3, sm: 0 }}
        gridColumn={{ base: "1 / 3", sm: "auto" }}
        css={{ [NARROW]: { gridColumn: "1 / -1" } }}
      >
        {remark ?? (
          <>
            {job.downloadUrl && <chakra.span hideFrom="sm">{early}</chakra.span>}
            <chakra.span hideBelow={job.downloadUrl && "sm"}>{formats.kind(job)}</chakra.span>
          </>
        )}
      </chakra.span>
      <Figure
        data-outlook=""
        order={{ base: 2, sm: 0 }}
        gridColumn={{ base: "2 / 4", sm: "auto" }}
        textAlign="end"
        css={{ [NARROW]: { gridColumn: "1 / -1", textAlign: "start" } }}
      >
        {job.downloadUrl && remark === undefined && (
          // On phones it stands in the place of the format. On tablets there is room for Download only.
          <chakra.span me="2.5" css={{ "@media (max-width: 64em)": { display: "none" } }}>
            {early}
          </chakra.span>
        )}
        {/* Offline it would not count down. */}
        {!isOffline && <LiveText job={job} part={(now) => remainingText(now, formats)} />}
      </Figure>
    </Line>
  );
}
