import { Box, Button, chakra } from "@chakra-ui/react";
import { Suspense, lazy, useMemo, useState } from "react";
import { useTexts } from "../../texts/store.ts";
import { useWaitingConversions } from "../network/WaitingRequests.tsx";
import { JobRow } from "./JobRow.tsx";
import { EmptyQueue } from "./QueueStates.tsx";
import { ROW_HEIGHT } from "./row-height.ts";
import { useLinkedRow } from "./row-link.ts";
import { useRows } from "./rows.ts";
import { useHasCurrentJob } from "./use-current-job.ts";
import { useQueueItems } from "./use-jobs.ts";

// Most visitors have no batches.
const BatchRow = lazy(async () => ({ default: (await import("./BatchRow.tsx")).BatchRow }));

/** Rows shown at first; a button shows the rest. */
const ROWS_SHOWN = 50;

/** The rows of the queue, or that it is empty. */
export function Rows() {
  const items = useQueueItems();
  const texts = useTexts().queue;
  const [showsAll, setShowsAll] = useState(false);
  const isWhole = useLinkedRow(items) >= ROWS_SHOWN || showsAll;
  const shown = useMemo(() => (isWhole ? items : items.slice(0, ROWS_SHOWN)), [items, isWhole]);
  const { rows, removeRow } = useRows(shown);
  const hasWaitingConversions = useWaitingConversions().length > 0;
  const hasCurrentJob = useHasCurrentJob();
  if (rows.length === 0) return hasWaitingConversions ? null : <EmptyQueue hasCurrentJob={hasCurrentJob} />;
  return (
    <>
      <chakra.ul listStyleType="none" aria-label={texts.list}>
        {rows.map(({ item: { id, jobIds }, motion }) =>
          jobIds ? (
            <Suspense key={id} fallback={<Box as="li" minH={ROW_HEIGHT} />}>
              <BatchRow id={id} jobIds={jobIds} motion={motion} onLeaveEnd={removeRow} />
            </Suspense>
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
