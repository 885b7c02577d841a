import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { memo, useId, useState } from "react";
import { batchActions } from "../../client/outbox.ts";
import { useJobs } from "../../client/stores.ts";
import { DownloadIcon, FoldIcon } from "../../components/icons.tsx";
import { ProgressBar } from "../../components/ProgressBar.tsx";
import { jobsById } from "../../stores/jobs.ts";
import type { Texts } from "../../texts/en.ts";
import type { Formats } from "../../texts/format.ts";
import type { ListTexts } from "../../texts/lists/en.ts";
import { useListTexts } from "../../texts/lists/index.ts";
import { useFormats, useTexts } from "../../texts/store.ts";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { JobList } from "./JobList.tsx";
import { SharingPlace } from "./SharingPlace.tsx";
import { ROW_HEIGHT } from "./row-height.ts";
import { Slot } from "./Slot.tsx";
import type { RowProps } from "./Slot.tsx";
import { archiveUrlOf } from "../../stores/queue-items.ts";
import type { BatchTally } from "../../stores/batch-tally.ts";
import { useCanRetry, useCounts, useMainDownload, useTally } from "./use-jobs.ts";

const Fold = chakra("button", {
  base: {
    display: "flex",
    alignItems: "center",
    gap: "2",
    minH: "11",
    borderRadius: "sm",
    fontWeight: 600,
    cursor: "pointer",
    textAlign: "start",
    "& svg": {
      transition: "transform 160ms",
      _rtl: { transform: "rotate(180deg)" },
      _motionReduce: { transition: "none" },
    },
    "&[aria-expanded=true] svg": { transform: "rotate(90deg)" },
  },
});

type BatchCounts = Omit<BatchTally, "percent">;

const COUNTS = ["failed", "canceled", "working", "waiting"] as const;

/** @returns for example "3 done", "1 failed", "2 working", "14 waiting"; counts of 0 are left out */
function countTexts(counts: BatchCounts, texts: Texts["batch"]): string[] {
  return (["done", ...COUNTS] as const).flatMap((part) => (counts[part] > 0 ? texts[part](counts[part]) : []));
}

/**
 * @returns the counts of videos that were chosen from a list, for example "23 of 60 ready", "17 waiting", "20 more
 * follow". Jobs that were removed, or are too old for the list, are counted apart: the page cannot know if they were
 * ready.
 */
function selectionTexts(
  { done, gone, total, following, ...counts }: BatchCounts,
  texts: Texts["batch"],
  { ready, follow, goneFromPage }: ListTexts["row"],
  formats: Formats,
): string[] {
  return [
    ready(formats.number(done), formats.number(total - gone)),
    ...COUNTS.flatMap((part) => (counts[part] > 0 ? texts[part](counts[part]) : [])),
    ...(following > 0 ? [follow(following, formats.number(following))] : []),
    ...(gone > 0 ? [goneFromPage(formats.number(gone))] : []),
  ];
}

function BatchProgress({ jobIds }: { jobIds: readonly string[] }) {
  const { percent } = useTally(jobIds);
  return <ProgressBar label={useTexts().batch.progress} percent={percent} />;
}

function BatchPercent({ jobIds }: { jobIds: readonly string[] }) {
  return useFormats().percent(useTally(jobIds).percent);
}

/** The buttons for the whole batch. On phones they share a line of their own below the batch's name. */
function BatchButtons({ id, jobIds, counts }: { id: string; jobIds: readonly string[]; counts: BatchCounts }) {
  const texts = useTexts().batch;
  const isActive = counts.working + counts.waiting + counts.following > 0;
  const canRetry = useCanRetry(id, jobIds, isActive);
  const mainDownload = useMainDownload() ?? "";
  return (
    <Flex
      ms={{ sm: "auto" }}
      w={{ base: "full", sm: "auto" }}
      gap={{ base: "2", sm: "1" }}
      wrap="wrap"
      css={{
        // The class twice, because these rules override the buttons' own.
        "&& > *": {
          ...UNTOUCHED_AT_FIRST,
          flex: { base: "1 1 0", sm: "none" },
          minW: "max-content",
          px: { base: "1.5", sm: "3.5" },
        },
      }}
      _empty={{ display: "none" }}
    >
      {isActive && (
        <Button variant="outline" size="sm" onClick={() => void batchActions.cancelAll(id)}>
          {texts.cancelAll}
        </Button>
      )}
      {canRetry && (
        <Button variant="outline" size="sm" onClick={() => void batchActions.retryFailed(id)}>
          {texts.retryFailed}
        </Button>
      )}
      {counts.downloadable > 0 && (
        <Button asChild size="sm" variant={jobIds.includes(mainDownload) ? "solid" : "subtle"}>
          <a href={archiveUrlOf(id)} download>
            <DownloadIcon />
            {texts.downloadAll}
          </a>
        </Button>
      )}
    </Flex>
  );
}

export interface BatchRowProps extends RowProps {
  readonly jobIds: readonly string[];
}

/** A batch as one row; its jobs can be unfolded. */
export const BatchRow = memo(function BatchRow({ id, jobIds, motion, onLeaveEnd }: BatchRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const counts = useCounts(jobIds);
  // Of the list that the videos were chosen from.
  const title = useJobs((state) => jobsById(state).get(jobIds[0] ?? "")?.batchTitle);
  const listId = useId();
  const texts = useTexts().batch;
  const { row } = useListTexts();
  const formats = useFormats();
  const parts = title === undefined ? countTexts(counts, texts) : selectionTexts(counts, texts, row, formats);
  return (
    <Slot id={id} motion={motion} onLeaveEnd={onLeaveEnd} data-batch={id}>
      <Box as="article" px={{ base: "3", sm: "4" }} py="2" minH={ROW_HEIGHT}>
        <Flex wrap="wrap" align="center" columnGap="2" rowGap={{ base: "2", sm: "1" }}>
          <Fold
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            onClick={() => setIsOpen(!isOpen)}
          >
            <FoldIcon />
            <chakra.span dir="auto" lineClamp={2} overflowWrap="anywhere">
              {title ?? texts.name(counts.total)}
            </chakra.span>
          </Fold>
          <BatchButtons id={id} jobIds={jobIds} counts={counts} />
        </Flex>
        <Box pt={{ base: "2", sm: "1" }}>
          <BatchProgress jobIds={jobIds} />
          <Flex pt="1.5" gap="2.5" textStyle="meta" fontVariantNumeric="tabular-nums" justify="space-between">
            <span>{formats.list(parts)}</span>
            <chakra.span whiteSpace="nowrap">
              <BatchPercent jobIds={jobIds} />
            </chakra.span>
          </Flex>
          {counts.downloadable > 0 && <SharingPlace url={archiveUrlOf(id)} />}
        </Box>
      </Box>
      {isOpen && (
        <JobList id={listId} jobIds={jobIds} aria-label={texts.list} borderTop="1px solid {colors.border}" bg="bg" />
      )}
    </Slot>
  );
});
