import { Button, chakra } from "@chakra-ui/react";
import { useLayoutEffect, useRef, useState } from "react";
import type { MouseEvent } from "react";
import { isActive } from "../../../../common/job.ts";
import { canRetry } from "../../../../common/remedies.ts";
import type { Job } from "../../../../common/job.ts";
import { jobActions } from "../../client/requests.ts";
import { removeJob } from "../../client/removals.ts";
import { useDevice, useIsDownloaded } from "../../client/stores.ts";
import { BETWEEN } from "../../theme/narrow.ts";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { CloseIcon, DownloadIcon } from "../../components/icons.tsx";
import { useTexts } from "../../texts/store.ts";
import { ButtonWidth, RoomForIcon } from "./ButtonWidth.tsx";
import { useIsMainDownload } from "./use-jobs.ts";

interface CrossButtonProps {
  readonly label: string;
  readonly hint: string;
  readonly "data-place": string;
  readonly onClick: (event: MouseEvent) => void;
}

function CrossButton({ label, hint, ...props }: CrossButtonProps) {
  return (
    <Button variant="ghost" size="sm" px="0" aria-label={label} data-tip={hint} {...props}>
      <CloseIcon />
    </Button>
  );
}

/** The edge of an outlined button, for rows that draw it inside. */
const EDGE = "{colors.border}";

/** Nothing for a job that would fail again. */
export function RetryButton({ job, ...mark }: { job: Job; "data-place"?: string }) {
  const tier = useDevice((state) => state.tier);
  const texts = useTexts().job;
  return (
    canRetry(job, tier) && (
      <Button
        {...mark}
        variant="outline"
        size="sm"
        css={{ "--edge": EDGE }}
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

/**
 * Each control has a place of its own in every state, so that no finger that aims at one meets another. On phones Cancel
 * and Remove stand side by side above Download.
 */
const Places = chakra("div", {
  base: {
    display: "grid",
    gridTemplateColumns: { base: "auto minmax(2.75rem, 1fr) 2.75rem", sm: "auto auto 2.75rem 2.75rem" },
    gridTemplateRows: { base: "2.75rem auto", sm: "auto" },
    columnGap: { sm: "1" },
    alignItems: "center",
    "& > [data-place=cancel]": { gridArea: { base: "1 / 2", sm: "1 / 3" } },
    "& > [data-place=remove]": { gridArea: { base: "1 / 3", sm: "1 / 4" } },
    "& > [data-place=file]": { gridArea: { base: "2 / 2 / auto / 4", sm: "1 / 2" } },
    "& > [data-place=beside-file]": { gridArea: { base: "2 / 1", sm: "1 / 1" } },
    "& > *": UNTOUCHED_AT_FIRST,
  },
});

/** There the bar needs the room. */
const Word = chakra("span", { base: { [BETWEEN]: { display: "none" } } });
/** Of Download, and of its place before it is there. */
const DOWNLOAD_PADDING = { px: { base: "2", sm: "3.5" }, [BETWEEN]: { "&&": { px: "0" } } };

/** As wide as Download from the start, so that the bar and the title do not move when the file is there. */
function DownloadWidth() {
  return (
    <ButtonWidth data-place="file" css={DOWNLOAD_PADDING}>
      <RoomForIcon />
      <Word data-text={useTexts().job.download} />
    </ButtonWidth>
  );
}

interface DownloadButtonProps extends Omit<JobButtonsProps, "isExpired"> {
  readonly url: string;
}

const IN_NEW_TAB = { target: "_blank", rel: "noopener" };

function DownloadButton({ job, url, hasJustFinished, place }: DownloadButtonProps) {
  const texts = useTexts().job;
  const isDownloaded = useIsDownloaded(url);
  const isMain = useIsMainDownload(job.id, place);
  return (
    <Button
      asChild
      size="sm"
      variant={isDownloaded ? "outline" : isMain ? "solid" : "subtle"}
      css={{
        ...DOWNLOAD_PADDING,
        "--edge": isDownloaded ? EDGE : "transparent",
        "& svg": { display: { base: "none", sm: "block" } },
      }}
      data-finished={hasJustFinished || undefined}
    >
      <a
        href={url}
        {...(place === "dashboard" ? IN_NEW_TAB : { download: true })}
        data-place="file"
        aria-label={texts.downloadOf(job.title)}
      >
        <DownloadIcon />
        <Word>{texts.download}</Word>
      </a>
    </Button>
  );
}

export interface JobButtonsProps {
  readonly job: Job;
  readonly isExpired: boolean;
  readonly hasJustFinished: boolean;
  readonly place: "queue" | "converter" | "dashboard";
}

/** The buttons for the job's current status. */
export function JobButtons({ job, isExpired, hasJustFinished, place }: JobButtonsProps) {
  // A job that is processing has it as soon as its file can be played from the start.
  const url = !isExpired && "downloadUrl" in job && job.downloadUrl;
  const [hadUrl, setHadUrl] = useState(false);
  if (url && !hadUrl) setHadUrl(true);
  const texts = useTexts().job;
  return (
    <Places {...useKeptFocus()}>
      <DownloadWidth />
      {url && <DownloadButton job={job} url={url} hasJustFinished={hasJustFinished} place={place} />}
      {/* If the file was offered before the job failed, Retry comes beside its place and not into it. */}
      <RetryButton job={job} data-place={hadUrl ? "beside-file" : "file"} />
      {isActive(job.status) ? (
        <CrossButton
          key="cancel"
          data-place="cancel"
          label={texts.cancelOf(job.title)}
          hint={texts.cancel}
          onClick={() => void jobActions.cancel(job.id)}
        />
      ) : (
        <CrossButton
          key="remove"
          data-place="remove"
          label={texts.removeOf(job.title)}
          hint={texts.remove}
          // In a list the next row would come to the place of the removed one.
          onClick={({ detail: presses }) => removeJob(job, place !== "converter" && presses > 0)}
        />
      )}
    </Places>
  );
}
