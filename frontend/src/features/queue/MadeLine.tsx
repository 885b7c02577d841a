import { Flex } from "@chakra-ui/react";
import { Suspense, lazy } from "react";
import type { Job } from "../../../../common/job.ts";
import { useFormats } from "../../texts/store.ts";

const OtherFormat = lazy(async () => ({ default: (await import("./WaysOut.tsx")).OtherFormat }));

/** Below a job on a dashboard: when it was asked for, and the other format of a finished one. */
export function MadeLine({ job }: { job: Job }) {
  const formats = useFormats();
  return (
    <Flex
      align="center"
      columnGap="4"
      // As high with the other format as without it.
      minH="8"
      // Beside the picture, where that is wide.
      ps={{ base: "3", sm: "8rem" }}
      mt={{ base: "0", sm: "-2" }}
      pe="3"
      pb="2"
      textStyle="meta"
      fontSize="xs"
    >
      <time dateTime={job.createdAt}>{formats.dateAndTime(job.createdAt)}</time>
      {job.status === "completed" && (
        <Suspense>
          <OtherFormat job={job} />
        </Suspense>
      )}
    </Flex>
  );
}
