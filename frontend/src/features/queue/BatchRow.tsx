import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { memo, useId, useState } from "react";
import type { ReactNode } from "react";
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
import { NARROW, NOT_WIDE, WIDE } from "../../theme/narrow.ts";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { ButtonWidth, RoomForIcon } from "./ButtonWidth.tsx";
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
    // Two lines are not higher than the button beside it.
    lineHeight: 1.3,
    // Beside Cancel, or above it where text is large.
    [NOT_WIDE]: { flex: "1 1 8rem" },
    "& svg": {
      flexShrink: 0,
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

/**
 * Each control has a place of its own in every state, so that no finger that aims at one meets another. Where it is not
 * wide, Retry and Download stand below the counts.
 */
const Content = chakra("article", {
  base: {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)",
    // One column for large text.
    [NARROW]: { gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 7.5rem), 1fr))" },
    [WIDE]: { gridTemplateColumns: "minmax(0, 1fr) auto auto", rowGap: "1" },
    alignItems: "center",
    columnGap: "2",
    rowGap: "2",
    px: { base: "3", sm: "4" },
    py: "2",
    minH: ROW_HEIGHT,
    "& > :not([data-place])": { gridColumn: "1 / -1" },
    "& > [data-head]": { [WIDE]: { gridArea: "1 / 1" } },
    // The class twice, because these rules override the buttons' own.
    "&& [data-place] > *": { ...UNTOUCHED_AT_FIRST, px: { base: "1.5", sm: "3.5" } },
  },
});

interface PlaceProps {
  /** What the button says, which may come later. */
  readonly word: string;
  readonly hasIcon?: boolean;
  /** On wide screens, in the line of the batch's name. */
  readonly column?: 2 | 3;
  readonly children: ReactNode;
}

/** As wide as its button from the start. */
function Place({ word, hasIcon = false, column, children }: PlaceProps) {
  return (
    <Box
      data-place=""
      display="grid"
      flexShrink={0}
      minH="11"
      css={{
        "& > *": { gridArea: "1 / 1" },
        "& svg": { smDown: { display: "none" } },
        ...(column && { [WIDE]: { gridArea: `1 / ${column}` } }),
      }}
    >
      <ButtonWidth overflow="hidden">
        {hasIcon && <RoomForIcon />}
        <span data-text={word} />
      </ButtonWidth>
      {children}
    </Box>
  );
}

function RetryPlace({ id, jobIds, isActive }: { id: string; jobIds: readonly string[]; isActive: boolean }) {
  const texts = useTexts().batch;
  return (
    <Place word={texts.retryFailed} column={2}>
      {useCanRetry(id, jobIds, isActive) && (
        <Button variant="outline" size="sm" onClick={() => void batchActions.retryFailed(id)}>
          {texts.retryFailed}
        </Button>
      )}
    </Place>
  );
}

function DownloadPlace({ id, jobIds, isThere }: { id: string; jobIds: readonly string[]; isThere: boolean }) {
  const texts = useTexts().batch;
  const mainDownload = useMainDownload() ?? "";
  return (
    <Place word={texts.downloadAll} hasIcon column={3}>
      {isThere && (
        <Button asChild size="sm" variant={jobIds.includes(mainDownload) ? "solid" : "subtle"}>
          <a href={archiveUrlOf(id)} download>
            <DownloadIcon />
            {texts.downloadAll}
          </a>
        </Button>
      )}
    </Place>
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
  const isActive = counts.working + counts.waiting + counts.following > 0;
  const parts = title === undefined ? countTexts(counts, texts) : selectionTexts(counts, texts, row, formats);
  return (
    <Slot id={id} motion={motion} onLeaveEnd={onLeaveEnd} data-batch={id}>
      <Content>
        <Flex data-head="" align="center" wrap={{ base: "wrap", sm: "nowrap" }} gap={{ base: "2", sm: "4" }}>
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
          <Place word={texts.cancelAll}>
            {isActive && (
              <Button variant="outline" size="sm" onClick={() => void batchActions.cancelAll(id)}>
                {texts.cancelAll}
              </Button>
            )}
          </Place>
        </Flex>
        <Box>
          <BatchProgress jobIds={jobIds} />
          <Flex pt="1.5" gap="2.5" textStyle="meta" fontVariantNumeric="tabular-nums" justify="space-between">
            <span>{formats.list(parts)}</span>
            <chakra.span whiteSpace="nowrap">
              <BatchPercent jobIds={jobIds} />
            </chakra.span>
          </Flex>
          {counts.downloadable > 0 && <SharingPlace url={archiveUrlOf(id)} />}
        </Box>
        <RetryPlace id={id} jobIds={jobIds} isActive={isActive} />
        <DownloadPlace id={id} jobIds={jobIds} isThere={counts.downloadable > 0} />
      </Content>
      {isOpen && (
        <JobList id={listId} jobIds={jobIds} aria-label={texts.list} borderTop="1px solid {colors.border}" bg="bg" />
      )}
    </Slot>
  );
});
