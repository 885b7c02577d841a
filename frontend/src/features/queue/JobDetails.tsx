import { Box, chakra } from "@chakra-ui/react";
import { Suspense, lazy, useState } from "react";
import type { ReactNode } from "react";
import type { z } from "zod";
import type { CompletedJob, FailedJob, Job } from "../../../../common/job.ts";
import { remarksOn } from "../../../../common/remarks.ts";
import { useIsDownloaded } from "../../client/stores.ts";
import { Pill } from "../../components/Card.tsx";
import { EmptyTrack } from "../../components/ProgressBar.tsx";
import { wordShortfall } from "../../texts/reason-words.ts";
import { useFormats, useSentence, useTexts } from "../../texts/store.ts";
import { BETWEEN, NARROW } from "../../theme/narrow.ts";
import { DetailsLine } from "./DetailsLine.tsx";
import { JobProgress } from "./JobProgress.tsx";
import { PlayLine, useIsInPlayer } from "./PlayLine.tsx";
import { WaitLine } from "./WaitLine.tsx";
import { WaysOutPlace } from "./WaysOutPlace.tsx";
import { useAtTime } from "./clock.ts";
import { ROOM_FOR_BUTTONS, ROOM_FOR_SIGNS } from "./row-height.ts";

type Completed = z.infer<typeof CompletedJob>;
type Failed = z.infer<typeof FailedJob>;

/** A row whose receipt cannot be loaded has a plain word. */
const ReadyPill = lazy(() =>
  import("../speed/JobReceipt.tsx").then(
    (module) => ({ default: module.ReadyPill }),
    () => ({ default: PlainReady }),
  ),
);

/** On phones beside the time, where there is more room for it than beside the size. */
const READY_PLACE = { "[data-place=list] &": { order: { base: 1, sm: 0 }, lineHeight: { base: 1.2, sm: 1.4 } } };

/**
 * In a list on phones the signs stand at the end of the first line: the second one has no room to spare. Where it is
 * narrow or its text large, it takes the lines that it needs.
 */
const FIRST_LINE = {
  w: { base: "full", sm: "auto" },
  "[data-place=list] &": {
    smDown: { pe: ROOM_FOR_SIGNS, lineClamp: 1, [NARROW]: { display: "block", overflow: "visible" } },
  },
};

/** Whether the file has expired, by the server's data or by the clock. */
export function useIsExpired(job: Job): boolean {
  return useAtTime(
    (nowMs) => job.status === "completed" && (job.downloadUrl === undefined || Date.parse(job.expiresAt) <= nowMs),
  );
}

/** On phones it is below the title. Not where the signs were, nor Ready: where there is less room, in a line of its own. */
const AgainInDetails = chakra("div", {
  base: {
    hideBelow: "sm",
    ms: "auto",
    pe: ROOM_FOR_BUTTONS,
    [BETWEEN]: { flexBasis: "full", pe: "0", "& > *": { justifyContent: "end" } },
  },
});

const Lines = chakra("span", {
  base: {
    display: "contents",
    "[data-place=list] &": {
      smDown: {
        display: "block",
        lineHeight: 1.3,
        "& > *": { me: "1.5", pe: "0" },
        "& > :first-child": { lineHeight: 1.2 },
        "&:not([data-whole])": { lineClamp: 2 },
      },
    },
  },
});

/**
 * What may need many words. In a list on phones it has two lines, so that the row is as high as all others; a tap shows the
 * rest.
 */
function Remarks({
  children,
  ...about
}: {
  readonly title: string;
  readonly pe?: string;
  readonly children: ReactNode;
}) {
  const [isWhole, setIsWhole] = useState(false);
  return (
    <Lines {...about} data-whole={isWhole || undefined} onClick={() => setIsWhole(true)}>
      {children}
    </Lines>
  );
}

function PlainReady({ word }: { readonly word: string }) {
  return (
    <Pill data-tone="ok" css={READY_PLACE}>
      {word}
    </Pill>
  );
}

/** Whether the receipt of a job is shown below its row, and what a press of "Ready" does. */
export interface ReceiptSwitch {
  readonly isOpen: boolean;
  readonly onPress: () => void;
}

interface DetailsProps<Shown extends Job> {
  readonly job: Shown;
  readonly isExpired: boolean;
  readonly receiptSwitch: ReceiptSwitch;
}

