/** Conversions that wait for the network, shown above the job list. */
import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useMemo } from "react";
import { useOutbox, withdrawRequest } from "../../client/outbox.ts";
import { Pill } from "../../components/Card.tsx";
import { CloseIcon } from "../../components/icons.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import type { Texts } from "../../texts/en.ts";
import type { ConvertBatchEntry, ConvertEntry, ConvertSelectionEntry, OutboxEntry } from "../../outbox/entries.ts";

type NewConversion = ConvertEntry | ConvertBatchEntry | ConvertSelectionEntry;

const isNewConversion = (entry: OutboxEntry): entry is NewConversion => entry.kind.startsWith("convert");

function titleOf(entry: NewConversion, { batch }: Texts["network"]["kept"]): string {
  if (entry.kind === "convert") return entry.youtubeUrl;
  return entry.kind === "convertSelection" ? entry.title : batch(entry.urls.length);
}

/**
 * New conversions that wait for the network. Waiting changes to a job are shown in the job's own row.
 * @returns newest first
 */
export function useWaitingConversions(): readonly NewConversion[] {
  const waiting = useOutbox((state) => state.waiting);
  return useMemo(() => waiting.filter(isNewConversion).toReversed(), [waiting]);
}

function WaitingRequest({ entry }: { entry: NewConversion }) {
  const { kept } = useTexts().network;
  const formats = useFormats();
  const title = titleOf(entry, kept);
  return (
    <Flex
      as="li"
      data-kept={entry.key}
      align="center"
      gap="3"
      minH="4.75rem"
      ps={{ base: "3", sm: "4" }}
      pe={{ base: "1.5", sm: "3" }}
      py="3"
      borderBottom="1px solid {colors.border}"
      animation="fadeIn 240ms"
    >
      <Box flex="1" minW="0">
        <chakra.h3 dir="auto" fontSize="md" fontWeight={600} lineClamp={1} overflowWrap="anywhere" title={title}>
          {title}
        </chakra.h3>
        <Flex wrap="wrap" align="center" columnGap="2.5" rowGap="0.5" pt="1.5" textStyle="meta">
          <Pill>{kept.waiting}</Pill>
          <span>{formats.format(entry)}</span>
        </Flex>
      </Box>
      <Button
        variant="ghost"
        size="sm"
        px="0"
        aria-label={kept.takeBackOf(title)}
        data-tip={kept.takeBack}
        onClick={() => withdrawRequest(entry.key)}
      >
        <CloseIcon />
      </Button>
    </Flex>
  );
}

export function WaitingRequests() {
  const entries = useWaitingConversions();
  const texts = useTexts().network.kept;
  if (entries.length === 0) return null;
  return (
    <chakra.ul
      listStyleType="none"
      aria-label={texts.list}
      css={{ "&:last-child > li:last-child": { borderBottom: "none" } }}
    >
      {entries.map((entry) => (
        <WaitingRequest key={entry.key} entry={entry} />
      ))}
    </chakra.ul>
  );
}
