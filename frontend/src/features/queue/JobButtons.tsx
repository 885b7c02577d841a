import { Button, Flex, chakra } from "@chakra-ui/react";
import { isActive } from "../../../../common/job.ts";
import type { Job } from "../../../../common/job.ts";
import { jobActions } from "../../app.ts";
import { CloseIcon, DownloadIcon } from "../../components/icons.tsx";
import { useIsExpired } from "./JobDetails.tsx";

function CrossButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="ghost" size="sm" px="0" aria-label={label} title={label.split(" ")[0] ?? label} onClick={onClick}>
      <CloseIcon />
    </Button>
  );
}

/** What can be done with a job as it stands. */
export function JobButtons({ job, isFresh }: { job: Job; isFresh: boolean }) {
  const isExpired = useIsExpired(job);
  if (isActive(job.status))
    return <CrossButton label={`Cancel ${job.title}`} onClick={() => void jobActions.cancel(job.id)} />;
  return (
    <Flex gap={{ base: "0", sm: "1" }} align="center" direction={{ base: "column", sm: "row" }}>
      {job.status === "completed" && !isExpired && (
        <Button asChild size="sm" px={{ base: "0", sm: "3.5" }} animation={isFresh ? "pop 360ms ease-out" : undefined} _motionReduce={{ animation: "none" }}>
          <a href={job.downloadUrl} download aria-label={`Download ${job.title}`}>
            <DownloadIcon />
            <chakra.span display={{ base: "none", sm: "inline" }}>Download</chakra.span>
          </a>
        </Button>
      )}
      {(job.status === "failed" || job.status === "canceled") && (
        <Button variant="outline" size="sm" aria-label={`Retry ${job.title}`} onClick={() => void jobActions.retry(job.id)}>
          Retry
        </Button>
      )}
      <CrossButton label={`Remove ${job.title}`} onClick={() => void jobActions.remove(job.id)} />
    </Flex>
  );
}
