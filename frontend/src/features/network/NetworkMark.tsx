import { Box } from "@chakra-ui/react";
import { useConnection } from "../../client/client.ts";
import { useTexts } from "../../texts/store.ts";

/** Shows a lost connection. Always in the page, so that screen readers announce a change. */
export function NetworkMark() {
  const mark = useConnection((state) => state.mark);
  const texts = useTexts();
  return (
    <Box role="status" textStyle="meta" ms="auto" data-network={mark ?? undefined}>
      {mark !== null && (
        <Box as="span" display="inline-flex" alignItems="center" gap="2" animation="fadeIn 400ms">
          <Box
            as="span"
            aria-hidden="true"
            boxSize="2"
            borderRadius="full"
            border="2px solid currentColor"
            bg={mark === "offline" ? "transparent" : "currentColor"}
          />
          {mark === "offline" ? texts.network.offline : texts.queue.reconnecting}
        </Box>
      )}
    </Box>
  );
}
