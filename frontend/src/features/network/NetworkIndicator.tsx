import { Box } from "@chakra-ui/react";
import { useAnnouncement } from "../../client/announcer.ts";
import { useConnection } from "../../client/stores.ts";
import { POLL_INTERVAL_MS } from "../../stores/connection.ts";
import { useTexts } from "../../texts/store.ts";

/** Shows a lost connection or, while polls replace the socket, how often they come. */
export function NetworkIndicator() {
  const indicator = useConnection((state) => state.indicator);
  const arePollsAnswered = useConnection((state) => !state.isStale);
  const texts = useTexts();
  const reconnecting = arePollsAnswered
    ? texts.network.updatedEvery(POLL_INTERVAL_MS / 1_000)
    : texts.queue.reconnecting;
  const text = indicator === "offline" ? texts.network.offline : reconnecting;
  useAnnouncement("network", indicator === null ? "" : text);
  return (
    <Box textStyle="meta" ms="auto" data-network={indicator ?? undefined}>
      {indicator !== null && (
        <Box as="span" display="inline-flex" alignItems="center" gap="2" animation="fadeIn 400ms">
          <Box
            as="span"
            aria-hidden="true"
            boxSize="2"
            borderRadius="full"
            border="2px solid currentColor"
            bg={indicator === "offline" ? "transparent" : "currentColor"}
          />
          {text}
        </Box>
      )}
    </Box>
  );
}
