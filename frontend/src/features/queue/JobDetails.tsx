import { Box, Flex, Spacer, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { z } from "zod";
import type { CompletedJob, FailedJob, Job } from "../../../../common/job.ts";
import { Pill } from "../../components/Card.tsx";
import { EmptyTrack } from "../../components/ProgressBar.tsx";
import { useFormats, useSentence, useTexts } from "../../texts/store.ts";
import { JobProgress } from "./JobProgress.tsx";
import { useAtTime } from "./clock.ts";

type Completed = z.infer<typeof CompletedJob>;
type Failed = z.infer<typeof FailedJob>;

function Line({ children }: { children: ReactNode }) {
  return (
    <Flex wrap="wrap" align="center" columnGap="2.5" rowGap="0.5" pt="1.5" textStyle="meta">
      {children}
    </Flex>
  );
}

/** Whether the file has expired, by the server's data or by the clock. */
export function useIsExpired(job: Job): boolean {
  return useAtTime(
    (nowMs) => job.status === "completed" && (job.downloadUrl === undefined || Date.parse(job.expiresAt) <= nowMs),
  );
}

function CompletedDetails({ job }: { job: Completed }) {
  const isExpired = useIsExpired(job);
  const texts = useTexts().job;
  const formats = useFormats();
  const expiry = useAtTime((nowMs) => formats.relativeTime(job.expiresAt, nowMs));
  return (
    <Line>
      {isExpired && <Pill>{texts.expired}</Pill>}
      <span>{`${formats.kind(job)} · ${formats.megabytes(job.fileSize)}`}</span>
      {job.note && <span>{job.note}</span>}
      <Spacer display={{ base: "none", sm: "block" }} />
      {!isExpired && <chakra.time dateTime={job.expiresAt}>{texts.expires(expiry)}</chakra.time>}
    </Line>
  );
}

function FailedDetails({ job }: { job: Failed }) {
  const texts = useTexts().job;
  const formats = useFormats();
  const reason = useSentence(job.error);
  return (
    <Line>
      <Pill data-tone="bad">{texts.failed}</Pill>
      <span>{formats.kind(job)}</span>
      <span>{reason}</span>
    </Line>
  );
}

/** When a job that waits for the video site is tried again. */
function Resumes({ at }: { at: string }) {
  const texts = useTexts().job;
  const formats = useFormats();
  const when = useAtTime((nowMs) => formats.relativeTime(at, nowMs));
  return <chakra.time dateTime={at}>{texts.resumes(when)}</chakra.time>;
}

/** The details of a job below its title. */
export function JobDetails({ job }: { job: Job }) {
  const texts = useTexts().job;
  const formats = useFormats();
  switch (job.status) {
    case "queued":
    case "pending":
      return (
        // An empty bar, so that the text below does not move when progress starts.
        <Box pt="2">
          <EmptyTrack />
          <Line>
            <Pill>{texts.waiting}</Pill>
            <span>{formats.kind(job)}</span>
            {job.status === "queued" && job.resumesAt !== undefined ? (
              <Resumes at={job.resumesAt} />
            ) : (
              job.attempt > 1 && <span>{texts.attempt(job.attempt)}</span>
            )}
          </Line>
        </Box>
      );
    case "processing":
      return <JobProgress job={job} />;
    case "completed":
      return <CompletedDetails job={job} />;
    case "failed":
      return <FailedDetails job={job} />;
    case "canceled":
      return (
        <Line>
          <Pill>{texts.canceled}</Pill>
          <span>{formats.kind(job)}</span>
        </Line>
      );
  }
}
