import { Suspense, lazy, useState } from "react";
import type { Job } from "../../../../common/job.ts";
import { usePhoneTexts } from "../../texts/phone/index.ts";
import { RowSign } from "../queue/RowSign.tsx";

const PhoneSheet = lazy(() => import("./PhoneSheet.tsx"));

/** Opens the sheet with the link for another device; nothing for a job without a file. */
export function PhoneButton({ job }: { readonly job: Job }) {
  const texts = usePhoneTexts();
  const [isOpen, setIsOpen] = useState(false);
  if (job.status !== "completed" || job.downloadUrl === undefined) return null;
  return (
    <>
      <RowSign
        place="beside-download"
        label={texts.toPhoneOf(job.title)}
        hint={texts.toPhone}
        onPress={() => setIsOpen(true)}
      >
        <rect x="5" y="2" width="8" height="14" rx="1.8" />
        <path d="M8.2 13.4h1.6" />
      </RowSign>
      {isOpen && (
        <Suspense>
          <PhoneSheet job={job} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
