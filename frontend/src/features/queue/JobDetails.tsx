import { Flex, Spacer, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { z } from "zod";
import type { CompletedJob, Job } from "../../../../common/job.ts";
import { Pill } from "../../components/Card.tsx";
import { formatKind, formatMegabytes, formatRelativeTime } from "../../format.ts";
import { JobProgress } from "./JobProgress.tsx";
import { useAtTime } from "./clock.ts";

type Completed = z.infer<typeof CompletedJob>;

function Line({ children }: { children: ReactNode }) {
  return (
    <Flex wrap="wrap" align="center" columnGap="2.5" rowGap="0.5" pt="1.5" textStyle="meta">
      {children}
    </Flex>
  );
}

/** Whether the file has gone, by the server's word or by the clock. */
export function useIsExpired(job: Job): boolean {
  return useAtTime((nowMs) =>
    job.status === "completed" && (job.downloadUrl === undefined || Date.parse(job.expiresAt) <= nowMs),
  );
}

function CompletedDetails({ job }: { job: Completed }) {
  const isExpired = useIsExpired(job);
  const expiry = useAtTime((nowMs) => formatRelativeTime(job.expiresAt, nowMs));
  return (
    <Line>
      {isExpired && <Pill>Expired</Pill>}
      <span>{`${formatKind(job)} · ${formatMegabytes(job.fileSize)}`}</span>
      {job.note && <span>{job.note}</span>}
      <Spacer display={{ base: "none", sm: "block" }} />
      {!isExpired && <chakra.time dateTime={job.expiresAt}>{`expires ${expiry}`}</chakra.time>}
    </Line>
  );
}

/** What is to be said about a job below its title. */
export function JobDetails({ job }: { job: Job }) {
  switch (job.status) {
    case "queued":
    case "pending":
      return (
        <Line>
          <Pill>Waiting</Pill>
          <span>{formatKind(job)}</span>
          {job.attempt > 1 && <span>{`attempt ${job.attempt}`}</span>}
        </Line>
      );
    case "processing":
      return <JobProgress job={job} />;
    case "completed":
      return <CompletedDetails job={job} />;
    case "failed":
      return (
        <Line>
          <Pill data-tone="bad">Failed</Pill>
          <span>{formatKind(job)}</span>
          <span>{job.error.message}</span>
        </Line>
      );
    case "canceled":
      return (
        <Line>
          <Pill>Canceled</Pill>
          <span>{formatKind(job)}</span>
        </Line>
      );
  }
}
