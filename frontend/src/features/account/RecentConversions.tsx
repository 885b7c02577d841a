import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { memo } from "react";
import { useShallow } from "zustand/react/shallow";
import type { Job } from "../../../../common/job.ts";
import { live } from "../../client/live.ts";
import { useJobs } from "../../client/stores.ts";
import { Card, Pill } from "../../components/Card.tsx";
import { Link } from "../../components/Link.tsx";
import { DownloadIcon } from "../../components/icons.tsx";
import { jobsToShow } from "../../stores/jobs.ts";
import { useAccountTexts } from "../../texts/account/index.ts";
import { useFormats, useSentence, useTexts } from "../../texts/store.ts";
import { SharingPlace } from "../queue/SharingPlace.tsx";
import { RetryButton } from "../queue/JobButtons.tsx";
import { useIsExpired } from "../queue/JobDetails.tsx";
import { WaysOutPlace } from "../queue/WaysOutPlace.tsx";
import { useStableJob } from "../queue/use-jobs.ts";
import { LoadingQueue, UnreachableQueue } from "../queue/QueueStates.tsx";

const MAX_SHOWN = 10;

const BADGE: Readonly<Partial<Record<Job["status"], string>>> = { completed: "default", failed: "destructive" };
const TONE: Readonly<Record<string, string>> = { default: "ok", destructive: "bad" };

/** @param isExpired whether the file of a completed job is gone */
function StatusBadge({ job, isExpired }: { job: Job; isExpired: boolean }) {
  const texts = useTexts().job;
  const { badges } = useAccountTexts();
  const { status } = job;
  if (isExpired) {
    const isBlocked = status === "completed" && job.isBlocked;
    return <Pill data-variant="secondary">{isBlocked ? texts.blocked : texts.expired}</Pill>;
  }
  const variant = BADGE[status] ?? "secondary";
  return (
    <Pill data-variant={variant} data-tone={TONE[variant]} textTransform="capitalize">
      {badges[status === "queued" || status === "pending" ? "waiting" : status]}
    </Pill>
  );
}

/** Why a conversion has failed, with what helps. */
function FailureLine({ job }: { job: Extract<Job, { status: "failed" }> }) {
  const reason = useSentence(job.error);
  return (
    <Flex wrap="wrap" columnGap="2.5" rowGap="1" textStyle="meta">
      <span>{reason}</span>
      <WaysOutPlace job={job} />
    </Flex>
  );
}

const Conversion = memo(function Conversion({ id }: { id: string }) {
  const job = useStableJob(id);
  return job && <ConversionItem job={job} />;
});

function ConversionItem({ job }: { job: Job }) {
  const isExpired = useIsExpired(job);
  const fileUrl = job.status === "completed" && !isExpired ? job.downloadUrl : undefined;
  const texts = useTexts().job;
  const formats = useFormats();
  return (
    <Flex
      as="li"
      data-recent={job.id}
      align="center"
      gap="3"
      minH="4.5rem"
      py="2"
      px="4"
      css={{ "& + &": { borderTop: "1px solid {colors.border}" } }}
    >
      <Box flex="1" minW="0">
        {/* Two lines on phones, where one would show two words. */}
        <Box
          fontWeight={600}
          lineClamp={{ base: 2, sm: 1 }}
          overflowWrap="anywhere"
          dir="auto"
          _rtl={{ textAlign: "right" }}
          title={job.title}
        >
          {job.title}
        </Box>
        <Flex textStyle="meta" wrap="wrap" align="center" columnGap="2.5" rowGap="0.5">
          <StatusBadge job={job} isExpired={isExpired} />
          <span>{formats.format(job)}</span>
          <span>{formats.qualityOf(job)}</span>
          {job.status === "completed" && <span>{formats.fileSize(job.fileSize)}</span>}
          <time dateTime={job.createdAt}>{formats.dateAndTime(job.createdAt)}</time>
        </Flex>
        {job.status === "failed" && <FailureLine job={job} />}
        {job.status === "completed" && isExpired && (
          <Box textStyle="meta">
            <WaysOutPlace job={job} />
          </Box>
        )}
        {fileUrl !== undefined && <SharingPlace url={fileUrl} job={job} />}
      </Box>
      {fileUrl !== undefined && (
        <Button asChild variant="outline" size="sm">
          <a href={fileUrl} target="_blank" rel="noopener" aria-label={texts.downloadOf(job.title)}>
            <DownloadIcon />
            <chakra.span display={{ base: "none", sm: "inline" }}>{texts.download}</chakra.span>
          </a>
        </Button>
      )}
      {job.status === "failed" && <RetryButton job={job} />}
    </Flex>
  );
}

/** The ten newest conversions, updated live. */
export function RecentConversions({ converterPath }: { converterPath: string }) {
  const texts = useAccountTexts();
  const phase = useJobs((state) => state.phase);
  const ids = useJobs(
    useShallow((state) =>
      jobsToShow(state)
        .slice(0, MAX_SHOWN)
        .map(({ id }) => id),
    ),
  );
  return (
    <Box as="section" aria-labelledby="recent-heading">
      <Box as="h2" id="recent-heading" textStyle="heading" mt="11" mb="3.5">
        {texts.recent}
      </Box>
      <Card as="div" overflow="hidden">
        {phase === "loading" && <LoadingQueue />}
        {phase === "failed" && <UnreachableQueue onRetry={() => void live.retry()} />}
        {phase === "ready" && ids.length === 0 && (
          <Flex direction="column" align="center" gap="4" py="10" px="4">
            <Box fontWeight={600}>{texts.none}</Box>
            <Button asChild>
              <Link to={converterPath}>{texts.start}</Link>
            </Button>
          </Flex>
        )}
        {phase === "ready" && ids.length > 0 && (
          <chakra.ul listStyleType="none" aria-label={texts.recent}>
            {ids.map((id) => (
              <Conversion key={id} id={id} />
            ))}
          </chakra.ul>
        )}
      </Card>
    </Box>
  );
}
