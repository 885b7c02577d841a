import { Button } from "@chakra-ui/react";
import { Suspense, lazy, useState } from "react";
import type { Job } from "../../../../common/job.ts";
import { Icon } from "../../components/icons.tsx";
import { UNTOUCHED_AT_FIRST } from "../../theme/untouched.ts";
import { usePhoneTexts } from "../../texts/phone/index.ts";

const PhoneSheet = lazy(() => import("./PhoneSheet.tsx"));

/**
 * Beside Download, over the end of the details, which leave the room for its sign: on phones at the end of their first line.
 * Not in the flow, so that no row grows by it.
 */
const PLACE = {
  position: "absolute",
  // An end that is not named would be that of the row.
  gridArea: { base: "2 / 1 / 3 / 3", sm: "1 / 2 / 2 / 3" },
  insetInlineEnd: "0",
  top: "0",
  bottom: { sm: "0" },
  my: { sm: "auto" },
  minW: "11",
  px: "0",
  alignItems: { base: "start", sm: "center" },
  justifyContent: { base: "end", sm: "center" },
} as const;

/** Opens the sheet with the link for another device; nothing for a job without a file. */
export function PhoneButton({ job }: { readonly job: Job }) {
  const texts = usePhoneTexts();
  const [isOpen, setIsOpen] = useState(false);
  if (job.status !== "completed" || job.downloadUrl === undefined) return null;
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        {...PLACE}
        css={UNTOUCHED_AT_FIRST}
        aria-label={texts.toPhoneOf(job.title)}
        aria-haspopup="dialog"
        data-tip={texts.toPhone}
        onClick={() => setIsOpen(true)}
      >
        <Icon>
          <rect x="5" y="2" width="8" height="14" rx="1.8" />
          <path d="M8.2 13.4h1.6" />
        </Icon>
      </Button>
      {isOpen && (
        <Suspense>
          <PhoneSheet job={job} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
