import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useMemo, useState } from "react";
import { isWaiting } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { live, useConnection, useJobs } from "../../client/client.ts";
import { Card } from "../../components/Card.tsx";
import { WaitingRequests, useWaitingConversions } from "../network/WaitingRequests.tsx";
import { NetworkIndicator } from "../network/NetworkIndicator.tsx";
import { jobsToShow } from "../../stores/jobs.ts";
import type { Texts } from "../../texts/en.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { Announcer } from "../notifications/Announcer.tsx";
import { BatchRow } from "./BatchRow.tsx";
import { JobRow } from "./JobRow.tsx";
import { NotifySwitch } from "../notifications/NotifySwitch.tsx";
import { EmptyQueue, LoadingQueue, OfflineQueue, UnreachableQueue } from "./QueueStates.tsx";
import { useRows } from "./rows.ts";
import { QUEUE_HEADING_ID } from "./Slot.tsx";
import { useQueueItems } from "./use-jobs.ts";

/** Rows shown at first; a button shows the rest. */
const ROWS_SHOWN = 50;

/** @returns for example "1 working", "1 waiting"; empty without active jobs */
function workload(jobs: readonly Job[], texts: Texts["queue"]): string[] {
  const working = jobs.filter((job) => job.status === "processing").length;
  const waiting = jobs.filter((job) => isWaiting(job.status)).length;
  return [...(working > 0 ? [texts.working(working)] : []), ...(waiting > 0 ? [texts.waiting(waiting)] : [])];
}

function Rows() {
  const items = useQueueItems();
  const texts = useTexts().queue;
  const [showsAll, setShowsAll] = useState(false);
  const shown = useMemo(() => (showsAll ? items : items.slice(0, ROWS_SHOWN)), [items, showsAll]);
  const { rows, removeRow } = useRows(shown);
  const hasWaitingConversions = useWaitingConversions().length > 0;
  if (rows.length === 0) return hasWaitingConversions ? null : <EmptyQueue />;
  return (
    <>
      <chakra.ul listStyleType="none" aria-label={texts.list}>
        {rows.map(({ item: { id, jobIds }, motion }) =>
          jobIds ? (
            <BatchRow key={id} id={id} jobIds={jobIds} motion={motion} onLeaveEnd={removeRow} />
          ) : (
            <JobRow key={id} id={id} motion={motion} onLeaveEnd={removeRow} />
          ),
        )}
      </chakra.ul>
      {shown.length < items.length && (
        <Button
          variant="ghost"
          w="full"
          borderRadius="0"
          borderTop="1px solid {colors.border}"
          onClick={() => setShowsAll(true)}
        >
          {texts.showAll(items.length)}
        </Button>
      )}
    </>
  );
}

/** All jobs of the viewer, newest first, updated live. */
export function Queue() {
  const texts = useTexts().queue;
  const formats = useFormats();
  const phase = useJobs((state) => state.phase);
  const work = useJobs((state) => formats.list(workload(jobsToShow(state), texts)));
  const isOffline = useConnection((state) => state.indicator === "offline");
  const isStale = useConnection((state) => state.isStale);

  return (
    <Box as="section" aria-labelledby={QUEUE_HEADING_ID}>
      <Flex align="baseline" gap="3" mt="11" mb="3.5">
        <Box as="h2" id={QUEUE_HEADING_ID} tabIndex={-1} textStyle="heading">
          {texts.title}
        </Box>
        <Box textStyle="meta">{work}</Box>
        <NetworkIndicator />
        <NotifySwitch />
      </Flex>
      <Card as="div" overflow="hidden" minH={{ base: "7.875rem", sm: "5.8125rem" }} data-stale={isStale || undefined}>
        <WaitingRequests />
        {phase === "loading" && <LoadingQueue />}
        {phase === "failed" && isOffline && <OfflineQueue />}
        {phase === "failed" && !isOffline && <UnreachableQueue onRetry={() => void live.retry()} />}
        {phase === "ready" && <Rows />}
      </Card>
      <Announcer />
    </Box>
  );
}
