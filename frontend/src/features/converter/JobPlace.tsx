import { Box } from "@chakra-ui/react";
import { useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";
import { useConnection, useCurrentJob } from "../../client/stores.ts";
import { JOB_PLACE_ID } from "../../platform/job-place.ts";
import { useTexts } from "../../texts/store.ts";
import { JobContent } from "../queue/JobContent.tsx";
import { useHasCurrentJob, useShownJob } from "../queue/use-jobs.ts";
import { PreviewStage } from "./PreviewStage.tsx";

interface CurrentJobProps {
  /** Gets the focus when the job leaves the place with the focus inside. */
  readonly input: RefObject<HTMLInputElement | null>;
}

export interface JobPlaceProps extends CurrentJobProps {
  readonly problemId: string;
}

/** The preview of the link in the field, or the current job: see stores/current-job.ts. */
export function JobPlace({ input, problemId }: JobPlaceProps) {
  const id = useCurrentJob((state) => state.id);
  const isShown = useHasCurrentJob();
  return (
    // The same height in every state, so that nothing below moves.
    <Box id={JOB_PLACE_ID} minH={{ base: "7.25rem", sm: "4.875rem" }} scrollMarginBottom="4">
      {isShown && id !== null ? <CurrentJob key={id} id={id} input={input} /> : <PreviewStage problemId={problemId} />}
    </Box>
  );
}

function CurrentJob({ id, input }: CurrentJobProps & { readonly id: string }) {
  const job = useShownJob(id);
  const isStale = useConnection((state) => state.isStale);
  const frame = useRef<HTMLDivElement>(null);
  const { current } = useTexts().converter;
  useLayoutEffect(() => {
    const element = frame.current;
    const field = input.current;
    return () => {
      if (element?.contains(document.activeElement)) field?.focus({ preventScroll: true });
    };
  }, [input]);
  return (
    job && (
      <Box
        ref={frame}
        role="group"
        aria-label={current}
        minH="inherit"
        tabIndex={-1}
        data-job={id}
        data-status={job.status}
        data-stale={isStale || undefined}
      >
        <JobContent job={job} place="converter" />
      </Box>
    )
  );
}
