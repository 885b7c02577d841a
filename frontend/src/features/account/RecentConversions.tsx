import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { memo } from "react";
import { Link } from "react-router";
import { useShallow } from "zustand/react/shallow";
import { isWaiting } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { live, useJobs } from "../../app.ts";
import { Card, Pill } from "../../components/Card.tsx";
import { DownloadIcon } from "../../components/icons.tsx";
import { formatMegabytes, formatQuality } from "../../format.ts";
import { jobsToShow } from "../../stores/jobs.ts";
import { useIsExpired } from "../queue/JobDetails.tsx";
import { useStillJob } from "../queue/use-jobs.ts";
import { LoadingQueue, UnreachableQueue } from "../queue/QueueStates.tsx";

const SHOWN = 10;

const BADGE: Readonly<Partial<Record<Job["status"], string>>> = { completed: "default", failed: "destructive" };
const TONE: Readonly<Record<string, string>> = { default: "ok", destructive: "bad" };

const created = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

function StatusBadge({ status }: { status: Job["status"] }) {
  const variant = BADGE[status] ?? "secondary";
  const word = isWaiting(status) ? "waiting" : status;
  return (
    <Pill data-variant={variant} data-tone={TONE[variant]} textTransform="capitalize">
      {word}
    </Pill>
  );
}

const Conversion = memo(function Conversion({ id }: { id: string }) {
  const job = useStillJob(id);
  return job && <ShownConversion job={job} />;
});

function ShownConversion({ job }: { job: Job }) {
  const isExpired = useIsExpired(job);
  return (
    <Flex as="li" data-recent={job.id} align="center" gap="3" minH="4.5rem" py="2" px="4" css={{ "& + &": { borderTop: "1px solid {colors.border}" } }}>
      <Box flex="1" minW="0">
        <Box fontWeight={600} truncate dir="auto" title={job.title}>
          {job.title}
        </Box>
        <Flex textStyle="meta" wrap="wrap" columnGap="2.5">
          <span>{job.format.toUpperCase()}</span>
          <span>{formatQuality(job.quality)}</span>
          {job.status === "completed" && <span>{formatMegabytes(job.fileSize)}</span>}
          <time dateTime={job.createdAt}>{created.format(new Date(job.createdAt))}</time>
        </Flex>
      </Box>
      <StatusBadge status={job.status} />
      {job.status === "completed" && job.downloadUrl !== undefined && !isExpired && (
        <Button asChild variant="outline" size="sm">
          <a href={job.downloadUrl} target="_blank" rel="noopener" aria-label={`Download ${job.title}`}>
            <DownloadIcon />
            <chakra.span display={{ base: "none", sm: "inline" }}>Download</chakra.span>
          </a>
        </Button>
      )}
    </Flex>
  );
}

/** The ten newest conversions, as they stand this moment. */
export function RecentConversions({ converterPath }: { converterPath: string }) {
  const phase = useJobs((state) => state.phase);
  const ids = useJobs(useShallow((state) => jobsToShow(state).slice(0, SHOWN).map(({ id }) => id)));
  return (
    <Box as="section" aria-labelledby="recent-heading">
      <Box as="h2" id="recent-heading" textStyle="heading" mt="11" mb="3.5">
        Recent conversions
      </Box>
      <Card as="div" overflow="hidden">
        {phase === "loading" && <LoadingQueue />}
        {phase === "failed" && <UnreachableQueue onRetry={() => void live.retry()} />}
        {phase === "ready" && ids.length === 0 && (
          <Flex direction="column" align="center" gap="4" py="10" px="4">
            <Box fontWeight={600}>No conversions yet</Box>
            <Button asChild>
              <Link to={converterPath}>
                Start Converting
              </Link>
            </Button>
          </Flex>
        )}
        {phase === "ready" && ids.length > 0 && (
          <chakra.ul listStyleType="none" aria-label="Recent conversions">
            {ids.map((id) => (
              <Conversion key={id} id={id} />
            ))}
          </chakra.ul>
        )}
      </Card>
    </Box>
  );
}
