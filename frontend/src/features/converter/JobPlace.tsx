import { Box } from "@chakra-ui/react";
import { useCurrentJob } from "../../client/stores.ts";
import { JOB_PLACE_ID } from "../../platform/job-place.ts";
import { useHasCurrentJob } from "../queue/use-current-job.ts";
import { jobViews } from "../queue/use-job-views.ts";
import type { CurrentJobProps } from "./CurrentJob.tsx";
import { PreviewStage } from "./PreviewStage.tsx";

export interface JobPlaceProps extends CurrentJobProps {
  readonly problemId: string;
}

/** The preview of the link in the field, or the current job: see stores/current-job.ts. */
export function JobPlace({ input, problemId }: JobPlaceProps) {
  const id = useCurrentJob((state) => state.id);
  const isShown = useHasCurrentJob();
  const { script: views } = jobViews.useScript();
  return (
    // The same height in every state, so that nothing below moves.
    <Box id={JOB_PLACE_ID} minH={{ base: "7.25rem", sm: "4.875rem" }} scrollMarginBottom="4">
      {isShown && id !== null ? (
        views && <views.CurrentJob key={id} id={id} input={input} />
      ) : (
        <PreviewStage problemId={problemId} />
      )}
    </Box>
  );
}
