/** States of the queue without jobs, each as high as one row, so that the first row moves nothing. */
import { Box, Button, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { WITH_JOBS } from "../../platform/opening.ts";
import { useTexts } from "../../texts/store.ts";
import { ROW_HEIGHT } from "./row-height.ts";
import { Skeleton } from "../../components/Skeleton.tsx";

function Panel({ children }: { children: ReactNode }) {
  return (
    <Flex align="center" wrap="wrap" gap="4" minH={ROW_HEIGHT} px={{ base: "3", sm: "4" }} py="2.5">
      {children}
    </Flex>
  );
}

/** @param hasCurrentJob whether the viewer's only job is shown in the converter */
export function EmptyQueue({ hasCurrentJob }: { hasCurrentJob: boolean }) {
  const texts = useTexts().queue;
  const empty = hasCurrentJob ? texts.emptyRest : texts.empty;
  return (
    <Panel>
      <Box flex="1">
        <Box fontWeight={600}>{empty.title}</Box>
        <Box textStyle="meta">{empty.text}</Box>
      </Box>
    </Panel>
  );
}

export function LoadingQueue() {
  const { loading } = useTexts().queue;
  return (
    <Panel>
      <Skeleton w={{ base: "4.5rem", sm: "6rem" }} aspectRatio="16 / 9" />
      <Box flex="1" role="status" aria-label={loading}>
        <Skeleton h="4" maxW="20rem" mb="3" />
        <Skeleton h="3" maxW="10rem" />
      </Box>
    </Panel>
  );
}

/**
 * The queue in a prerendered page, before the server's list: empty, as it is for most visitors, or loading for one who
 * had jobs. index.html knows that before the first paint.
 */
export function PrerenderedQueue() {
  return (
    <>
      <Box css={{ [WITH_JOBS]: { display: "none" } }}>
        <EmptyQueue hasCurrentJob={false} />
      </Box>
      <Box display="none" css={{ [WITH_JOBS]: { display: "block" } }}>
        <LoadingQueue />
      </Box>
    </>
  );
}

export function UnreachableQueue({ onRetry }: { onRetry: () => void }) {
  const { unreachable } = useTexts().queue;
  return (
    <Panel>
      {/* With large text the button gets a line of its own. */}
      <Box flex="1 1 8rem" role="alert">
        <Box fontWeight={600}>{unreachable.title}</Box>
        <Box textStyle="meta">{unreachable.text}</Box>
      </Box>
      <Button variant="outline" size="sm" onClick={onRetry}>
        {unreachable.retry}
      </Button>
    </Panel>
  );
}

/** Offline before any list has arrived; waiting requests are shown above it. */
export function OfflineQueue() {
  const { away } = useTexts().network;
  return (
    <Panel>
      <Box flex="1">
        <Box fontWeight={600}>{away.title}</Box>
        <Box textStyle="meta">{away.text}</Box>
      </Box>
    </Panel>
  );
}
