import { Button, Flex, chakra } from "@chakra-ui/react";
import { isActive } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { jobActions } from "../../app.ts";
import { CloseIcon, DownloadIcon } from "../../components/icons.tsx";
import { useTexts } from "../../texts/store.ts";
import { useIsExpired } from "./JobDetails.tsx";

function CrossButton({ label, hint, onClick }: { label: string; hint: string; onClick: () => void }) {
  return (
    <Button variant="ghost" size="sm" px="0" aria-label={label} data-tip={hint} onClick={onClick}>
      <CloseIcon />
    </Button>
  );
}

/** What can be done with a job as it stands. */
export function JobButtons({ job, isFresh }: { job: Job; isFresh: boolean }) {
  const isExpired = useIsExpired(job);
  const texts = useTexts().job;
  if (isActive(job.status))
    return <CrossButton label={texts.cancelOf(job.title)} hint={texts.cancel} onClick={() => void jobActions.cancel(job.id)} />;
  return (
    <Flex gap={{ base: "0", sm: "1" }} align="center" direction={{ base: "column", sm: "row" }}>
      {job.status === "completed" && !isExpired && (
        <Button asChild size="sm" px={{ base: "0", sm: "3.5" }} animation={isFresh ? "pop 360ms ease-out" : undefined} _motionReduce={{ animation: "none" }}>
          <a href={job.downloadUrl} download aria-label={texts.downloadOf(job.title)}>
            <DownloadIcon />
            <chakra.span display={{ base: "none", sm: "inline" }}>{texts.download}</chakra.span>
          </a>
        </Button>
      )}
      {(job.status === "failed" || job.status === "canceled") && (
        <Button variant="outline" size="sm" aria-label={texts.retryOf(job.title)} onClick={() => void jobActions.retry(job.id)}>
          {texts.retry}
        </Button>
      )}
      <CrossButton label={texts.removeOf(job.title)} hint={texts.remove} onClick={() => void jobActions.remove(job.id)} />
    </Flex>
  );
}
