import { Suspense, lazy, useState } from "react";
import { isCuttable } from "../../../../common/cuts.ts";
import type { Job } from "../../../../common/job.ts";
import { useCutTexts } from "../../texts/cuts/index.ts";
import { RowSign } from "../queue/RowSign.tsx";

const CutSheet = lazy(() => import("./CutSheet.tsx"));

/** Shorter files have no part. */
const LEAST_SECONDS = 2;

/** Opens the sheet that cuts a finished file anew; nothing for one that cannot be cut. */
export function CutButton({ job }: { readonly job: Job }) {
  const texts = useCutTexts();
  const [isOpen, setIsOpen] = useState(false);
  if (job.status !== "completed" || !isCuttable(job) || (job.durationSeconds ?? 0) < LEAST_SECONDS) return null;
  return (
    <>
      {job.downloadUrl !== undefined && (
        <RowSign
          place="before"
          label={texts.cutAgainOf(job.title)}
          hint={texts.cutAgain}
          onPress={() => setIsOpen(true)}
        >
          <circle cx="4.6" cy="4.6" r="2.1" />
          <circle cx="4.6" cy="13.4" r="2.1" />
          <path d="M6.3 5.9l9.2 7.3M6.3 12.1l9.2-7.3" />
        </RowSign>
      )}
      {/* It stays when the file expires, and says so. */}
      {isOpen && (
        <Suspense>
          <CutSheet job={job} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