function CompletedDetails({ job, isExpired, receiptSwitch }: DetailsProps<Completed>) {
  const all = useTexts();
  const texts = all.job;
  const formats = useFormats();
  const word = useIsDownloaded(job.downloadUrl) ? texts.downloaded : texts.ready;
  const expiry = useAtTime((nowMs) => texts.expires(formats.relativeTime(job.expiresAt, nowMs)));
  const shortExpiry = useAtTime((nowMs) => texts.expires(formats.shortRelativeTime(job.expiresAt, nowMs)));
  // Blocking has taken the file, whatever lines its picture had.
  const found = job.isBlocked ? { ...job, shortfall: undefined } : job;
  const remarks = remarksOn(found, texts, (shortfall) => wordShortfall(shortfall, all, formats));
  if (job.isBlocked) remarks.unshift(all.errors.blocked);
  // The note has all remarks in English; a job of an earlier version has nothing else.
  if (remarks.length === 0 && job.note) remarks.push(job.note);
  const kind = isExpired ? formats.kind(job) : `${formats.kind(job)} · ${formats.fileSize(job.fileSize)}`;
  const words = (
    <>
      {isExpired && <Pill>{job.isBlocked ? texts.blocked : texts.expired}</Pill>}
      {isExpired || remarks.length > 0 ? <span>{kind}</span> : <chakra.span css={FIRST_LINE}>{kind}</chakra.span>}
    </>
  );
  return (
    <DetailsLine isTight={remarks.length > 0}>
      {!isExpired && (
        <Suspense fallback={<PlainReady word={word} />}>
          {job.receipt ? <ReadyPill word={word} css={READY_PLACE} {...receiptSwitch} /> : <PlainReady word={word} />}
        </Suspense>
      )}
      {remarks.length === 0 ? (
        words
      ) : (
        <Remarks title={remarks.join(" ")} pe={isExpired ? "0" : ROOM_FOR_SIGNS}>
          {words}
          {remarks.map((remark) => (
            <span key={remark}>{remark}</span>
          ))}
        </Remarks>
      )}
      {isExpired ? (
        <AgainInDetails>
          <WaysOutPlace job={job} />
        </AgainInDetails>
      ) : (
        <chakra.time dateTime={job.expiresAt} order={{ base: 1, sm: 0 }} ms={{ sm: "auto" }}>
          <chakra.span hideBelow="sm">{expiry}</chakra.span>
          <chakra.span hideFrom="sm">{shortExpiry}</chakra.span>
        </chakra.time>
      )}
    </DetailsLine>
  );
}

/** The details of a finished file while it is in the player. */
function PlayedDetails({ job }: { job: Completed }) {
  const formats = useFormats();
  return (
    <Box pt={{ base: "1", sm: "2" }}>
      <PlayLine job={job} />
      <DetailsLine>
        <span>
          {formats.kind(job)} · {formats.fileSize(job.fileSize)}
        </span>
      </DetailsLine>
    </Box>
  );
}

function FailedDetails({ job }: { job: Failed }) {
  const texts = useTexts().job;
  const formats = useFormats();
  const reason = useSentence(job.error);
  return (
    <DetailsLine isTight>
      <Remarks title={reason}>
        <Pill data-tone="bad">{texts.failed}</Pill>
        <span>{formats.kind(job)}</span>
        <span>{reason}</span>
      </Remarks>
      <WaysOutPlace job={job} />
    </DetailsLine>
  );
}

/** The details of a job below its title. */
export function JobDetails({ job, ...given }: DetailsProps<Job>) {
  const texts = useTexts().job;
  const formats = useFormats();
  const isInPlayer = useIsInPlayer(job.id);
  switch (job.status) {
    case "queued":
    case "pending":
      return (
        // An empty bar, so that the text below does not move when progress starts.
        <Box pt={{ base: "1", sm: "2" }}>
          <EmptyTrack />
          <WaitLine job={job} />
        </Box>
      );
    case "processing":
      return <JobProgress job={job} />;
    case "completed":
      return isInPlayer ? <PlayedDetails job={job} /> : <CompletedDetails job={job} {...given} />;
    case "failed":
      return <FailedDetails job={job} />;
    case "canceled":
      return (
        <DetailsLine>
          <Pill>{texts.canceled}</Pill>
          <span>{formats.kind(job)}</span>
        </DetailsLine>
      );
  }
}
