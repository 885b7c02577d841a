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
      // The other format is below Ready, and not below the way out of an expired file.
      direction={{ base: "row", sm: "row-reverse" }}
      justify={{ sm: "space-between" }}
      align="start"
      columnGap="4"
      // As high with the other format as without it.
      minH="11"
      // Beside the picture, where that is wide.
      ps={{ base: "3", sm: "8rem" }}
      mt={{ sm: "-2" }}
      pe={{ base: "3", sm: "4" }}
      // All of its height is below its words: above them the row has controls of its own.
      css={{ "& > :is(a, button)": { my: "0", alignItems: "start" } }}
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
