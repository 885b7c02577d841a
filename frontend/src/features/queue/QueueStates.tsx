/** States of the queue without jobs, each as high as one row, so that the first row moves nothing. */
import { Box, Button, Flex, Skeleton } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTexts } from "../../texts/store.ts";

function Panel({ children }: { children: ReactNode }) {
  return (
    <Flex align="center" gap="4" minH={{ base: "7.875rem", sm: "5.8125rem" }} px={{ base: "3", sm: "4" }} py="3">
      {children}
    </Flex>
  );
}

export function EmptyQueue() {
  const { empty } = useTexts().queue;
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
      <Skeleton loading w={{ base: "4.5rem", sm: "6rem" }} aspectRatio="16 / 9" />
      <Box flex="1" role="status" aria-label={loading}>
        <Skeleton loading h="4" maxW="20rem" mb="3" />
        <Skeleton loading h="3" maxW="10rem" />
      </Box>
    </Panel>
  );
}

export function UnreachableQueue({ onRetry }: { onRetry: () => void }) {
  const { unreachable } = useTexts().queue;
  return (
    <Panel>
      <Box flex="1" role="alert">
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
