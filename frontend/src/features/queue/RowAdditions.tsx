import { Suspense } from "react";
import type { Job } from "../../../../common/job.ts";
import { CutButton } from "../cuts/CutButton.tsx";
import { PhoneButton } from "../phone/PhoneButton.tsx";
import { DownloadNote } from "./DownloadNote.tsx";

/** What rows have beside what the first scripts show. */
export function RowAdditions({ job }: { job: Job }) {
  return (
    <>
      <Suspense>
        <CutButton job={job} />
      </Suspense>
      <Suspense>
        <PhoneButton job={job} />
      </Suspense>
      <DownloadNote job={job} />
    </>
  );
}
