import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useLayoutEffect, useRef } from "react";
import { isActive } from "../../../../common/job.ts";
import { canRetry } from "../../../../common/remedies.ts";
import type { Job } from "../../../../common/job.ts";
import { jobActions } from "../../client/requests.ts";
import { removeJob } from "../../client/removals.ts";
import { useDevice } from "../../client/stores.ts";
import { CloseIcon, DownloadIcon } from "../../components/icons.tsx";
import { useTexts } from "../../texts/store.ts";
import { useIsExpired } from "./JobDetails.tsx";

/** As in the recipe of small buttons. */
const BUTTON_TEXT = { fontSize: "sm", fontWeight: 600, whiteSpace: "nowrap" } as const;

function CrossButton({ label, hint, onClick }: { label: string; hint: string; onClick: () => void }) {
  return (
    <Button variant="ghost" size="sm" px="0" aria-label={label} data-tip={hint} onClick={onClick}>
      <CloseIcon />
    </Button>
  );
}

/** Nothing for a job that would fail again. */
export function RetryButton({ job }: { job: Job }) {
  const tier = useDevice((state) => state.tier);
  const texts = useTexts().job;
  return (
    canRetry(job, tier) && (
      <Button
        variant="outline"
        size="sm"
        aria-label={texts.retryOf(job.title)}
        onClick={() => void jobActions.retry(job.id)}
      >
        {texts.retry}
      </Button>
    )
  );
}

/** Keeps the focus on the job's buttons when they change, instead of losing it to the page. */
function useKeptFocus() {
  const container = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    // A removed button fires no blur event.
    if (hadFocus.current && document.activeElement === document.body)
      container.current?.querySelector<HTMLElement>("a, button")?.focus();
  });
  return {
    ref: container,
    onFocus: () => void (hadFocus.current = true),
    onBlur: () => void (hadFocus.current = false),
  };
}

/** On phones: as wide as Download from the start, so that the title does not move when the job is ready. */
function DownloadWidth() {
  return (
    <Box
      data-text={useTexts().job.download}
      _before={{ content: "attr(data-text)" }}
      h="0"
      visibility="hidden"
      display={{ sm: "none" }}
      px="2.5"
      mx="1px"
      {...BUTTON_TEXT}
    />
  );
}

export interface JobButtonsProps {
  readonly job: Job;
  readonly hasJustFinished: boolean;
  /** On phones Download has a word in the converter, where the eye is, and a picture in the queue. */
  readonly place: "queue" | "converter";
}

/** The buttons for the job's current status. */
export function JobButtons({ job, hasJustFinished, place }: JobButtonsProps) {
  const isExpired = useIsExpired(job);
  // A job that is processing has it as soon as its file can be played from the start.
  const url = !isExpired && "downloadUrl" in job && job.downloadUrl;
  const texts = useTexts().job;
  const keptFocus = useKeptFocus();
  const isRunning = isActive(job.status);
  // While the job runs, its bar needs the room.
  const hasWord = !isRunning && place === "converter";
  return (
    <Flex
      {...keptFocus}
      gap={{ base: "0", sm: "1" }}
      align="center"
      justify="end"
      // Cancel and the bar stay as they are when Download appears: on phones it comes below Cancel.
      direction={{ base: isRunning ? "column-reverse" : "column", sm: "row" }}
      minW={{ sm: "5.75rem" }}
    >
      {place === "converter" && <DownloadWidth />}
      {url && (
        <Button
          key={job.status}
          asChild
          size="sm"
          px={{ base: hasWord ? "2.5" : "0", sm: isRunning ? "0" : "3.5" }}
          css={{ "& svg": { display: { base: hasWord ? "none" : "block", sm: "block" } } }}
          animation={hasJustFinished ? "pop 360ms ease-out" : undefined}
          _motionReduce={{ animation: "none" }}
        >
          <a href={url} download aria-label={texts.downloadOf(job.title)}>
            <DownloadIcon />
            {!isRunning && (
              <chakra.span display={{ base: hasWord ? "inline" : "none", sm: "inline" }}>{texts.download}</chakra.span>
            )}
          </a>
        </Button>
      )}
      <RetryButton job={job} />
      {isRunning ? (
        <CrossButton
          key="cancel"
          label={texts.cancelOf(job.title)}
          hint={texts.cancel}
          onClick={() => void jobActions.cancel(job.id)}
        />
      ) : (
        <CrossButton
          key="remove"
          label={texts.removeOf(job.title)}
          hint={texts.remove}
          onClick={() => removeJob(job)}
        />
      )}
    </Flex>
  );
}
