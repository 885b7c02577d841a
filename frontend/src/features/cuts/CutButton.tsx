import { Button } from "@chakra-ui/react";
import { Suspense, lazy, useState } from "react";
import { isCuttable } from "../../../../common/cuts.ts";
import type { Job } from "../../../../common/job.ts";
import { Icon } from "../../components/icons.tsx";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { useCutTexts } from "../../texts/cuts/index.ts";

const CutSheet = lazy(() => import("./CutSheet.tsx"));

/** Shorter files have no part. */
const LEAST_SECONDS = 2;

/** Where Cancel was while the file was made, beside Remove: no row has room for more. */
const PLACE = {
  position: "absolute",
  gridArea: { base: "1 / 3 / 3 / 4", sm: "1 / 3 / 2 / 4" },
  insetInlineEnd: { base: "11", sm: "12" },
  top: "0",
  bottom: { sm: "0" },
  my: { sm: "auto" },
  w: "11",
  px: "0",
} as const;

/** Nobody who aims at Cancel meets it. */
const CSS = { ...UNTOUCHED_AT_FIRST, "[data-place=converter] > &": { smDown: { mt: "-1" } } };

/** Opens the sheet that cuts a finished file anew; nothing for one that cannot be cut. */
export function CutButton({ job }: { readonly job: Job }) {
  const texts = useCutTexts();
  const [isOpen, setIsOpen] = useState(false);
  if (job.status !== "completed" || !isCuttable(job) || (job.durationSeconds ?? 0) < LEAST_SECONDS) return null;
  return (
    <>
      {job.downloadUrl !== undefined && (
        <Button
          variant="ghost"
          size="sm"
          {...PLACE}
          css={CSS}
          aria-label={texts.cutAgainOf(job.title)}
          aria-haspopup="dialog"
          data-tip={texts.cutAgain}
          onClick={() => setIsOpen(true)}
        >
          <Icon>
            <circle cx="4.6" cy="4.6" r="2.1" />
            <circle cx="4.6" cy="13.4" r="2.1" />
            <path d="M6.3 5.9l9.2 7.3M6.3 12.1l9.2-7.3" />
          </Icon>
        </Button>
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
