/** The queue while there is nothing to list, each as high as one row, so that the first one fits in. */
import { Box, Button, Flex, Skeleton } from "@chakra-ui/react";
import type { ReactNode } from "react";

function Panel({ children }: { children: ReactNode }) {
  return (
    <Flex align="center" gap="4" minH={{ base: "7.875rem", sm: "5.8125rem" }} px={{ base: "3", sm: "4" }} py="3">
      {children}
    </Flex>
  );
}

export function EmptyQueue() {
  return (
    <Panel>
      <Box flex="1">
        <Box fontWeight={600}>Nothing here yet</Box>
        <Box textStyle="meta">Paste a link above and watch it become a file.</Box>
      </Box>
    </Panel>
  );
}

export function LoadingQueue() {
  return (
    <Panel>
      <Skeleton loading w={{ base: "4.5rem", sm: "6rem" }} aspectRatio="16 / 9" />
      <Box flex="1" role="status" aria-label="Loading your conversions">
        <Skeleton loading h="4" maxW="20rem" mb="3" />
        <Skeleton loading h="3" maxW="10rem" />
      </Box>
    </Panel>
  );
}

export function UnreachableQueue({ onRetry }: { onRetry: () => void }) {
  return (
    <Panel>
      <Box flex="1" role="alert">
        <Box fontWeight={600}>Your conversions could not be loaded</Box>
        <Box textStyle="meta">They are safe at the server. We keep trying.</Box>
      </Box>
      <Button variant="outline" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </Panel>
  );
}
