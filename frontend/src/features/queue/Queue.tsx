import { Box, Flex } from "@chakra-ui/react";
import { isWaiting } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { live } from "../../client/live.ts";
import { startOutbox } from "../../client/requests.ts";
import { useConnection, useJobs } from "../../client/stores.ts";
import { Card } from "../../components/Card.tsx";
import { useIsSignedIn } from "../../client/use-identity.ts";
import { NetworkIndicator } from "../network/NetworkIndicator.tsx";
import { jobsToShow } from "../../stores/jobs.ts";
import type { Texts } from "../../texts/en.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { useWasPrerendered } from "../../components/use-is-hydrated.ts";
import { WhenReady } from "../notifications/WhenReady.tsx";
import { NARROW } from "../../theme/narrow.ts";
import { LoadingQueue, OfflineQueue, PrerenderedQueue, UnreachableQueue } from "./QueueStates.tsx";
import { QUEUE_HEADING_ID, ROW_HEIGHT } from "./row-height.ts";
import { jobViews, useQueuePhase } from "./use-job-views.ts";

/** @returns for example "1 working", "1 waiting"; empty without active jobs */
function workload(jobs: readonly Job[], texts: Texts["queue"]): string[] {
  const working = jobs.filter((job) => job.status === "processing").length;
  const waiting = jobs.filter((job) => isWaiting(job.status)).length;
  return [...(working > 0 ? [texts.working(working)] : []), ...(waiting > 0 ? [texts.waiting(waiting)] : [])];
}

function retry(): void {
  void jobViews.load();
  void startOutbox();
  void live.retry();
}

/** The jobs of the viewer apart from the current one, newest first, updated live. */
export function Queue() {
  const texts = useTexts().queue;
  const formats = useFormats();
  const phase = useQueuePhase();
  const { script: views } = jobViews.useScript();
  const work = useJobs((state) => formats.list(workload(jobsToShow(state), texts)));
  const isOffline = useConnection((state) => state.indicator === "offline");
  const isStale = useConnection((state) => state.isStale);
  const isPrerendered = useWasPrerendered();
  // A user may have jobs from another browser, of which nothing is stored in this one.
  const isEmptyAtFirst = !useIsSignedIn() && isPrerendered;

  return (
    <Box as="section" aria-labelledby={QUEUE_HEADING_ID}>
      <Flex align="center" gap="2" mt={{ base: "7", sm: "10" }} mb="2.5" css={{ [NARROW]: { flexWrap: "wrap" } }}>
        {/* On phones two lines, of which the second is always reserved. */}
        <Flex
          flex="1"
          minW={{ base: "min-content", sm: "0" }}
          direction={{ base: "column", sm: "row" }}
          align={{ base: "stretch", sm: "baseline" }}
          columnGap="3"
        >
          <Box as="h2" id={QUEUE_HEADING_ID} tabIndex={-1} textStyle="heading">
            {texts.title}
          </Box>
          <Flex flex="1" wrap="wrap" columnGap="3" minW="0" minH="1.25rem">
            {/* Not empty without work, because the line would move by its baseline. */}
            <Box textStyle="meta">{work || "\u00a0"}</Box>
            <NetworkIndicator />
          </Flex>
        </Flex>
        {/* On phones level with the heading, not with the middle of both lines. */}
        <Box alignSelf={{ base: "flex-start", sm: "center" }} mt={{ base: "-2", sm: "0" }} ms="auto">
          <WhenReady />
        </Box>
      </Flex>
      <Card as="div" overflow="hidden" minH={ROW_HEIGHT} data-phase={phase} data-stale={isStale || undefined}>
        {views && <views.WaitingRequests />}
        {phase === "loading" && (isEmptyAtFirst ? <PrerenderedQueue /> : <LoadingQueue />)}
        {phase === "failed" && isOffline && <OfflineQueue />}
        {phase === "failed" && !isOffline && <UnreachableQueue onRetry={retry} />}
        {phase === "ready" && views && <views.Rows />}
      </Card>
    </Box>
  );
}
