import { Box } from "@chakra-ui/react";
import { useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";
import { useConnection } from "../../client/stores.ts";
import { useTexts } from "../../texts/store.ts";
import { JobContent } from "../queue/JobContent.tsx";
import { useShownJob } from "../queue/use-jobs.ts";

export interface CurrentJobProps {
  /** Gets the focus when the job leaves the place with the focus inside. */
  readonly input: RefObject<HTMLInputElement | null>;
}

/** The job in the converter: see stores/current-job.ts. */
export function CurrentJob({ id, input }: CurrentJobProps & { readonly id: string }) {
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
