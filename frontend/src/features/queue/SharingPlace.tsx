import { Suspense, lazy } from "react";
import type { Job } from "../../../../common/job.ts";
import { useDownloadNotes } from "../../client/download-notes.ts";

const SharingNote = lazy(async () => ({ default: (await import("./DownloadNote.tsx")).SharingNote }));

/** The place of a {@link SharingNote}, for links outside of a job's row. */
export function SharingPlace({ url, job }: { url: string; job?: Job | undefined }) {
  const isInstalled = useDownloadNotes(({ app }) => app?.kind === "installed");
  return (
    isInstalled && (
      <Suspense>
        <SharingNote url={url} job={job} />
      </Suspense>
    )
  );
}
